//! Adapters as they are written: `KIND=ADDRESS` or `ADDRESS`; an address is `http://…`, or `process`, `container`, `golem`
//! or `simulator` for one that lives in this program.

use report::codes;
use std::{collections::BTreeMap, rc::Rc};

use adapter::{Deliver, LocalTransport};
use adapter_golem::GolemAdapter;
use host::SystemTimer;
use model::Address;
use protocol::{Call, Caller, Description, Reply, ResourceId, Transport, Unclear, Verb, read_reply};
use state::{Backend, Entry, Snapshot};
use workspace::engine::{Connection, EngineError, Route};
use workspace::{
    Deployment, File, Workspace,
    view::{ActionView, DiagnosticView, PlanView},
};

use crate::args::{Programs, Work};
use crate::problem::problem;
use crate::work::{
    adoption::Adoption,
    embedded::{
        self, Embedded, Home, RecordedResources, RentalTerms, ServiceAccess, is_known, no_adapter,
        process::{self, Permissions},
    },
    errors::diagnostic,
    service_adapter::ServiceConnection,
    tokens::Tokens,
    transport::transport,
};

const PUT_TOKEN: &str = "put it into `PLANLOOM_ADAPTER_TOKEN`";

/// Adapters that answered.
pub(crate) struct Adapters {
    pub(crate) routes: Vec<Route>,
    /// The kinds that they define.
    pub(crate) types: Vec<File>,
    /// The requirements on services.
    pub(crate) requirements: Requirements,
    /// The notes about opening them.
    pub(crate) notes: Vec<DiagnosticView>,
}

/// The requirements that services have to meet before anything is done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requirements {
    /// The permissions to run programs, if `process` makes services.
    programs: Option<Permissions>,
    /// The terms of renting, if `golem` makes services.
    pub(crate) rental: Option<RentalTerms>,
    /// The services whose resources are created, if a state records them.
    pub(crate) services: Option<ServiceConnection>,
    /// The adapter `golem`, whose budget may have changed.
    pub(crate) golem: Option<GolemAdapter>,
}

impl Requirements {
    /// The requirements of a plan that are not met. With `rebuilt`, an updated service counts as made, because it is
    /// made again if it cannot be changed in place.
    pub(crate) fn refused(
        &self,
        deployment: &Deployment,
        plan: &PlanView,
        rebuilt: bool,
    ) -> Vec<EngineError> {
        let programs = self.programs.as_ref().map(|it| process::refused(it, deployment, plan, rebuilt));
        let rental = self.rental.as_ref().map(|it| it.refused(deployment, plan, rebuilt));
        programs.into_iter().chain(rental).flatten().collect()
    }

    /// The problem that a plan would create resources of services which exist already; or that this is not known.
    pub(crate) async fn existing(&self, plan: &PlanView) -> Option<Box<DiagnosticView>> {
        let checked = self.services.as_ref()?.check_new(plan).await;
        checked.err()
    }
}

/// An adapter as it was requested, and its description.
struct Candidate<'w> {
    address: &'w str,
    /// `None` where it cannot be reached.
    description: Option<Description>,
    /// The connection to it; `None` for one of this program, which is opened only if it makes something.
    remote: Option<Connection>,
    /// The kinds that it makes here.
    kinds: Vec<String>,
}

/// Connects all that are requested, and asks each for its description. `around`: one that cannot be reached makes the
/// kinds that are given for it on the command line.
pub(crate) async fn connect(
    work: &Work,
    around: bool,
    backend: &dyn Backend,
    timer: &Rc<SystemTimer>,
) -> Result<Adapters, Box<DiagnosticView>> {
    let adapters = &*work.adapters;
    let requested = AdapterSelection { adapters, former: None, is_lost: false, adoption: None };
    Ok(connect_both(work, requested, around, backend, timer).await?.0)
}

/// The adapters to connect.
pub(crate) struct AdapterSelection<'w> {
    /// Those that make the resources; `process` where there are none.
    pub(crate) adapters: &'w [String],
    /// Those that made them before, where they are to move; `process` where there are none.
    pub(crate) former: Option<&'w [String]>,
    /// True if the resources of other adapters no longer exist, so that no record of them is necessary.
    pub(crate) is_lost: bool,
    /// The adoption, if one is requested.
    pub(crate) adoption: Option<&'w Adoption<'w>>,
}

/// Connects those that make the resources, and those that made them before, each once; the routes to the latter.
pub(crate) async fn connect_both(
    work: &Work,
    requested: AdapterSelection<'_>,
    around: bool,
    backend: &dyn Backend,
    timer: &Rc<SystemTimer>,
) -> Result<(Adapters, Vec<Route>), Box<DiagnosticView>> {
    let all = requested.adapters.iter().chain(requested.former.unwrap_or_default());
    let tokens = Tokens::of_environment(all.filter(|it| !is_for_service(it)).map(|it| split(it).1))?;
    let own = candidates(requested.adapters, around, &tokens).await?;
    let former = match requested.former {
        Some(adapters) => candidates(adapters, around, &tokens).await?,
        None => Vec::new(),
    };
    let used = own.iter().chain(&former).filter_map(|it| Embedded::named(it.address)).collect();
    let home = Home { adoption: requested.adoption, ..Home::new(&work.programs, used) };
    let state = State { backend, snapshot: requested.is_lost.then_some(None) };
    let mut opener = Opener { work, home, state, timer, opened: BTreeMap::new() };
    let mut adapters = Adapters {
        routes: Vec::new(),
        types: types_of(own.iter().chain(&former)),
        requirements: Requirements::default(),
        notes: Vec::new(),
    };
    for candidate in own {
        if candidate.address == Embedded::Process.name() && candidate.kinds.iter().any(|it| it == "service") {
            adapters.requirements.programs = Some(opener.home.permitted()?);
        }
        if candidate.address == Embedded::Golem.name() && candidate.kinds.iter().any(|it| it == "service") {
            adapters.requirements.rental = Some(RentalTerms::new(&work.programs));
        }
        adapters.routes.extend(opener.routes(candidate).await?);
    }
    let mut before = Vec::new();
    for candidate in former {
        before.extend(opener.routes(candidate).await?);
    }
    adapters.notes = opener.home.notes.take();
    adapters.requirements.golem = opener.home.golem.take();
    Ok((adapters, before))
}

/// Opens each adapter once.
struct Opener<'o> {
    work: &'o Work,
    home: Home<'o>,
    state: State<'o>,
    timer: &'o Rc<SystemTimer>,
    opened: BTreeMap<String, Connection>,
}

impl Opener<'_> {
    /// The way to an adapter for each kind that it makes.
    async fn routes(&mut self, candidate: Candidate<'_>) -> Result<Vec<Route>, Box<DiagnosticView>> {
        let Candidate { address, remote, kinds, .. } = candidate;
        if !self.opened.contains_key(address) {
            let connection = match (remote, Embedded::named(address)) {
                (Some(connection), _) => connection,
                (None, Some(which)) => self.embedded(which, &kinds).await?,
                (None, None) => return Err(no_adapter(address)),
            };
            self.opened.insert(address.to_owned(), connection);
        }
        let opened = self.opened.get(address);
        Ok(opened.map(|it| routes(it, kinds)).unwrap_or_default())
    }

    /// An adapter that lives in this program, opened.
    async fn embedded(
        &mut self,
        which: Embedded,
        kinds: &[String],
    ) -> Result<Connection, Box<DiagnosticView>> {
        let folder = which.folder(&self.work.programs, Some(&self.work.state));
        let made = match &folder {
            // `golem` looks for what a lost state has left only if there is none.
            Some(folder) if !is_known(folder) || which == Embedded::Golem => {
                self.state.made(kinds, which).await?
            }
            _ => RecordedResources::default(),
        };
        let doors =
            ServiceAccess { timer: self.timer.clone(), token: None, base: String::new(), is_shared: false };
        let service = self.home.service(which, folder.as_deref(), &made, doors).await?;
        local(which, service, self.timer)
    }
}

/// A connection to one that lives in this program; it has no address that anybody else could reach.
fn local(
    which: Embedded,
    service: Rc<dyn Deliver>,
    timer: &Rc<SystemTimer>,
) -> Result<Connection, Box<DiagnosticView>> {
    // Each has an address of its own, so that none is taken for another.
    let caller = Caller::new(&format!("http://{}.invalid", which.name()), None)
        .ok_or_else(|| embedded::unusable(which.name(), "it has no address"))?;
    let transport = Rc::new(LocalTransport::new(service, timer.clone()));
    Ok(Connection { name: which.name().to_owned(), transport, caller, credentials: None })
}

/// The kinds that adapters define, those of this program first, each adapter once.
fn types_of<'c>(candidates: impl Iterator<Item = &'c Candidate<'c>>) -> Vec<File> {
    let mut all: Vec<&Candidate<'_>> = candidates.collect();
    all.sort_by_key(|it| rank(it));
    let mut types: Vec<File> = Vec::new();
    for file in all.into_iter().filter_map(definitions) {
        if !types.iter().any(|it| it.name == file.name) {
            types.push(file);
        }
    }
    types
}

/// The position of an adapter among those of this program; behind them if it is none of them.
fn rank(candidate: &Candidate<'_>) -> usize {
    Embedded::ALL.iter().position(|one| one.name() == candidate.address).unwrap_or(usize::MAX)
}

/// Connects the requested adapters, to observe the resources of a state; nothing can be changed through them, and one
/// of this program is not opened if nothing of it is recorded or remembered.
pub(crate) async fn connect_for_reading(
    adapters: &[String],
    programs: &Programs,
    place: &str,
    backend: &dyn Backend,
    timer: &Rc<SystemTimer>,
) -> Result<Adapters, Box<DiagnosticView>> {
    let candidates = candidates_alone(adapters).await?;
    let mut state = State { backend, snapshot: None };
    let mut found = Adapters {
        routes: Vec::new(),
        types: types_of(candidates.iter()),
        requirements: Requirements::default(),
        notes: Vec::new(),
    };
    for Candidate { address, remote, kinds, .. } in candidates {
        let connection = match (remote, Embedded::named(address)) {
            (Some(connection), _) => connection,
            (None, Some(which)) => {
                let made = state.made(&kinds, which).await?;
                let folder = which.folder(programs, Some(place));
                if let (Embedded::Golem, "", Some(folder)) = (which, &*made.deployment, &folder) {
                    found.notes.extend(embedded::still_rented(programs, folder).await);
                }
                if !state.records(&kinds) && !folder.as_deref().is_some_and(is_known) {
                    continue;
                }
                let doors = ServiceAccess {
                    timer: timer.clone(),
                    token: None,
                    base: String::new(),
                    is_shared: false,
                };
                local(which, which.to_look(programs, folder.as_deref(), &made, doors).await?, timer)?
            }
            (None, None) => return Err(no_adapter(address)),
        };
        found.routes.extend(routes(&connection, kinds));
    }
    Ok(found)
}

/// One for each kind.
fn routes(connection: &Connection, kinds: Vec<String>) -> Vec<Route> {
    let connection = || Connection {
        name: connection.name.clone(),
        transport: connection.transport.clone(),
        caller: connection.caller.clone(),
        credentials: None,
    };
    kinds.into_iter().map(|kind| Route { kind: Some(kind), connection: connection() }).collect()
}

/// The kinds that adapters define, and the description of each, for callers that do not apply anything.
pub(crate) async fn described(
    adapters: &[String],
) -> Result<(Vec<File>, Vec<DescribedAdapter>), Box<DiagnosticView>> {
    let candidates = candidates_alone(adapters).await?;
    let types = candidates.iter().filter_map(definitions).collect();
    let described =
        |it: Candidate<'_>| Some(DescribedAdapter { description: it.description?, kinds: it.kinds });
    Ok((types, candidates.into_iter().filter_map(described).collect()))
}

/// The description of an adapter, and the kinds that it makes here.
#[derive(Debug)]
pub(crate) struct DescribedAdapter {
    description: Description,
    kinds: Vec<String>,
}

impl DescribedAdapter {
    /// The reason that it does not accept the resources that a plan would send it, if there is one.
    pub(crate) fn not_accepted(&self, deployment: &Deployment, plan: &PlanView) -> Option<EngineError> {
        let is_sent =
            |it: &&ActionView| (it.action.creates() || it.action.updates()) && self.kinds.contains(&it.kind);
        let sent: Vec<Address> =
            plan.actions.iter().filter(is_sent).filter_map(|it| it.address.parse().ok()).collect();
        workspace::engine::not_accepted(&self.description, deployment, &sent)
    }
}

/// [`candidates`] that all have to be reached, where no others are connected beside them.
async fn candidates_alone(adapters: &[String]) -> Result<Vec<Candidate<'_>>, Box<DiagnosticView>> {
    let others = adapters.iter().filter(|it| !is_for_service(it));
    let tokens = Tokens::of_environment(others.map(|it| split(it).1))?;
    candidates(adapters, false, &tokens).await
}

/// Each adapter that makes resources, once, with the kinds that it makes; those of this program first, in their order,
/// so that their definitions fit together.
async fn candidates<'a>(
    adapters: &'a [String],
    around: bool,
    tokens: &Tokens,
) -> Result<Vec<Candidate<'a>>, Box<DiagnosticView>> {
    let others = adapters.iter().filter(|it| !is_for_service(it));
    let mut requested: Vec<_> = others.map(|it| split(it)).collect();
    if adapters.is_empty() {
        requested.push((None, Embedded::Process.name()));
    }
    // The last one of a kind counts, and what is said of one kind counts more than what is said of all.
    requested.sort_by_key(|(kind, _)| kind.is_some());
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    for (kind, address) in requested {
        let at = match candidates.iter().position(|it| it.address == address) {
            Some(at) => at,
            None => {
                candidates.push(candidate(address, around && kind.is_some(), tokens).await?);
                candidates.len() - 1
            }
        };
        let made = makes(kind, &candidates[at])?;
        for other in &mut candidates {
            other.kinds.retain(|it| !made.contains(it));
        }
        candidates[at].kinds.extend(made);
    }
    candidates.retain(|it| !it.kinds.is_empty());
    candidates.sort_by_key(rank);
    Ok(candidates)
}

async fn candidate<'a>(
    address: &'a str,
    around: bool,
    tokens: &Tokens,
) -> Result<Candidate<'a>, Box<DiagnosticView>> {
    let (description, remote) = match Embedded::named(address) {
        Some(which) => (Some(which.description()), None),
        None => {
            let connection = remote(address, tokens)?;
            let description = match describe(&*connection.transport, &connection.caller).await {
                Ok(description) => Some(description),
                Err(Reply::Unclear(Unclear::Transport(_) | Unclear::Failed(_)) | Reply::Busy(..))
                    if around =>
                {
                    None
                }
                Err(reply) => return Err(not_described(&reply, address)),
            };
            (description, Some(connection))
        }
    };
    Ok(Candidate { address, description, remote, kinds: Vec::new() })
}

/// The kinds that an adapter is to make: the given one, or all that it describes.
fn makes(kind: Option<&str>, candidate: &Candidate<'_>) -> Result<Vec<String>, Box<DiagnosticView>> {
    let address = candidate.address;
    let Some(description) = &candidate.description else {
        return Ok(kind.into_iter().map(Into::into).collect());
    };
    let made = kinds(description);
    let wrong = |message: String, help: String| Err(Box::new(problem(codes::ADAPTER, None, message, help)));
    match kind {
        _ if made.is_empty() => wrong(
            format!("the adapter at `{address}` supports no kinds"),
            "its `types` have to list the kinds that it supports".into(),
        ),
        Some(kind) if !made.iter().any(|it| it == kind) => wrong(
            format!("the adapter at `{address}` does not support `{kind}`"),
            format!("it supports `{}`", made.join("`, `")),
        ),
        Some(kind) => Ok(vec![kind.to_owned()]),
        None => Ok(made),
    }
}

/// The kind or service that an adapter is for, if it names one, and the address.
pub(crate) fn split(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((kind, address)) if !kind.contains([':', '/']) => (Some(kind), address),
        _ => (None, text),
    }
}

/// True if an adapter is one for a service, whose name has a dot: `library.example.com=https://…`.
pub(crate) fn is_for_service(adapter: &str) -> bool {
    split(adapter).0.is_some_and(|name| name.contains('.'))
}

fn remote(address: &str, tokens: &Tokens) -> Result<Connection, Box<DiagnosticView>> {
    let caller = Caller::new(address, tokens.of(address)).ok_or_else(|| {
        let help = "write `process`, `container`, `golem`, `simulator`, `http://…` or `https://…`, with `KIND=` \
                    before it for one kind only";
        Box::new(problem(codes::BAD_ADAPTER, None, format!("`{address}` is not an adapter"), help))
    })?;
    Ok(Connection { name: address.to_owned(), transport: transport()?, caller, credentials: None })
}

/// A state that is read when its contents are first needed.
struct State<'s> {
    backend: &'s dyn Backend,
    snapshot: Option<Option<Snapshot>>,
}

impl State<'_> {
    /// The recorded resources of these kinds, as far as an adapter of that name made them.
    async fn made(
        &mut self,
        kinds: &[String],
        which: Embedded,
    ) -> Result<RecordedResources, Box<DiagnosticView>> {
        let snapshot = match self.snapshot.take() {
            Some(snapshot) => snapshot,
            None => self.backend.load().await.map_err(|error| Box::new(diagnostic(&error.into())))?,
        };
        let made = snapshot.as_ref().map_or_else(RecordedResources::default, |it| {
            let is_by = |it: &Entry| it.adapter.as_ref().is_none_or(|it| it.name == which.name());
            let is_ours = |it: &&Entry| !it.id.is_empty() && kinds.contains(&it.kind) && is_by(it);
            let ours: Vec<&Entry> = it.resources.values().filter(is_ours).collect();
            let begun = it.journal.iter().filter(|it| it.verb == Verb::Create && is_ours(&&it.entry));
            let begun: Vec<&Entry> = begun.map(|it| &it.entry).collect();
            let mut instances =
                ours.iter().chain(&begun).filter_map(|it| Some(it.adapter.as_ref()?.instance.clone()));
            RecordedResources {
                deployment: it.lineage.clone(),
                recorded: ours.len(),
                instance: instances.next().unwrap_or_default(),
                begun: begun.iter().map(|it| ResourceId::new(&it.kind, &it.id)).collect(),
            }
        });
        self.snapshot = Some(snapshot);
        Ok(made)
    }

    /// True if anything of these kinds is recorded or was begun, as far as it was read.
    fn records(&self, kinds: &[String]) -> bool {
        let Some(snapshot) = self.snapshot.as_ref().and_then(Option::as_ref) else { return false };
        let begun = snapshot.journal.iter().map(|it| &it.entry);
        snapshot.resources.values().chain(begun).any(|entry| kinds.contains(&entry.kind))
    }
}

/// The description of an adapter, or the reply that it gave instead.
pub(crate) async fn describe(transport: &dyn Transport, caller: &Caller) -> Result<Description, Reply> {
    match read_reply(&Call::Describe, transport.send(caller.request(&Call::Describe)).await) {
        Reply::Described(description) => Ok(*description),
        reply => Err(reply),
    }
}

/// The reason that an adapter did not describe itself, and a remedy.
pub(crate) fn not_described(reply: &Reply, address: &str) -> Box<DiagnosticView> {
    let (message, help) = match reply {
        Reply::Unauthorized(_) => (format!("the adapter at `{address}` requires a token"), PUT_TOKEN),
        Reply::OtherVersion(problem) => {
            (format!("the adapter at `{address}`: {problem}"), "use an adapter that speaks version 1")
        }
        Reply::Absent => {
            (format!("there is no adapter at `{address}`"), "use the part of the address before `/v1`")
        }
        Reply::Unclear(why) => {
            (format!("the adapter at `{address}`: {why}"), "check that it runs and can be reached from here")
        }
        Reply::Refused(problem) | Reply::Busy(problem, _) => {
            (format!("the adapter at `{address}`: {problem}"), "see the message of the adapter")
        }
        _ => (
            format!("what answers at `{address}` is not an adapter"),
            "use the part of the address before `/v1`",
        ),
    };
    Box::new(problem(codes::ADAPTER, None, message, help))
}

/// The kinds that it makes: those whose definition does not mark them as only a part of others.
pub(crate) fn kinds(description: &Description) -> Vec<String> {
    // The built-in `payload` is a part; what an adapter adds to it is no kind that it makes.
    let built_in = Workspace::new();
    description.types.keys().filter(|kind| built_in.is_resource_kind(kind)).cloned().collect()
}

/// The kinds that an adapter defines itself, as a definition file.
fn definitions(candidate: &Candidate<'_>) -> Option<File> {
    File::of_adapter(candidate.address, &candidate.description.as_ref()?.types)
}

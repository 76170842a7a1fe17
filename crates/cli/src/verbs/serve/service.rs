//! The API of a service specification, served.

use report::codes;
use std::rc::Rc;

use ::store::StoreError;
use api::{Api, Settings, UnservableServices, UnservedPolicy};
use conversion::OldVersions;
use host::{
    ApiHandler, COPIES, CopyHandler, FileChangeLog, Handler, PeerHandler, REFERENCES, REGISTRY,
    RegistryHandler, STATUS, StatusHandler, StoreGate, UserAuth,
};
use integrity::{ChangeLogPlugin, Flags, MetadataPlugin, Plugins, Transactions};
use services::Questions as _;
use spec::Services;
use workspace::view::{DiagnosticView, ServiceView};
use workspace::{File, view::Role};

use super::store::{self, OpenStore};
use crate::answer::has_errors;
use crate::args::Serve;
use crate::load::{Loaded, load_specifications};
use crate::problem::{problem, unwritable};

use super::{
    access_policy::{self, AccessPolicy},
    conversions,
    documents::openapi,
    hooks,
    in_force::InForce,
    limits,
    metrics::Metered,
    peers::{PeerConnections, check_region},
    policy_reload::PolicyReload,
    regions::Regions,
    registration::Registration,
    rejections::RejectionLog,
    unserved,
};

/// A served API, and the store to close at the end.
pub(super) struct Served {
    pub(super) handler: Rc<dyn Handler>,
    /// The API alone, whose background work is to be continued.
    pub(super) api: ApiHandler,
    /// The users of an access policy; without one, everyone who has the token of the server may do everything.
    pub(super) users: Option<UserAuth>,
    /// The gate of the store, which is shut when another server has taken it over.
    pub(super) gate: StoreGate,
    /// The reloading of the access policy when its file changes.
    pub(super) reload: Option<PolicyReload>,
    /// The settings of authorization and recording that are in force.
    pub(super) in_force: InForce,
    /// Warnings, with the texts that they are in.
    pub(super) problems: Vec<DiagnosticView>,
    pub(super) texts: Vec<File>,
    pub(super) store: OpenStore,
    pub(super) services: Vec<ServiceView>,
    /// True if other deployments may have to be asked or told something at any time.
    pub(super) has_peers: bool,
    /// The other regions of what is served.
    pub(super) regions: Regions,
    /// The registration in a registry, if there is one.
    pub(super) registration: Option<Registration>,
}

/// The reasons that it is not served: problems of specifications, with the texts that they are in.
pub(super) struct Refused {
    pub(super) problems: Vec<DiagnosticView>,
    pub(super) loaded: Loaded,
}

/// The API of the specifications.
pub(super) fn served(args: &Serve) -> Result<Served, Box<Refused>> {
    let mut loaded = load_specifications(&args.services, &args.imports, &args.protos);
    if !args.api.serve_registry.is_empty() {
        add_registry(&mut loaded);
    }
    let problems = match loaded.problems.is_empty() {
        true => loaded.workspace.diagnostics().diagnostics,
        false => std::mem::take(&mut loaded.problems),
    };
    if has_errors(&problems) {
        return Err(Box::new(Refused { problems, loaded }));
    }
    let policy = match access_policy(args, &mut loaded) {
        Ok(policy) => policy,
        Err(problems) => return Err(Box::new(Refused { problems, loaded })),
    };
    let (old_versions, warnings) = match conversions::read(&args.api.conversion, &mut loaded) {
        Ok(read) => read,
        Err(problems) => return Err(Box::new(Refused { problems, loaded })),
    };
    match api(args, &mut loaded, policy, old_versions) {
        Ok(mut served) => {
            served.problems.extend(warnings);
            Ok(served)
        }
        Err(problem) => Err(Box::new(Refused { problems: vec![*problem], loaded })),
    }
}

/// Adds the specification of the registry, if there is none among those that are served.
fn add_registry(loaded: &mut Loaded) {
    let services = loaded.workspace.services();
    if services.services.iter().any(|it| *it.name == *registry::SERVICE && !it.is_import) {
        return;
    }
    let (name, text) = ("registry.yaml".to_owned(), registry::SPECIFICATION.to_owned());
    loaded.texts.push(File { name, text, package: None });
    loaded.workspace.set_files_as(Role::Specification, loaded.texts.clone());
}

/// The access policy, if there is one. Its text is added to those that problems are in.
fn access_policy(args: &Serve, loaded: &mut Loaded) -> Result<Option<AccessPolicy>, Vec<DiagnosticView>> {
    let Some(path) = &args.api.access_policy else { return Ok(None) };
    match access_policy::read(&mut loaded.stdin, path, &loaded.workspace.services()) {
        Ok(read) => {
            loaded.texts.push(read.text.clone());
            Ok(Some(read))
        }
        Err(refused) => {
            loaded.texts.extend(refused.text);
            Err(refused.problems)
        }
    }
}

fn api(
    args: &Serve,
    loaded: &mut Loaded,
    policy: Option<AccessPolicy>,
    old_versions: Option<OldVersions>,
) -> Result<Served, Box<DiagnosticView>> {
    let (all, schemas) = (loaded.workspace.services(), loaded.workspace.schemas());
    let services = old_versions.as_ref().map_or_else(|| all.clone(), |it| it.stored(&all));
    let is_registered = args.api.registry.is_some() || !args.api.serve_registry.is_empty();
    if is_registered || !args.api.peer.is_empty() {
        check_region(args)?;
    }
    let peers = match is_registered {
        true => Some(PeerConnections::of_registry(args, &services)?),
        false => PeerConnections::of(args, &services)?,
    };
    // What cannot be served is refused before a store is opened.
    api::check_versions(&services, &schemas).map_err(|error| unservable(&error))?;
    let audit_log = audit_log(args)?;
    let plugins = plugins(args, &services, audit_log.clone())?;
    let hooks = hooks::hooks(&args.api.hook, &services)?;
    let (store, secret) = open_store(args)?;
    mark_audit_log(args, &store)?;
    if peers.is_none() && store::is_registered(&store.store) {
        let message = "the store is that of a server that is registered: other servers refer to what it has";
        let help = "name the registry with `--registry`, or the others with `--peer`";
        return Err(Box::new(problem(codes::STORE, args.store.as_deref(), message.to_owned(), help)));
    }
    let neighbors = peers.as_ref().map(|it| it.neighbors(&store.store));
    let rules = match &neighbors {
        Some(neighbors) => api::rules_among(&services, &schemas, &neighbors.topology),
        None => api::rules(&services, &schemas),
    };
    let rules = rules.map_err(|error| unservable(&error))?;
    let transactions = Transactions::new(store.store.clone(), rules, plugins, Flags::default());
    // The store may be from an earlier version of the specification.
    transactions.reindex().map_err(|error| unstored(args, &error))?;
    let unserved = match args.api.accept_unserved_references {
        true => UnservedPolicy::Accept,
        false => UnservedPolicy::Refuse,
    };
    let settings = Settings { secret, unserved, ..Settings::default() };
    let documents = openapi(&all, &schemas);
    let mut api = Api::new(services, schemas, transactions, Rc::new(|| u64::from_le_bytes(random())))
        .with_settings(settings);
    if let Some(old_versions) = old_versions {
        api = api.with_old_versions(Rc::new(old_versions));
    }
    if let Some(hooks) = hooks {
        api = api.with_hooks(hooks);
    }
    if let Some(neighbors) = neighbors {
        api = api.with_neighbors(neighbors);
    }
    let (mut users, mut problems) = (None, store.problems.clone());
    problems.extend(store::mismatched(&api));
    problems.extend(unserved::warnings(&api, &all, unserved));
    let mut in_force = InForce::of(args);
    let mut text = None;
    if let Some(read) = policy {
        in_force.set_policy(&read.policy);
        users = Some(read.auth);
        problems.extend(read.problems);
        text = Some(read.text.text);
        api = api.with_policy(Rc::new(read.policy));
    }
    let api = Rc::new(api);
    let reload = users.clone().zip(args.api.access_policy.clone()).zip(text);
    let reload = reload.map(|((users, path), text)| PolicyReload {
        path,
        services: loaded.workspace.services(),
        api: api.clone(),
        users,
        text,
    });
    let gate = StoreGate::default();
    let answering = ApiHandler::new(api.clone());
    let mut served = documents.fallback(Rc::new(gate.protect(Rc::new(answering.clone()))));
    if let Some(peers) = &peers {
        let handler = Rc::new(PeerHandler::new(api.clone(), peers.http.clone()));
        served = served.mount_exactly(REFERENCES, Rc::new(gate.protect(handler)));
        let handler = Rc::new(CopyHandler::new(api.clone()));
        served = served.mount_exactly(COPIES, Rc::new(gate.protect(handler)));
        served = served.mount_exactly(STATUS, Rc::new(StatusHandler::new(api.clone())));
    }
    let has_peers = peers.is_some();
    let regions = Regions::new(api.clone(), answering.clone());
    let mut registration = None;
    if let Some(peers) = peers.filter(|_| is_registered) {
        add_regions(args, &api)?;
        let number = store::installation(&store.store, || u64::from_le_bytes(random()));
        let number = number.map_err(|error| unstored(args, &error))?;
        if !args.api.serve_registry.is_empty() {
            let handler = Rc::new(RegistryHandler::new(api.clone(), number));
            served = served.mount_exactly(REGISTRY, Rc::new(gate.protect(handler)));
        }
        let followers = (api.clone(), answering.clone(), regions.clone());
        registration = Some(Registration::new((api.services(), number), peers.http, followers));
    }
    let mut handler: Rc<dyn Handler> = Rc::new(Metered::new(Rc::new(served), api.clone()));
    if let Some(log) = audit_log {
        handler = Rc::new(RejectionLog::new(handler, api, log));
    }
    if let Some(registration) = &registration {
        handler = registration.protect(handler);
    }
    let views = loaded.workspace.specification().services;
    let services = views.into_iter().filter(|it| !it.is_import).collect();
    Ok(Served {
        handler,
        api: answering,
        store,
        services,
        users,
        gate,
        reload,
        in_force,
        problems,
        texts: loaded.texts.clone(),
        has_peers,
        regions,
        registration,
    })
}

/// Adds its regions to the registry that is served here.
fn add_regions(args: &Serve, api: &Api) -> Result<(), Box<DiagnosticView>> {
    for region in &args.api.serve_registry {
        let name = registry::EntryName::Region { region: region.as_str().into() };
        // It is written regardless of what was there before: there is nothing in it that could be lost.
        let request = registry::Request::Write { name, seen: u64::MAX, entry: Some(registry::Entry::Region) };
        let (_, submitted) = registry::reply_to(api.transactions(), &request);
        submitted.wait().map_err(|error| {
            let help = "name regions like `eu` or `us-west2`";
            let message = format!("the registry cannot have the region `{region}`: {error}");
            Box::new(problem(codes::PEER, None, message, help))
        })?;
    }
    Ok(())
}

/// The reasons that versions of a service cannot be served together.
fn unservable(error: &UnservableServices) -> Box<DiagnosticView> {
    let UnservableServices { service, versions: [older, newer], reasons } = error;
    let message =
        format!("{older} and {newer} of `{service}` cannot be served together: {}", reasons.join("; "));
    let help = "write what became of what in a file, and name it with `--conversion`; or serve each version with a server of its own";
    Box::new(problem(codes::SERVICE, None, message, help))
}

/// The plugins of each commit: metadata, limits, and the audit log, which is the last.
fn plugins(
    args: &Serve,
    services: &Services,
    audit_log: Option<FileChangeLog>,
) -> Result<Plugins, Box<DiagnosticView>> {
    let mut plugins = Plugins::new(MetadataPlugin::new(uuid));
    if let Some(limits) = limits::limits(&args.api.resource_limit, services)? {
        plugins = plugins.then(limits);
    }
    if let Some(log) = audit_log {
        plugins = plugins.then(ChangeLogPlugin::new(log));
    }
    Ok(plugins)
}

fn audit_log(args: &Serve) -> Result<Option<FileChangeLog>, Box<DiagnosticView>> {
    let Some(path) = &args.api.audit_log else { return Ok(None) };
    FileChangeLog::open(path).map(Some).map_err(|error| Box::new(unwritable(path, &error)))
}

/// Marks in the audit log the writes that a killed server had logged and not stored. They are not known without a place
/// for resources: then none outlive the process.
fn mark_audit_log(args: &Serve, store: &OpenStore) -> Result<(), Box<DiagnosticView>> {
    let Some(path) = args.api.audit_log.as_ref().filter(|_| store.place.is_some()) else { return Ok(()) };
    let marked = FileChangeLog::mark_beyond(path, store.loaded.get());
    marked.map_err(|error| Box::new(unwritable(path, &error)))
}

/// The store, and the secret that page tokens are signed with.
fn open_store(args: &Serve) -> Result<(OpenStore, Vec<u8>), Box<DiagnosticView>> {
    let opened = store::open(args.store.as_deref(), args.api.accept_lost_writes)?;
    let secret = store::secret(&opened.store, || random::<32>().to_vec());
    Ok((opened, secret.map_err(|error| unstored(args, &error))?))
}

fn unstored(args: &Serve, error: &StoreError) -> Box<DiagnosticView> {
    let help = "check that the place that `--store` names can be written";
    Box::new(problem(codes::STORE, args.store.as_deref(), error.to_string(), help))
}

/// Random bytes of the system. Where it has none, which no supported system allows, they are zero: ids then collide and are
/// refused.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    let _without_randomness = getrandom::fill(&mut bytes);
    bytes
}

/// A UUID of version 4.
fn uuid() -> String {
    let mut bytes: [u8; 16] = random();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|it| format!("{it:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

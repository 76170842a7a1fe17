//! The adapters that live in this program: `process`, `container`, `golem` and `simulator`.

mod container;
mod golem;
mod look;
mod lost_rentals;
pub(crate) mod process;
mod rental_terms;

use report::codes;
use std::{
    cell::RefCell,
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    rc::Rc,
};

use adapter::{
    Deliver, Ledger, MemoryLedger, Record, Service, Setup, Simulator, SimulatorConfig, spec::remove_secrets,
};
use adapter_golem::GolemAdapter;
use host::{FileLedger, SystemTimer};
use protocol::{Description, ResourceId};
use workspace::view::{Action, ActionView, DiagnosticView, PlanView};

pub(crate) use lost_rentals::still_rented;
pub(crate) use rental_terms::{RentalTerms, Rentals};

use crate::args::Programs;
use crate::problem::problem;
use crate::work::{adoption::Adoption, session};

/// One of the adapters of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Embedded {
    Process,
    Container,
    Golem,
    Simulator,
}

impl Embedded {
    pub(crate) const ALL: [Self; 4] = [Self::Process, Self::Container, Self::Golem, Self::Simulator];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Container => "container",
            Self::Golem => "golem",
            Self::Simulator => "simulator",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// The description of the adapter, for which it need not be opened.
    pub(crate) fn description(self) -> Description {
        match self {
            Self::Process => adapter_process::describe(),
            Self::Container => adapter_container::describe(),
            Self::Golem => adapter_golem::describe(),
            Self::Simulator => Simulator::description(&["service", "network"]),
        }
    }

    /// The definitions of the kinds that it makes, if it adds to the built-in ones.
    pub(crate) const fn types(self) -> Option<&'static str> {
        match self {
            Self::Process => Some(adapter_process::TYPES),
            Self::Container => Some(adapter_container::TYPES),
            Self::Golem => Some(adapter_golem::TYPES),
            Self::Simulator => None,
        }
    }

    /// The folder in which it remembers requested resources: the given one, else one beside a state in a file, else one
    /// below `$XDG_STATE_HOME` or `~/.local/state`. `None` for the simulator, which remembers nothing.
    pub(crate) fn folder(self, programs: &Programs, state: Option<&str>) -> Option<PathBuf> {
        let said = match self {
            Self::Process => &programs.process_folder,
            Self::Container => &programs.container_folder,
            Self::Golem => &programs.golem.golem_folder,
            Self::Simulator => return None,
        };
        Some(said.clone().unwrap_or_else(|| self.usual_folder(state)))
    }

    /// The folder in which it remembers requested resources if none is given.
    pub(crate) fn usual_folder(self, state: Option<&str>) -> PathBuf {
        if let Some(state) = state.filter(|it| !it.contains("://")) {
            // A link leads to the state, so the folder is beside that, also before the first apply writes it.
            let real = fs::canonicalize(state).unwrap_or_else(|_| followed(state.into()));
            return format!("{}.{}", real.display(), self.name()).into();
        }
        let home = env::var_os("XDG_STATE_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".local/state")));
        home.unwrap_or_default().join("planloom").join(self.name())
    }
}

/// The path that a link leads to, where there is nothing yet.
fn followed(mut path: PathBuf) -> PathBuf {
    // As many as Linux follows.
    for _ in 0..40 {
        let Ok(to) = fs::read_link(&path) else { break };
        path = path.parent().map_or(to.clone(), |it| it.join(&to));
    }
    path
}

/// The access to a service.
pub(crate) struct ServiceAccess {
    pub(crate) timer: Rc<SystemTimer>,
    /// The token that callers must have; `None` if everyone may call.
    pub(crate) token: Option<String>,
    /// The prefix of each path.
    pub(crate) base: String,
    /// True if other programs can reach it, for longer than one run.
    pub(crate) is_shared: bool,
}

/// The resources that a state records.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordedResources {
    /// Its lineage.
    pub(crate) deployment: String,
    /// The number of recorded resources that this adapter made.
    pub(crate) recorded: usize,
    /// The instance of the adapter that made them; empty if that was not recorded.
    pub(crate) instance: String,
    /// The ids of those whose creation was begun and whose outcome is not known.
    pub(crate) begun: BTreeSet<ResourceId>,
}

/// The permissions and memory of this program's adapters, for one run.
pub(crate) struct Home<'h> {
    pub(crate) programs: &'h Programs,
    /// The adapters in use: `--allow` applies to all of them.
    pub(crate) used: Vec<Embedded>,
    /// The adoption, for adapters that can search for its resources themselves.
    pub(crate) adoption: Option<&'h Adoption<'h>>,
    /// The notes about opening them.
    pub(crate) notes: RefCell<Vec<DiagnosticView>>,
    /// The adapter `golem`, once it was opened.
    pub(crate) golem: RefCell<Option<GolemAdapter>>,
}

impl<'h> Home<'h> {
    /// The adapters of a run that adopts nothing.
    pub(crate) fn new(programs: &'h Programs, used: Vec<Embedded>) -> Self {
        Self { programs, used, adoption: None, notes: RefCell::default(), golem: RefCell::default() }
    }
}

impl Home<'_> {
    /// The service of that adapter. `made` are the resources that a state records, if there is one.
    pub(crate) async fn service(
        &self,
        which: Embedded,
        folder: Option<&Path>,
        made: &RecordedResources,
        doors: ServiceAccess,
    ) -> Result<Rc<dyn Deliver>, Box<DiagnosticView>> {
        match (which, folder) {
            (Embedded::Process, Some(folder)) => self.process(folder, made, doors).await,
            (Embedded::Container, Some(folder)) => self.container(folder, made, doors).await,
            (Embedded::Golem, Some(folder)) => self.golem(folder, made, doors).await,
            _ => simulator(doors),
        }
    }

    fn uses(&self, which: Embedded) -> bool {
        self.used.contains(&which)
    }
}

/// The services that a plan makes. With `rebuilt`, an updated service counts as made, because it is made again if it
/// cannot be changed in place.
fn services_made(plan: &PlanView, rebuilt: bool) -> impl Iterator<Item = &ActionView> {
    let is_made = move |action: Action| action.creates() || rebuilt && action.updates();
    let is_service = |it: &ActionView| it.kind == "service";
    plan.actions.iter().filter(move |it| is_service(it) && is_made(it.action))
}

/// The problem of a name that is not the name of an adapter of this program.
pub(crate) fn no_adapter(name: &str) -> Box<DiagnosticView> {
    let message = format!("`{name}` is not an adapter of this program");
    Box::new(problem(
        codes::BAD_ADAPTER,
        None,
        message,
        "write `process`, `container`, `golem` or `simulator`",
    ))
}

fn simulator(doors: ServiceAccess) -> Result<Rc<dyn Deliver>, Box<DiagnosticView>> {
    let simulator = Simulator::new(doors.timer.clone(), SimulatorConfig::default());
    // What it made in one run is gone in the next, so nothing there is made twice by being another one.
    let instance = if doors.is_shared { session::name() } else { "simulator".to_owned() };
    let setup = setup(Box::new(MemoryLedger::of(&instance)), doors);
    let service = Service::new(Embedded::Simulator.description(), simulator, setup);
    Ok(Rc::new(service.map_err(|why| unusable("simulator", &why))?))
}

fn setup(ledger: Box<dyn Ledger>, doors: ServiceAccess) -> Setup {
    let ServiceAccess { timer, token, base, .. } = doors;
    Setup { ledger, timer, spawn: host::spawn(), token, base }
}

/// The ledger of requested resources in a folder, which is made if it does not exist.
fn ledger(which: Embedded, folder: &Path) -> Result<FileLedger, Box<DiagnosticView>> {
    let leave_out = |spec: &mut _| {
        remove_secrets(spec);
    };
    FileLedger::open(folder, leave_out).map_err(|error| unusable_folder(which, folder, &error))
}

/// Records the resources that were found, all of them or none: half a folder would pass for a complete one.
fn remember(
    which: Embedded,
    folder: &Path,
    found: &[Record],
    instance: &str,
) -> Result<(), Box<DiagnosticView>> {
    let why = |error| unusable_folder(which, folder, &error);
    let beside = folder.join("asked.new");
    if beside.exists() {
        fs::remove_dir_all(&beside).map_err(why)?;
    }
    let mut ledger = ledger(which, &beside)?;
    if !instance.is_empty() {
        ledger.set_instance(instance).map_err(why)?;
    }
    for record in found {
        ledger.put(record).map_err(|why| unusable(which.name(), &why))?;
    }
    fs::rename(&beside, folder.join(ASKED)).map_err(why)
}

/// True if the folder is one in which an adapter has recorded requested resources.
pub(crate) fn is_known(folder: &Path) -> bool {
    folder.join(ASKED).exists()
}

/// The problem that resources are recorded in the state, but not in the folder of the adapter: all would be made a
/// second time.
fn forgotten(which: Embedded, folder: &Path, recorded: usize) -> Box<DiagnosticView> {
    let (name, option) = (folder.display(), which.name());
    let message = format!(
        "the state records {recorded} resources, but `{name}`, where the adapter records them, does not \
         exist"
    );
    let help = format!(
        "restore it, or give its location: `--{option}-folder`; if none of the resources exists any more: \
         `destroy --lost`, or `apply --lost --move-to {option}`"
    );
    let code = match which {
        Embedded::Process => codes::PROCESS_FOLDER,
        Embedded::Container => codes::CONTAINER_FOLDER,
        Embedded::Golem => codes::GOLEM_FOLDER,
        Embedded::Simulator => codes::SIMULATOR_FOLDER,
    };
    Box::new(problem(code, None, message, &help))
}

/// The folder in it with the requested resources.
const ASKED: &str = "asked";

fn unusable_folder(which: Embedded, folder: &Path, error: &std::io::Error) -> Box<DiagnosticView> {
    unusable(which.name(), &format!("`{}`: {error}", folder.display()))
}

pub(crate) fn unusable(name: &str, why: &str) -> Box<DiagnosticView> {
    let message = format!("the adapter `{name}` cannot be used: {why}");
    let help = match Embedded::named(name) {
        Some(Embedded::Process | Embedded::Container | Embedded::Golem) => {
            format!("check that its folder (`--{name}-folder`) can be read and written, and is intact")
        }
        Some(Embedded::Simulator) | None => "this is a bug in Planloom".to_owned(),
    };
    Box::new(problem(codes::BAD_ADAPTER, None, message, help))
}

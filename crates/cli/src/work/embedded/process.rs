use report::codes;
use std::{collections::BTreeSet, fs, path::Path, rc::Rc};

use adapter::{Deliver, Service};
use adapter_process::{
    Allowed, Attributes, Limits, NotAllowed, OpenError, Options, ProcessAdapter, refusals,
};
use serde_json::Value as Json;
use workspace::{
    Deployment,
    engine::{Blame, EngineError},
    view::{ActionView, DiagnosticView, PlanView},
};

use super::{
    ASKED, Embedded, Home, RecordedResources, ServiceAccess, forgotten, is_known, ledger, services_made,
    setup, unusable, unusable_folder,
};
use crate::problem::problem;

const THIS: Embedded = Embedded::Process;

/// The permissions of the adapter.
#[derive(Clone, Debug)]
pub(crate) struct Permissions {
    allowed: Allowed,
    limits: Limits,
}

impl Home<'_> {
    pub(super) async fn process(
        &self,
        folder: &Path,
        made: &RecordedResources,
        doors: ServiceAccess,
    ) -> Result<Rc<dyn Deliver>, Box<DiagnosticView>> {
        let Permissions { allowed, limits } = self.permitted()?;
        if made.recorded > 0 && !is_known(folder) {
            return Err(forgotten(THIS, folder, made.recorded));
        }
        let why = |error| unusable_folder(THIS, folder, &error);
        fs::create_dir_all(folder).map_err(why)?;
        let folder = folder.canonicalize().map_err(why)?;
        let options = Options { limits, ..Options::new(folder.clone(), allowed) };
        let adapter = ProcessAdapter::open(options).await.map_err(|it| closed(&it))?;
        let ledger = ledger(THIS, &folder.join(ASKED))?;
        ledger.remove_unfinished();
        let known = adapter.services();
        let setup = setup(Box::new(ledger), doors);
        let service =
            Service::new(THIS.description(), adapter, setup).map_err(|why| unusable(THIS.name(), &why))?;
        let recorded: BTreeSet<String> = service.records().into_iter().map(|it| it.id().id.clone()).collect();
        match known.iter().find(|it| !recorded.contains(*it)) {
            Some(lost) => Err(incomplete(&folder, lost)),
            None => Ok(Rc::new(service)),
        }
    }

    /// The programs that may be run, their variables and their limits.
    pub(crate) fn permitted(&self) -> Result<Permissions, Box<DiagnosticView>> {
        let allowed = self.programs_and_folders().map_err(|why| not_usable(&why, PROGRAM))?;
        let allowed = self.variables(allowed).map_err(|why| not_usable(&why, VARIABLE))?;
        Ok(Permissions { allowed, limits: self.limits()? })
    }

    fn limits(&self) -> Result<Limits, Box<DiagnosticView>> {
        self.programs.limit.iter().try_fold(Limits::default(), |limits, text| {
            limits.with(text).map_err(|why| {
                let help = "write it as `--limit memory_mib=4096`";
                Box::new(problem(codes::BAD_LIMIT, None, why, help))
            })
        })
    }

    fn variables(&self, allowed: Allowed) -> Result<Allowed, NotAllowed> {
        self.programs.allow_env.iter().try_fold(allowed, |allowed, pattern| allowed.variable(pattern))
    }

    fn programs_and_folders(&self) -> Result<Allowed, NotAllowed> {
        let mut allowed = Allowed::nothing();
        for path in &self.programs.allow {
            // Where images are allowed too, what is no path is one of theirs.
            if self.uses(Embedded::Container) && !path.is_absolute() {
                continue;
            }
            allowed = if path.is_dir() { allowed.programs_in(path)? } else { allowed.program(path)? };
        }
        self.programs.work_in.iter().try_fold(allowed, |allowed, path| allowed.work_in(path))
    }
}

/// The services that a plan would start and may not, reported before anything is done. With `rebuilt`, an updated
/// service counts as started, because it is started again if it cannot be changed in place.
pub(crate) fn refused(
    permitted: &Permissions,
    deployment: &Deployment,
    plan: &PlanView,
    rebuilt: bool,
) -> Vec<EngineError> {
    let refusal = |it: &ActionView| {
        let address = &*it.address;
        let service = Described { deployment, address, json: deployment.attributes(address)? };
        let refused = refusals(&service, &permitted.allowed, permitted.limits);
        let first = refused.first()?;
        let message = format!("`{address}` cannot be started: {}", first.detail);
        let help = format!("nothing was done; {}", first.help);
        let blame = |it: adapter_process::Refusal| Blame {
            place: deployment.place(address, &it.pointer),
            pointer: it.pointer,
            detail: it.detail,
        };
        let blames = refused.into_iter().map(blame).collect();
        Some(EngineError {
            blames,
            help: help.into(),
            ..EngineError::new(protocol::codes::FORBIDDEN, message)
        })
    };
    services_made(plan, rebuilt).filter_map(refusal).collect()
}

/// A service as it is described.
struct Described<'d> {
    deployment: &'d Deployment,
    address: &'d str,
    json: Json,
}

impl Attributes for Described<'_> {
    fn json(&self) -> &Json {
        &self.json
    }

    fn keys(&self, pointer: &str) -> Vec<String> {
        self.deployment.keys(self.address, pointer)
    }

    fn text(&self, pointer: &str) -> Option<String> {
        self.deployment.text(self.address, pointer).map(|(text, _)| text)
    }
}

/// A service would be started a second time, or run on after its end was reported.
fn incomplete(folder: &Path, id: &str) -> Box<DiagnosticView> {
    let name = folder.display();
    let message = format!(
        "the adapter `process` cannot be used: `{name}` has the service `{id}`, but `{ASKED}` in it has no record of it"
    );
    let help = format!(
        "restore the record from a copy of the folder; if there is none, end the service's processes, and remove `services/{id}` there"
    );
    Box::new(problem(codes::BAD_ADAPTER, None, message, help))
}

const PROGRAM: &str =
    "give `--allow` the absolute path of a program, or of a folder with programs, on this machine";
const VARIABLE: &str = "give `--allow-env` the name of a variable, or a prefix such as `SHOP_*`";

fn not_usable(why: &NotAllowed, help: &'static str) -> Box<DiagnosticView> {
    let message = format!("the adapter `process` cannot be used: {why}");
    Box::new(problem(codes::BAD_ADAPTER, None, message, help))
}

fn closed(why: &OpenError) -> Box<DiagnosticView> {
    let message = format!("the adapter `process` cannot be used: {why}");
    let help = match why {
        OpenError::InUse(_) => {
            "wait until the other planloom has finished, or name another folder: `--process-folder`"
        }
        _ => "give a folder of your own: `--process-folder`",
    };
    Box::new(problem(codes::BAD_ADAPTER, None, message, help))
}

use std::{fs, path::Path, rc::Rc};

use adapter::{Deliver, Service};
use adapter_process::{Allowed, NotAllowed, OpenError, Options, ProcessAdapter};
use workspace::{
    Deployment,
    engine::{Blame, Trouble},
    view::{ActionView, DiagnosticView, PlanView},
};

use super::{
    ASKED, Doors, Embedded, Home, Made, forgotten, is_known, ledger, setup, unusable, unusable_folder,
};
use crate::problem::problem;

const THIS: Embedded = Embedded::Process;

impl Home<'_> {
    pub(super) async fn process(
        &self,
        folder: &Path,
        made: &Made,
        doors: Doors,
    ) -> Result<Rc<dyn Deliver>, Box<DiagnosticView>> {
        let allowed = self.allowed_programs()?;
        if made.recorded > 0 && !is_known(folder) {
            return Err(forgotten(THIS, folder, made.recorded));
        }
        let why = |error| unusable_folder(THIS, folder, &error);
        fs::create_dir_all(folder).map_err(why)?;
        let folder = folder.canonicalize().map_err(why)?;
        let options = Options::new(folder.clone(), allowed);
        let adapter = ProcessAdapter::open(options).await.map_err(|it| closed(&it))?;
        let setup = setup(Box::new(ledger(THIS, &folder.join(ASKED))?), doors);
        let service = Service::new(THIS.description(), adapter, setup);
        Ok(Rc::new(service.map_err(|why| unusable(THIS.name(), &why))?))
    }

    /// What may be run.
    pub(crate) fn allowed_programs(&self) -> Result<Allowed, Box<DiagnosticView>> {
        self.list().map_err(|why| not_usable(&why))
    }

    fn list(&self) -> Result<Allowed, NotAllowed> {
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

/// What a plan would start and may not: told before anything is done. What is updated is started anew where it is
/// `rebuilt` because it cannot be changed in place.
pub(crate) fn refused(
    allowed: &Allowed,
    deployment: &Deployment,
    plan: &PlanView,
    rebuilt: bool,
) -> Vec<Trouble> {
    let is_started = |action: &str| matches!(action, "create" | "rebuild") || rebuilt && action == "update";
    let starts = |it: &&ActionView| it.kind == "service" && is_started(&it.action);
    let trouble = |it: &ActionView| {
        let programs = adapter_process::programs(&deployment.attributes(&it.address)?);
        let blames: Vec<Blame> = programs
            .into_iter()
            .filter_map(|pointer| {
                let (program, place) = deployment.text(&it.address, &pointer)?;
                Some(Blame { pointer, detail: allowed.refusal(&program)?, place })
            })
            .collect();
        let message = format!("`{}` cannot be started: {}", it.address, blames.first()?.detail);
        let help = "nothing was done; allow the program with `--allow` and its path, or install it";
        Some(Trouble { blames, ..Trouble::new("adapter/forbidden", message).help(help) })
    };
    plan.actions.iter().filter(starts).filter_map(trouble).collect()
}

fn not_usable(why: &NotAllowed) -> Box<DiagnosticView> {
    let message = format!("the adapter `process` cannot be used: {why}");
    let help = "give `--allow` the absolute path of a program, or of a folder with programs, that is on this machine";
    Box::new(problem("bad-adapter", None, message, help))
}

fn closed(why: &OpenError) -> Box<DiagnosticView> {
    let message = format!("the adapter `process` cannot be used: {why}");
    let help = match why {
        OpenError::InUse(_) => "wait until the other planloom is done",
        _ => "give a folder of your own: `--process-folder`",
    };
    Box::new(problem("bad-adapter", None, message, help))
}

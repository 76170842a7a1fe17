use std::{fs, path::Path, rc::Rc};

use adapter::{Deliver, Service};
use adapter_process::{Allowed, NotAllowed, OpenError, Options, ProcessAdapter};
use workspace::view::DiagnosticView;

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
        let allowed = self.allowed_programs().map_err(|why| unusable(THIS.name(), &why.to_string()))?;
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

    fn allowed_programs(&self) -> Result<Allowed, NotAllowed> {
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

fn closed(why: &OpenError) -> Box<DiagnosticView> {
    let message = format!("the adapter `process` cannot be used: {why}");
    let help = match why {
        OpenError::InUse(_) => "wait until the other planloom is done",
        _ => "give a folder of your own: `--process-folder`",
    };
    Box::new(problem("bad-adapter", None, message, help))
}

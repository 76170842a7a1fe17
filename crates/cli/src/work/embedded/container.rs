use report::codes;
use std::{fmt, fs, path::Path, rc::Rc};

use adapter::{Deliver, Service};
use adapter_container::{Allowed, ContainerAdapter, NotAllowed, Options};
use workspace::view::DiagnosticView;

use super::{
    ASKED, Embedded, Home, RecordedResources, ServiceAccess, forgotten, is_known, ledger, remember, setup,
    unusable, unusable_folder,
};
use crate::problem::problem;

const THIS: Embedded = Embedded::Container;

impl Home<'_> {
    pub(super) async fn container(
        &self,
        folder: &Path,
        made: &RecordedResources,
        doors: ServiceAccess,
    ) -> Result<Rc<dyn Deliver>, Box<DiagnosticView>> {
        let allowed = self.allowed_images().map_err(|why| not_usable(&why))?;
        let adapter = ContainerAdapter::open(Options::new(allowed)).await.map_err(|it| no_engine(&it))?;
        let found = if made.recorded > 0 && !is_known(folder) {
            let found = adapter.remembered(&made.deployment).await;
            let found = found.map_err(|why| no_engine(&why))?;
            if found.is_empty() {
                return Err(forgotten(THIS, folder, made.recorded));
            }
            found
        } else {
            Vec::new()
        };
        let why = |error| unusable_folder(THIS, folder, &error);
        fs::create_dir_all(folder).map_err(why)?;
        let folder = folder.canonicalize().map_err(why)?;
        if !found.is_empty() {
            remember(THIS, &folder, &found, &made.instance)?;
        }
        let ledger = ledger(THIS, &folder.join(ASKED))?;
        let service = Service::new(THIS.description(), adapter, setup(Box::new(ledger), doors));
        Ok(Rc::new(service.map_err(|why| unusable(THIS.name(), &why))?))
    }

    fn allowed_images(&self) -> Result<Allowed, NotAllowed> {
        let mut allowed = Allowed::nothing();
        for path in &self.programs.allow {
            if !path.is_absolute() {
                allowed = allowed.images_from(&path.to_string_lossy())?;
            } else if path.is_dir() || !self.uses(Embedded::Process) {
                allowed = allowed.build_in(path)?;
            }
            // What is left is a program, for `process`.
        }
        self.programs.mount.iter().try_fold(allowed, |allowed, path| allowed.mount_below(path))
    }
}

fn not_usable(why: &NotAllowed) -> Box<DiagnosticView> {
    let message = format!("the adapter `container` cannot be used: {why}");
    let help = "give `--allow` a registry that images are pulled from, e.g. `docker.io/library`, or the \
                absolute path of a folder that they are built in; give `--mount` the absolute path of a \
                folder";
    Box::new(problem(codes::BAD_ADAPTER, None, message, help))
}

pub(super) fn no_engine(why: &impl fmt::Display) -> Box<DiagnosticView> {
    let message = format!("the adapter `container` cannot be used: {why}");
    let help = "start Podman or Docker, or set the address of its socket: `DOCKER_HOST=unix:///…`";
    Box::new(problem(codes::NO_ENGINE, None, message, help))
}

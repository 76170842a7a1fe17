use report::codes;
use std::{env, fmt, fs, os::unix::fs::DirBuilderExt, path::Path, rc::Rc};

use adapter::{Deliver, Service};
use adapter_golem::{AllowedFolders, GolemAdapter, NotAllowed, OpenError, Options};
use protocol::{Code, Problem};
use workspace::view::DiagnosticView;

use super::{
    ASKED, Embedded, Home, RecordedResources, ServiceAccess, forgotten, is_known, ledger, remember, setup,
    unusable, unusable_folder,
};
use crate::{args::Programs, problem::problem};

const THIS: Embedded = Embedded::Golem;

const APP_KEY: &str = "YAGNA_APPKEY";

impl Home<'_> {
    pub(super) async fn golem(
        &self,
        folder: &Path,
        made: &RecordedResources,
        doors: ServiceAccess,
    ) -> Result<Rc<dyn Deliver>, Box<DiagnosticView>> {
        self.only_folders()?;
        let mut options = options(self.programs, folder)?;
        let why = |error| unusable_folder(THIS, folder, &error);
        let was_known = is_known(folder);
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(why)?;
        let folder = folder.canonicalize().map_err(why)?;
        options.folder.clone_from(&folder);
        let adapter = GolemAdapter::open(options).map_err(|it| closed(&it))?;
        adapter.greet().await.map_err(|why| no_daemon(&why))?;
        if !(was_known || made.recorded == 0 && made.begun.is_empty()) {
            let found = adapter.remembered(&made.deployment).await;
            let mut found = found.map_err(|why| unusable(THIS.name(), &why.to_string()))?;
            if found.is_empty() && made.recorded > 0 {
                return Err(forgotten(THIS, &folder, made.recorded));
            }
            found.retain(|it| !made.begun.contains(it.id()));
            for id in &made.begun {
                let begun = adapter.begun(id, &made.deployment);
                found.extend(begun.map_err(|why| unusable(THIS.name(), &why.to_string()))?);
            }
            remember(THIS, &folder, &found, &made.instance)?;
        }
        let mut ledger = ledger(THIS, &folder.join(ASKED))?;
        // What is shared serves states that are not known here.
        if made.deployment.is_empty() && !doors.is_shared {
            self.find_lost(&adapter, &mut ledger).await?;
        }
        self.golem.replace(Some(adapter.clone()));
        let service = Service::new(THIS.description(), adapter, setup(Box::new(ledger), doors));
        Ok(Rc::new(service.map_err(|why| unusable(THIS.name(), &why))?))
    }

    /// Checks that all allowed paths are folders, unless another adapter can use other files.
    fn only_folders(&self) -> Result<(), Box<DiagnosticView>> {
        let is_shared = self.uses(Embedded::Process) || self.uses(Embedded::Container);
        match self.programs.allow.iter().find(|it| !is_shared && !it.is_dir()) {
            Some(other) => Err(not_allowed(&format!("`{}` is not a folder", other.display()))),
            None => Ok(()),
        }
    }
}

/// The options of the command line and of the environment.
pub(super) fn options(programs: &Programs, folder: &Path) -> Result<Options, Box<DiagnosticView>> {
    let written = &programs.golem;
    let key = env::var(APP_KEY).ok().filter(|it| !it.trim().is_empty()).ok_or_else(no_key)?;
    let mut options = Options::new(folder, key.trim());
    options.budget = written.budget;
    options.files = allowed_folders(programs).map_err(|why| not_allowed(&why))?;
    options.payment_network.clone_from(&written.payment_network);
    options.subnet.clone_from(&written.subnet);
    let set = |name: &str, value: &mut String| {
        if let Some(text) = env::var(name).ok().filter(|it| !it.trim().is_empty()) {
            text.trim().clone_into(value);
        }
    };
    set("YAGNA_API_URL", &mut options.api_url);
    set("GOLEM_REGISTRY_URL", &mut options.registry);
    Ok(options)
}

/// The folders that manifests are read from.
pub(super) fn allowed_folders(programs: &Programs) -> Result<AllowedFolders, NotAllowed> {
    let folders = programs.allow.iter().filter(|it| it.is_dir());
    folders.cloned().try_fold(AllowedFolders::default(), AllowedFolders::below)
}

fn not_allowed(why: &impl fmt::Display) -> Box<DiagnosticView> {
    let message = format!("the adapter `golem` cannot be used: {why}");
    let help = "give `--allow` the absolute path of the folder that manifests are read from";
    Box::new(problem(codes::BAD_ADAPTER, None, message, help))
}

fn no_daemon(why: &Problem) -> Box<DiagnosticView> {
    if why.is(Code::Forbidden) {
        let message = format!("the adapter `golem` cannot be used: {}", why.detail);
        let help = "put one of the daemon's app-keys into `YAGNA_APPKEY` (`yagna app-key list`), and its address into \
                    `YAGNA_API_URL`";
        return Box::new(problem(codes::BAD_APP_KEY, None, message, help));
    }
    let message = format!("the adapter `golem` cannot be used: {}", why.detail);
    let help = "start the daemon with `yagna service run`; its address is `YAGNA_API_URL`, such as \
                `http://127.0.0.1:7465`, and `YAGNA_APPKEY` has to be one of its app-keys (`yagna app-key list`); if it will never run again: \
                `destroy --lost --adapter simulator` forgets the resources, and providers end their agreements at the \
                latest when their time is over";
    Box::new(problem(codes::NO_YAGNA, None, message, help))
}

fn no_key() -> Box<DiagnosticView> {
    let message = format!("the adapter `golem` cannot be used: `{APP_KEY}` is not set");
    let help = "run `yagna app-key create planloom`, and put the key that it prints into `YAGNA_APPKEY`";
    Box::new(problem(codes::NO_APP_KEY, None, message, help))
}

pub(super) fn closed(why: &OpenError) -> Box<DiagnosticView> {
    let message = format!("the adapter `golem` cannot be used: {why}");
    let help = match why {
        OpenError::InUse(_) => {
            "wait until the other planloom has finished, or name another folder: `--golem-folder`"
        }
        _ => "give a folder of your own: `--golem-folder`",
    };
    Box::new(problem(codes::BAD_ADAPTER, None, message, help))
}

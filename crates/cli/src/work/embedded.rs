//! The adapters that live in this program: `process` and `simulator`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    rc::Rc,
};

use adapter::{Deliver, Knobs, Ledger, MemoryLedger, Service, Setup, Simulator};
use adapter_process::{Allowed, NotAllowed, OpenError, Options, ProcessAdapter};
use host::{FileLedger, SystemTimer};
use serde_json::{Map, Value as Json};
use workspace::view::DiagnosticView;

use crate::args::Programs;
use crate::problem::problem;

/// How a service is reached.
pub(crate) struct Doors {
    pub(crate) timer: Rc<SystemTimer>,
    /// Who knows it may call; without one everybody may.
    pub(crate) token: Option<String>,
    /// What each path begins with.
    pub(crate) base: String,
}

/// The service of that name.
pub(crate) async fn service(
    name: &str,
    programs: &Programs,
    folder: &Path,
    doors: Doors,
) -> Result<Rc<dyn Deliver>, Box<DiagnosticView>> {
    match name {
        "process" => process(programs, folder, doors).await,
        "simulator" => simulator(doors),
        _ => {
            let message = format!("`{name}` is no adapter of this program");
            Err(Box::new(problem("bad-adapter", None, message, "say `process` or `simulator`")))
        }
    }
}

async fn process(
    programs: &Programs,
    folder: &Path,
    doors: Doors,
) -> Result<Rc<dyn Deliver>, Box<DiagnosticView>> {
    let why = |error: std::io::Error| unusable("process", &format!("`{}`: {error}", folder.display()));
    let allowed = allowed(programs).map_err(|why| unusable("process", &why.to_string()))?;
    fs::create_dir_all(folder).map_err(why)?;
    let folder = folder.canonicalize().map_err(why)?;
    let adapter =
        ProcessAdapter::open(Options::new(folder.clone(), allowed)).await.map_err(|it| closed(&it))?;
    let leave_out = |spec: &mut Map<String, Json>| {
        adapter_process::take_secrets_out(spec);
    };
    let ledger = FileLedger::open(folder.join(ASKED), leave_out).map_err(why)?;
    let service = Service::new(adapter_process::describe(), adapter, setup(Box::new(ledger), doors));
    Ok(Rc::new(service.map_err(|why| unusable("process", &why))?))
}

fn simulator(doors: Doors) -> Result<Rc<dyn Deliver>, Box<DiagnosticView>> {
    let simulator = Simulator::new(doors.timer.clone(), Knobs::default());
    let description = Simulator::description(&["service", "network"]);
    let service = Service::new(description, simulator, setup(Box::new(MemoryLedger::default()), doors));
    Ok(Rc::new(service.map_err(|why| unusable("simulator", &why))?))
}

fn setup(ledger: Box<dyn Ledger>, doors: Doors) -> Setup {
    let Doors { timer, token, base } = doors;
    Setup { ledger, timer, spawn: host::spawn(), token, base }
}

/// Where `process` keeps its records: as it is said, else beside a state in a file, else where programs keep such.
pub(crate) fn folder(programs: &Programs, state: Option<&str>) -> PathBuf {
    if let Some(folder) = &programs.process_folder {
        return folder.clone();
    }
    if let Some(state) = state.filter(|it| !it.contains("://")) {
        // A link leads to the state, so the folder is beside that.
        let real = fs::canonicalize(state).unwrap_or_else(|_| state.into());
        return format!("{}.process", real.display()).into();
    }
    let home = env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".local/state")));
    home.unwrap_or_default().join("planloom/process")
}

/// That the folder is the one in which what is recorded was made: in another, everything would be made a second time.
pub(crate) fn is_known(folder: &Path, recorded: usize) -> Result<(), Box<DiagnosticView>> {
    if recorded == 0 || folder.join(ASKED).exists() {
        return Ok(());
    }
    let name = folder.display();
    let message = format!(
        "the state records {recorded} resources, but `{name}`, where they are remembered, is not there"
    );
    let help = format!(
        "bring it back, or say where it is: `--process-folder`; if nothing runs any more: `mkdir -p {name}/{ASKED}`"
    );
    Err(Box::new(problem("process-folder", None, message, help)))
}

/// The folder in it with what was asked for.
const ASKED: &str = "asked";

fn allowed(programs: &Programs) -> Result<Allowed, NotAllowed> {
    let mut allowed = Allowed::nothing();
    for path in &programs.allow {
        allowed = if path.is_dir() { allowed.programs_in(path)? } else { allowed.program(path)? };
    }
    for path in &programs.work_in {
        allowed = allowed.work_in(path)?;
    }
    Ok(allowed)
}

fn closed(why: &OpenError) -> Box<DiagnosticView> {
    let message = format!("the adapter `process` cannot be used: {why}");
    let help = match why {
        OpenError::InUse(_) => "wait until the other planloom is done",
        _ => "give a folder of your own: `--process-folder`",
    };
    Box::new(problem("bad-adapter", None, message, help))
}

pub(crate) fn unusable(name: &str, why: &str) -> Box<DiagnosticView> {
    let message = format!("the adapter `{name}` cannot be used: {why}");
    Box::new(problem("bad-adapter", None, message, "see `--help`"))
}

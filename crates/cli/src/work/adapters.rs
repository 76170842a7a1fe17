//! Adapters as they are written: `KIND=ADDRESS` or `ADDRESS`; an address is `http://…`, or `process` or `simulator`
//! for one that lives in this program.

use std::{env, path::PathBuf, rc::Rc};

use adapter::{Deliver, Knobs, Ledger, LocalTransport, MemoryLedger, Service, Setup, Simulator};
use adapter_process::{Allowed, NotAllowed, Options, ProcessAdapter};
use host::{FileLedger, SystemTimer};
use protocol::{Call, Caller, Description, Reply, Token, read_reply};
use serde_json::{Value as Json, json};
use workspace::engine::{Connection, Route};
use workspace::{File, view::DiagnosticView};

use crate::args::Work;
use crate::problem::problem;
use crate::work::transport::transport;

/// The variable with the bearer token for adapters at an address.
const TOKEN: &str = "PLANLOOM_ADAPTER_TOKEN";

/// Adapters that answered.
pub(crate) struct Adapters {
    pub(crate) routes: Vec<Route>,
    /// The kinds that they define.
    pub(crate) types: Vec<File>,
}

/// Connects all that are asked for, and asks each what it makes.
pub(crate) async fn connect(work: &Work, timer: &Rc<SystemTimer>) -> Result<Adapters, Box<DiagnosticView>> {
    let mut adapters = Adapters { routes: Vec::new(), types: Vec::new() };
    let wanted: Vec<&str> = work.adapters.iter().map(String::as_str).collect();
    for text in if wanted.is_empty() { vec!["process"] } else { wanted } {
        let (kind, address) = split(text);
        let connection = match address {
            "process" => process(work, timer).await?,
            "simulator" => simulator(timer)?,
            _ => remote(address)?,
        };
        let description = describe(&connection, address).await?;
        adapters.types.extend(definitions(address, &description));
        let kinds: Vec<Option<String>> = match kind {
            Some(kind) => vec![Some(kind.to_owned())],
            None => description.types.keys().cloned().map(Some).collect(),
        };
        for kind in kinds {
            let connection = Connection {
                name: connection.name.clone(),
                transport: connection.transport.clone(),
                caller: connection.caller.clone(),
                credentials: None,
            };
            adapters.routes.push(Route { kind, connection });
        }
    }
    Ok(adapters)
}

/// `service=http://…` is for one kind.
fn split(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((kind, address)) if !kind.contains([':', '/']) => (Some(kind), address),
        _ => (None, text),
    }
}

fn remote(address: &str) -> Result<Connection, Box<DiagnosticView>> {
    let token = env::var(TOKEN).ok().and_then(|it| Token::new(&it));
    let caller = Caller::new(address, token).ok_or_else(|| {
        let help = "write `http://…`, `https://…` or `simulator`, with `KIND=` before it for one kind only";
        Box::new(problem("bad-adapter", None, format!("`{address}` is no adapter"), help))
    })?;
    Ok(Connection { name: address.to_owned(), transport: transport()?, caller, credentials: None })
}

fn simulator(timer: &Rc<SystemTimer>) -> Result<Connection, Box<DiagnosticView>> {
    let setup = setup(Box::new(MemoryLedger::default()), timer);
    let simulator = Simulator::new(timer.clone(), Knobs::default());
    let description = Simulator::description(&["service", "network"]);
    let service = Service::new(description, simulator, setup);
    let service = service.map_err(|why| unusable("simulator", why))?;
    embedded("simulator", Rc::new(service), timer)
}

async fn process(work: &Work, timer: &Rc<SystemTimer>) -> Result<Connection, Box<DiagnosticView>> {
    let folder = folder(work);
    let allowed = allowed(work).map_err(|why| unusable("process", why.to_string()))?;
    let made = std::fs::DirBuilder::new().recursive(true).create(&folder);
    let folder =
        made.and_then(|()| folder.canonicalize()).map_err(|error| unusable("process", error.to_string()))?;
    let adapter = ProcessAdapter::open(Options::new(folder.clone(), allowed)).await;
    let adapter = adapter.map_err(|why| unusable("process", why.to_string()))?;
    let ledger =
        FileLedger::open(folder.join("asked")).map_err(|error| unusable("process", error.to_string()))?;
    let service = Service::new(adapter_process::describe(), adapter, setup(Box::new(ledger), timer));
    let service = service.map_err(|why| unusable("process", why))?;
    embedded("process", Rc::new(service), timer)
}

/// Beside a state in a file; with other states in the folder where programs keep their state.
fn folder(work: &Work) -> PathBuf {
    if let Some(folder) = &work.process_folder {
        return folder.clone();
    }
    if !work.state.contains("://") {
        return format!("{}.process", work.state).into();
    }
    let home = env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".local/state")));
    home.unwrap_or_default().join("planloom/process")
}

fn allowed(work: &Work) -> Result<Allowed, NotAllowed> {
    let mut allowed = Allowed::nothing();
    for path in &work.allow {
        allowed = if path.is_dir() { allowed.programs_in(path)? } else { allowed.program(path)? };
    }
    for path in &work.work_in {
        allowed = allowed.work_in(path)?;
    }
    Ok(allowed)
}

fn setup(ledger: Box<dyn Ledger>, timer: &Rc<SystemTimer>) -> Setup {
    Setup { ledger, timer: timer.clone(), spawn: host::spawn(), token: None, base: String::new() }
}

fn unusable(name: &str, why: String) -> Box<DiagnosticView> {
    let message = format!("the adapter `{name}` cannot be used: {why}");
    Box::new(problem("bad-adapter", None, message, "see `planloom apply --help`"))
}

/// An adapter that lives in this program; it has no address that anybody else could reach.
fn embedded(
    name: &str,
    service: Rc<dyn Deliver>,
    timer: &Rc<SystemTimer>,
) -> Result<Connection, Box<DiagnosticView>> {
    let caller = Caller::new("http://127.0.0.1", None);
    let caller = caller.ok_or_else(|| unusable(name, "it has no address".into()))?;
    let transport = Rc::new(LocalTransport::new(service, timer.clone()));
    Ok(Connection { name: name.to_owned(), transport, caller, credentials: None })
}

async fn describe(connection: &Connection, address: &str) -> Result<Description, Box<DiagnosticView>> {
    let sent = connection.transport.send(connection.caller.request(&Call::Describe)).await;
    let (message, help) = match read_reply(&Call::Describe, sent) {
        Reply::Described(description) => return Ok(*description),
        Reply::Unauthorized(_) => {
            (format!("the adapter at `{address}` wants a token"), "put it into `PLANLOOM_ADAPTER_TOKEN`")
        }
        Reply::OtherVersion(problem) => {
            (format!("the adapter at `{address}`: {problem}"), "use an adapter that speaks version 1")
        }
        Reply::Absent => {
            (format!("there is no adapter at `{address}`"), "the address is what stands before `/v1`")
        }
        Reply::Unclear(why) => {
            (format!("the adapter at `{address}`: {why}"), "see that it runs and can be reached from here")
        }
        Reply::Refused(problem) | Reply::Busy(problem, _) => {
            (format!("the adapter at `{address}`: {problem}"), "see what it wants")
        }
        _ => {
            (format!("what answers at `{address}` is no adapter"), "the address is what stands before `/v1`")
        }
    };
    Err(Box::new(problem("adapter", None, message, help)))
}

/// The kinds that an adapter defines itself, as a definition file.
fn definitions(address: &str, description: &Description) -> Option<File> {
    let own: serde_json::Map<String, Json> = description
        .types
        .iter()
        .filter(|(_, it)| !it.is_null())
        .map(|(kind, it)| (kind.clone(), it.clone()))
        .collect();
    if own.is_empty() {
        return None;
    }
    let text = json!({"format": "planloom.types/1", "kinds": own}).to_string();
    Some(File { name: format!("{address}/v1"), text, package: None })
}

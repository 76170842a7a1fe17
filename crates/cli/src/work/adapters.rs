//! Adapters as they are written: `KIND=ADDRESS` or `ADDRESS`; an address is `http://…`, or `process` or `simulator`
//! for one that lives in this program.

use std::{env, rc::Rc};

use adapter::LocalTransport;
use host::SystemTimer;
use protocol::{Call, Caller, Description, Reply, Token, read_reply};
use serde_json::{Value as Json, json};
use state::Backend;
use workspace::engine::{Connection, Route};
use workspace::{File, Workspace, view::DiagnosticView};

use crate::args::Work;
use crate::problem::problem;
use crate::work::{
    embedded::{self, Doors},
    transport::transport,
    trouble::diagnostic,
};

/// The variable with the bearer token for adapters at an address.
const TOKEN: &str = "PLANLOOM_ADAPTER_TOKEN";

/// Adapters that answered.
pub(crate) struct Adapters {
    pub(crate) routes: Vec<Route>,
    /// The kinds that they define.
    pub(crate) types: Vec<File>,
}

/// Connects all that are asked for, and asks each what it makes.
pub(crate) async fn connect(
    work: &Work,
    backend: &dyn Backend,
    timer: &Rc<SystemTimer>,
) -> Result<Adapters, Box<DiagnosticView>> {
    let kept = backend.load().await.map_err(|error| Box::new(diagnostic(&error.into())))?;
    let recorded = kept.map_or(0, |it| it.resources.values().filter(|it| !it.id.is_empty()).count());
    let mut adapters = Adapters { routes: Vec::new(), types: Vec::new() };
    let wanted: Vec<&str> = work.adapters.iter().map(String::as_str).collect();
    let mut wanted: Vec<_> = wanted.into_iter().map(split).collect();
    if wanted.is_empty() {
        wanted.push((None, "process"));
    }
    // The last route of a kind counts, and what is said of one kind counts more than what is said of all.
    wanted.sort_by_key(|(kind, _)| kind.is_some());
    for (kind, address) in wanted {
        let connection = match address {
            "process" | "simulator" => embedded(address, work, recorded, timer).await?,
            _ => remote(address)?,
        };
        let description = describe(&connection, address).await?;
        adapters.types.extend(definitions(address, &description));
        let kinds: Vec<Option<String>> = match kind {
            Some(kind) => vec![Some(kind.to_owned())],
            None => kinds(&description).map(Some).collect(),
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
        let help =
            "say `process`, `simulator`, `http://…` or `https://…`, with `KIND=` before it for one kind only";
        Box::new(problem("bad-adapter", None, format!("`{address}` is no adapter"), help))
    })?;
    Ok(Connection { name: address.to_owned(), transport: transport()?, caller, credentials: None })
}

/// An adapter that lives in this program; it has no address that anybody else could reach.
async fn embedded(
    name: &str,
    work: &Work,
    recorded: usize,
    timer: &Rc<SystemTimer>,
) -> Result<Connection, Box<DiagnosticView>> {
    let folder = embedded::folder(&work.programs, Some(&work.state));
    if name == "process" {
        embedded::is_known(&folder, recorded)?;
    }
    let doors = Doors { timer: timer.clone(), token: None, base: String::new() };
    let service = embedded::service(name, &work.programs, &folder, doors).await?;
    let caller =
        Caller::new("http://127.0.0.1", None).ok_or_else(|| embedded::unusable(name, "it has no address"))?;
    let transport = Rc::new(LocalTransport::new(service, timer.clone()));
    Ok(Connection { name: name.to_owned(), transport, caller, credentials: None })
}

async fn describe(connection: &Connection, address: &str) -> Result<Description, Box<DiagnosticView>> {
    let sent = connection.transport.send(connection.caller.request(&Call::Describe)).await;
    match read_reply(&Call::Describe, sent) {
        Reply::Described(description) => Ok(*description),
        reply => Err(not_described(&reply, address)),
    }
}

/// Why an adapter does not say what it is, and what to do.
pub(crate) fn not_described(reply: &Reply, address: &str) -> Box<DiagnosticView> {
    let (message, help) = match reply {
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
    Box::new(problem("adapter", None, message, help))
}

/// The kinds that it makes: those whose definition does not say that they are only a part of others.
pub(crate) fn kinds(description: &Description) -> impl Iterator<Item = String> {
    // The built-in `payload` is a part; what an adapter adds to it is no kind that it makes.
    let makes = |kind: &&String| Workspace::new().is_made(kind);
    description.types.keys().filter(makes).cloned()
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

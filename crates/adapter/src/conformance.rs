//! Tests whether an adapter, in any language, implements the protocol: `planloom adapter-test URL`.
//!
//! [`run`] sends requests as an engine would, and requests that an engine must never send, and checks the
//! responses. Everything it knows of the adapter comes from its responses. The resources that it creates
//! belong to a lineage of their own and are destroyed afterwards, also when checks fail.

mod basics;
mod bench;
mod destroys;
mod life;
mod lineage;
mod many;
mod report;
mod rules;
mod updates;

use std::{pin::Pin, rc::Rc};

use protocol::{Caller, Transport};
use runtime::Timer;
use serde_json::{Map, Value as Json};

use bench::Bench;
pub use report::{Checked, Outcome, Report};

/// Options of a conformance test.
#[derive(Clone, Debug)]
pub struct Options {
    /// The kind of the resources that are created.
    pub kind: String,
    /// The spec of these resources. `{n}` in a text is replaced by the number of the test's resource, for
    /// attributes that must be unique.
    pub spec: Map<String, Json>,
    /// A spec that the resource can be changed to in place. Without one, updates are not tested.
    pub changed: Option<Map<String, Json>>,
    /// A spec that requires a rebuild of the resource. Without one, rebuilds are not tested.
    pub rebuild: Option<Map<String, Json>>,
    /// The deployment that the resources belong to. Use another one for each run: ids and keys are derived
    /// from it.
    pub lineage: String,
    /// The origin of a page that the adapter has to allow. Without one, CORS is not tested.
    pub origin: Option<String>,
    /// The time until a resource has to be active, or destroyed, in seconds.
    pub ready_s: u32,
    /// The number of resources that are created at a time.
    pub parallel: u32,
    /// The ids of the checks to run; all checks if it is empty.
    pub only: Vec<String>,
}

impl Options {
    /// Options for resources of that kind and spec. Each resource has a minute to become active; twenty are
    /// created at a time.
    pub fn new(kind: impl Into<String>, spec: Map<String, Json>, lineage: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            spec,
            changed: None,
            rebuild: None,
            lineage: lineage.into(),
            origin: None,
            ready_s: 60,
            parallel: 20,
            only: Vec::new(),
        }
    }
}

/// The reason why a check did not pass.
pub(crate) enum Stop {
    Failed(String),
    Skipped(String),
    /// The rest cannot be tested any more.
    NotRun(String),
}

/// The finding of a check, in a line; empty if there is nothing to add.
type Verdict = Result<String, Stop>;
type Running<'b> = Pin<Box<dyn Future<Output = Verdict> + 'b>>;

struct Check {
    id: &'static str,
    title: &'static str,
    run: for<'b> fn(&'b Bench) -> Running<'b>,
}

macro_rules! checks {
    ($($id:literal, $title:literal => $run:path;)*) => {
        [$(Check { id: $id, title: $title, run: |bench| Box::pin($run(bench)) }),*]
    };
}

const CHECKS: [Check; 38] = checks! {
    "describe", "it describes itself and supports the kind" => basics::describe;
    "instance", "it reports the same instance each time" => lineage::instance;
    "openapi", "it serves an OpenAPI 3.1 document with every line of the protocol" => basics::openapi;
    "version", "another version of the protocol is refused with 412" => basics::version;
    "token", "a wrong token, or none, is refused with 401" => basics::token;
    "not-found", "a missing resource is answered with 404" => basics::not_found;
    "unknown-kind", "an unsupported kind is refused with 422" => basics::unknown_kind;
    "key-missing", "a write without Idempotency-Key is refused with 400 and does nothing" => basics::key_missing;
    "bad-body", "an invalid body is refused with 400 and does nothing" => basics::bad_body;
    "too-large", "a body that is too long is refused with 413" => basics::too_large;
    "cors", "a page of the origin may call and read what the protocol needs" => basics::cors;
    "create", "PUT creates it, and it becomes active" => life::create;
    "create-again", "the same PUT with the same key changes nothing and is answered alike" => life::again;
    "create-same", "the same PUT with another key is answered with 200 and creates no second one" => life::same;
    "create-differs", "a PUT of something else at the same id is refused with 409" => life::differs;
    "key-reused", "a key that was used for something else is refused" => life::key_reused;
    "read", "GET returns it as it was requested, with an ETag that stays the same while it does" => life::read;
    "create-after", "a destroyed resource can be created again under its id" => life::create_after;
    "abandoned", "a PUT whose caller disconnected is applied once, and found by its id" => life::abandoned;
    "update", "PATCH changes it in place, with and without If-Match" => updates::update;
    "update-again", "the same PATCH with the same key is answered alike" => updates::again;
    "update-stale", "a PATCH with an old ETag is refused with 412 and changes nothing" => updates::stale;
    "rebuild", "a change that needs a rebuild is refused with 409 and changes nothing" => updates::rebuild;
    "update-absent", "a PATCH of a missing resource is answered with 404" => updates::absent;
    "destroy", "DELETE destroys it, and then it does not exist" => destroys::destroy;
    "destroy-twice", "destroying it again is not an error" => destroys::twice;
    "destroy-stale", "a DELETE with an old ETag is refused with 412 and destroys nothing" => destroys::stale;
    "batch", "many can be read at once, and the missing ones are named" => many::batch;
    "list", "a deployment's resources are listed, part by part, and no others" => many::list;
    "list-by-name", "resources are listed by their deployment's name, each with its lineage" => lineage::list;
    "lineage", "a PUT or PATCH for another deployment is refused with 403 and changes nothing" => lineage::changes;
    "lineage-destroy", "a DELETE for another deployment is refused with 403 and destroys nothing" => lineage::destroys;
    "operation", "an unknown operation is answered with 404" => many::unknown_operation;
    "long-poll", "an operation can be waited for, and stays done" => many::long_poll;
    "parallel", "many are created at the same time" => many::parallel;
    "same-id", "of many concurrent creations of the same id one succeeds" => many::same_id;
    "clean", "nothing is left behind" => many::clean;
    "rules", "every response has the version and is JSON, and every error is a problem" => rules::kept;
};

/// Tests an adapter. This takes as long as the adapter does. If it does not describe itself, nothing more is
/// tested. Dropping the future leaves the resources that it has created.
pub async fn run(
    transport: Rc<dyn Transport>,
    caller: Caller,
    timer: Rc<dyn Timer>,
    options: Options,
) -> Report {
    let only = options.only.clone();
    let bench = Bench::new(transport, caller, timer, options);
    let mut checks: Vec<Checked> = Vec::new();
    for check in CHECKS.iter().filter(|check| only.is_empty() || only.iter().any(|id| id == check.id)) {
        bench.begin(check.id);
        let verdict = match reason_to_stop(&bench, &checks) {
            Some(why) => Err(Stop::NotRun(why.into())),
            None => (check.run)(&bench).await,
        };
        bench.tidy().await;
        checks.push(Checked::new(check.id, check.title, verdict, bench.lines()));
    }
    bench.report(checks)
}

/// The reason not to run the remaining checks: no response ever comes, or the server is not an adapter.
fn reason_to_stop(bench: &Bench, done: &[Checked]) -> Option<&'static str> {
    let is_no_adapter = done.iter().any(|it| it.id == "describe") && !bench.is_described();
    match bench.answers() {
        0 if !done.is_empty() => Some("there was never a response"),
        _ if is_no_adapter => Some("it does not describe itself, so it is not an adapter"),
        _ => None,
    }
}

fn failed<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Failed(why.into()))
}

fn skipped<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Skipped(why.into()))
}

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Result<(), Stop> {
    if holds { Ok(()) } else { failed(why()) }
}

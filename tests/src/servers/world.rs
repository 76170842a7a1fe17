use std::{
    collections::BTreeMap,
    pin::Pin,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use api::{Problem, RegionStatus};
use http::Response;
use protocol::LocalFuture;
use regions::Deployment;
use serde_json::{Value as Json, json};
use services::Questions as _;
use store::{Clock, Millis};

use super::{
    Action, Setup, Step, Write, resources,
    run::{poll, run},
    server::Server,
    start::{Kept, Shared, opened, start},
    step,
    wire::Connections,
};
use crate::example::Inputs;

/// 2026-01-01T00:00:00Z, when time begins.
const BEGIN: i64 = 1_767_225_600_000;
/// The time that passes with each step, in milliseconds.
const SECOND: i64 = 1000;
/// The number of times that all servers find nothing to do until they have settled: a request of one of them may be about what
/// another one has replied before.
const QUIET: usize = 3;
/// The number of times that they do something; then they never settle.
const ROUNDS: usize = 500;
/// The number of pages of a list; then it never ends.
const PAGES: usize = 100;

#[derive(Debug)]
struct SteppedClock(AtomicI64);

impl Clock for SteppedClock {
    fn now(&self) -> Millis {
        Millis(self.0.load(Ordering::Relaxed))
    }
}

/// A request that has no response yet: its line, and the server that it was sent to.
struct Waiting {
    line: String,
    server: usize,
    responding: LocalFuture<Response<Vec<u8>>>,
}

/// All servers of a page.
pub(super) struct World {
    shared: Shared,
    kept: Vec<Kept>,
    servers: Vec<Server>,
    clock: Arc<SteppedClock>,
    /// The requests that wait for replies that are held.
    waiting: Vec<Waiting>,
}

impl World {
    pub(super) fn new(setup: Setup, inputs: &Inputs) -> Self {
        let deployments = deployments(&setup, inputs);
        let connections = Rc::new(Connections::new(deployments.clone()));
        let clock = Arc::new(SteppedClock(AtomicI64::new(BEGIN)));
        let kept: Vec<Kept> = setup.servers.iter().map(|_| Kept::default()).collect();
        let shared = Shared { setup, inputs: inputs.clone(), deployments, connections, clock: clock.clone() };
        let servers = kept.iter().enumerate().map(|(at, kept)| start(&shared, at, kept.clone()));
        let servers = servers.collect();
        Self { shared, kept, servers, clock, waiting: Vec::new() }
    }

    /// Takes a step, and returns what it shows.
    pub(super) fn take(&mut self, step: &Step) -> Json {
        self.clock.0.fetch_add(SECOND, Ordering::Relaxed);
        let at = step.server.unwrap_or_default();
        let shown = match &step.action {
            Action::Request(request) => self.request(&step.line, at, self.servers[at].respond(request)),
            Action::Join => {
                self.shared.connections.join(at);
                json!({"resumed": self.resume()})
            }
            Action::Pages(path) => json!({"responses": self.pages(at, path)}),
            Action::Transaction(writes) => json!({"responses": [response(&self.commit(at, writes))]}),
            Action::Status => {
                json!({"status": self.servers[at].api.region_status().map(|it| self.status(it))})
            }
            Action::Resources(prefix) => {
                json!({"resources": resources::all(&self.shared.setup, &self.servers, prefix)})
            }
            action => {
                self.act(at, action);
                json!({})
            }
        };
        json!({"line": step.line, "shown": shown})
    }

    /// Takes a step that is not shown.
    ///
    /// # Panics
    /// If a response is no success: the steps after it would show something else than they are for.
    pub(super) fn prepare(&mut self, step: &Step) {
        let taken = self.take(step);
        for response in taken["shown"]["responses"].as_array().into_iter().flatten() {
            assert_eq!(response["status"], 200, "{}: {}", step.line, response["body"]);
        }
    }

    /// Does what shows nothing.
    fn act(&mut self, at: usize, action: &Action) {
        match action {
            Action::Cut => self.shared.connections.cut(at),
            Action::Lose => self.shared.connections.lose(at),
            Action::Hold => self.shared.connections.hold(at),
            Action::Restart => self.restart(at),
            Action::Copy => drop(self.servers[at].copy()),
            Action::Work => drop(self.servers[at].work()),
            Action::Settle => self.settle(),
            Action::Wait(seconds) => drop(self.clock.0.fetch_add(seconds * SECOND, Ordering::Relaxed)),
            Action::Request(_)
            | Action::Join
            | Action::Pages(_)
            | Action::Transaction(_)
            | Action::Status
            | Action::Resources(_) => {}
        }
    }

    /// Ends a server with all that it is doing, and starts it with what its store has.
    fn restart(&mut self, at: usize) {
        self.waiting.retain(|it| it.server != at);
        self.servers[at] = start(&self.shared, at, self.kept[at].clone());
    }

    /// The response to a request, or that it waits.
    fn request(&mut self, line: &str, server: usize, mut responding: LocalFuture<Response<Vec<u8>>>) -> Json {
        match poll(Pin::new(&mut responding)) {
            Some(it) => json!({"responses": [response(&it)]}),
            None => {
                self.waiting.push(Waiting { line: line.to_owned(), server, responding });
                json!({"isWaiting": true})
            }
        }
    }

    /// The responses to requests that were waiting, each with the line of its request.
    fn resume(&mut self) -> Vec<Json> {
        let mut responses = Vec::new();
        for mut it in std::mem::take(&mut self.waiting) {
            match poll(Pin::new(&mut it.responding)) {
                Some(responded) => responses.push(json!({"line": it.line, "response": response(&responded)})),
                None => self.waiting.push(it),
            }
        }
        responses
    }

    fn settle(&mut self) {
        let mut quiet = 0;
        for _ in 0..ROUNDS {
            let mut is_changed = false;
            for server in &mut self.servers {
                is_changed |= server.work() | server.copy();
            }
            quiet = if is_changed { 0 } else { quiet + 1 };
            if quiet == QUIET {
                return;
            }
        }
        panic!("the servers do not settle");
    }

    /// The pages of a list.
    fn pages(&self, at: usize, path: &str) -> Vec<Json> {
        let (mut pages, mut token) = (Vec::new(), String::new());
        for _ in 0..PAGES {
            let separator = if path.contains('?') { '&' } else { '?' };
            let address = if token.is_empty() {
                path.to_owned()
            } else {
                format!("{path}{separator}pageToken={token}")
            };
            let page = run(self.servers[at].respond(&step::request(&format!("GET {address}"))));
            let body: Json = serde_json::from_slice(page.body()).unwrap_or_default();
            pages.push(response(&page));
            match body["nextPageToken"].as_str() {
                Some(next) => token = next.to_owned(),
                None => return pages,
            }
        }
        panic!("the list {path} has no end");
    }

    /// Commits writes in one transaction.
    fn commit(&self, at: usize, writes: &[Write]) -> Response<Vec<u8>> {
        let server = &self.servers[at];
        let mut transaction = server.api.begin(false);
        let mut write = |it: &Write| match it {
            Write::Create(kind, resource) => transaction.create(server.kind(kind), resource.clone()),
            Write::Update(kind, resource) => transaction.update(server.kind(kind), resource.clone()),
            Write::Delete(kind, name) => transaction.delete(server.kind(kind), name),
        };
        let written: Result<(), Problem> = writes.iter().try_for_each(&mut write);
        let committed = written.and_then(|()| transaction.commit());
        committed.map_or_else(|it| it.response(), |()| Response::new(b"{}".to_vec()))
    }

    /// The state of a region without revisions and times.
    fn status(&self, status: RegionStatus) -> Json {
        let copies = status.copies.into_iter().map(|it| {
            json!({"owner": it.owner.to_string(), "readsSnapshot": it.reads_snapshot, "error": it.error})
        });
        json!({
            "copies": copies.collect::<Vec<_>>(),
            "pendingRequests": status.pending_requests,
            "pendingWork": status.pending_work,
            "isOutdated": status.is_outdated,
        })
    }
}

/// The deployments of all servers, with their places.
fn deployments(setup: &Setup, inputs: &Inputs) -> BTreeMap<Deployment, usize> {
    let mut found = BTreeMap::new();
    for (at, own) in setup.servers.iter().enumerate() {
        let services = opened(own, inputs).services();
        for service in services.services.iter().filter(|it| !it.is_import) {
            let deployment = Deployment { service: service.name.clone(), region: (&*own.region).into() };
            assert_eq!(found.insert(deployment, at), None, "a service has one server in a region");
        }
    }
    found
}

fn response(response: &Response<Vec<u8>>) -> Json {
    json!({"status": response.status().as_u16(), "body": String::from_utf8_lossy(response.body())})
}

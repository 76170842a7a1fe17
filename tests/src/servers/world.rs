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
    server::{Server, Shared, opened},
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

/// All servers of a page.
pub(super) struct World {
    setup: Setup,
    servers: Vec<Server>,
    connections: Rc<Connections>,
    clock: Arc<SteppedClock>,
    /// The requests that wait for replies that are held, each with its line.
    waiting: Vec<(String, LocalFuture<Response<Vec<u8>>>)>,
}

impl World {
    pub(super) fn new(setup: &Setup, inputs: &Inputs) -> Self {
        let deployments = deployments(setup, inputs);
        let connections = Rc::new(Connections::new(deployments.clone()));
        let clock = Arc::new(SteppedClock(AtomicI64::new(BEGIN)));
        let shared = Shared {
            setup,
            deployments: &deployments,
            connections: connections.clone(),
            clock: clock.clone(),
        };
        let servers: Vec<_> = (0..setup.servers.len()).map(|at| Server::new(&shared, at, inputs)).collect();
        servers.iter().for_each(|it| connections.add(&it.api));
        Self { setup: setup.clone(), servers, connections, clock, waiting: Vec::new() }
    }

    /// Takes a step, and returns what it shows.
    pub(super) fn take(&mut self, step: &Step) -> Json {
        self.clock.0.fetch_add(SECOND, Ordering::Relaxed);
        let at = step.server.unwrap_or_default();
        let shown = match &step.action {
            Action::Request(request) => self.request(&step.line, self.servers[at].respond(request)),
            Action::Join => {
                self.connections.join(at);
                json!({"resumed": self.resume()})
            }
            Action::Pages(path) => json!({"responses": self.pages(at, path)}),
            Action::Transaction(writes) => json!({"responses": [response(&self.commit(at, writes))]}),
            Action::Status => {
                json!({"status": self.servers[at].api.region_status().map(|it| self.status(it))})
            }
            Action::Resources(prefix) => {
                json!({"resources": resources::all(&self.setup, &self.servers, prefix)})
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
            Action::Cut => self.connections.cut(at),
            Action::Lose => self.connections.lose(at),
            Action::Hold => self.connections.hold(at),
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

    /// The response to a request, or that it waits.
    fn request(&mut self, line: &str, mut responding: LocalFuture<Response<Vec<u8>>>) -> Json {
        match poll(Pin::new(&mut responding)) {
            Some(it) => json!({"responses": [response(&it)]}),
            None => {
                self.waiting.push((line.to_owned(), responding));
                json!({"isWaiting": true})
            }
        }
    }

    /// The responses to requests that were waiting, each with the line of its request.
    fn resume(&mut self) -> Vec<Json> {
        let mut responses = Vec::new();
        for (line, mut responding) in std::mem::take(&mut self.waiting) {
            match poll(Pin::new(&mut responding)) {
                Some(it) => responses.push(json!({"line": line, "response": response(&it)})),
                None => self.waiting.push((line, responding)),
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

//! A service in memory: its API, answered without a server.

use std::{
    pin::{Pin, pin},
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    task::{Context, Poll, Waker},
};

use access::StoreAccess;
use api::{Api, Reply};
use fields::schema::Schema;
use futures_core::Stream;
use http::{Request, Response, StatusCode};
use integrity::{Flags, MetadataPlugin, Plugins, ReadCache, Rules, Transactions, Usage};
use spec::Services;
use store::{Clock, Millis, Options, Store};
use workspace::{
    Workspace,
    view::{ProjectUsage, ServiceChange, ServiceOptions, ServiceRequest, ServiceResponse},
};

use crate::{
    Questions as _,
    commands::Held,
    session_ids::{ids, uuids},
    session_plugins::{self, ChangeLog},
    session_usage,
};

/// 2026-01-01T00:00:00Z, when time begins in a session.
const BEGIN: i64 = 1_767_225_600_000;
/// The time that passes with each request, in milliseconds.
const STEP: i64 = 1000;

/// The API of the services of a workspace over a store in memory.
///
/// The same requests get the same responses: time goes on by a second with each request and each command, or by more if it says
/// so, and ids and UUIDs are those of a sequence that a seed repeats.
#[derive(Debug)]
pub struct ServiceSession {
    api: Rc<Api>,
    services: Arc<Services>,
    schemas: Arc<Vec<Schema>>,
    clock: Arc<SessionClock>,
    log: ChangeLog,
    usage: Usage,
    cache: ReadCache,
    held: Held,
}

#[derive(Debug, Default)]
struct SessionClock(AtomicI64);

impl Clock for SessionClock {
    fn now(&self) -> Millis {
        Millis(BEGIN + STEP * self.0.load(Ordering::Relaxed))
    }
}

impl ServiceSession {
    /// An empty store with the API of the services that are not only imported; `None` if two versions of a service cannot be
    /// served together.
    pub fn open(workspace: &mut Workspace, options: &ServiceOptions) -> Option<Self> {
        let (services, schemas) = (workspace.services(), workspace.schemas());
        let rules = api::rules(&services, &schemas).ok()?;
        let (clock, log, usage) = (Arc::new(SessionClock::default()), ChangeLog::default(), Usage::default());
        let metadata = MetadataPlugin::new(uuids(options.seed));
        let cache = ReadCache::default();
        let plugins =
            session_plugins::plugins(metadata, &services, options, &log, &usage).then(cache.clone());
        let transactions = transactions(rules, plugins, flags(options), clock.clone())?;
        let ids = Rc::new(ids(options.seed));
        let api = Rc::new(Api::new(services.clone(), schemas.clone(), transactions, ids));
        Some(Self { api, services, schemas, clock, log, usage, cache, held: Held::default() })
    }

    /// The response to a request. Of a stream it is the part that is available at once. The work that deletions leave for later
    /// is done before the next request.
    pub fn send(&self, request: &ServiceRequest) -> ServiceResponse {
        self.advance(request.wait_seconds);
        let response = self.respond(request);
        session_usage::record(self, request, &response);
        ServiceResponse { changes: self.take_changes(), ..response }
    }

    /// Access to the resources without HTTP.
    pub fn access(&self) -> StoreAccess {
        StoreAccess::new(self.api.clone(), self.services.clone())
    }

    /// The services, the imported ones too.
    pub const fn services(&self) -> &Arc<Services> {
        &self.services
    }

    /// The messages of each service, at its place.
    pub const fn schemas(&self) -> &Arc<Vec<Schema>> {
        &self.schemas
    }

    /// The changes of resources since they were last taken; none if the service was opened without `changes`.
    pub fn take_changes(&self) -> Vec<ServiceChange> {
        self.log.take()
    }

    /// The usage of projects, in order of their ids.
    pub fn usage(&self) -> Vec<ProjectUsage> {
        session_usage::view(&self.usage)
    }

    /// Lets a second pass, and some more; then does what deletions left for later.
    pub fn advance(&self, seconds: u32) {
        self.clock.0.fetch_add(1 + i64::from(seconds), Ordering::Relaxed);
        while self.api.work() {}
    }

    pub(crate) const fn api(&self) -> &Rc<Api> {
        &self.api
    }

    pub(crate) const fn counters(&self) -> &Usage {
        &self.usage
    }

    pub(crate) const fn cache(&self) -> &ReadCache {
        &self.cache
    }

    /// The transactions, watchers and readers that commands have left open.
    pub(crate) const fn held(&self) -> &Held {
        &self.held
    }

    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    pub(crate) fn respond(&self, request: &ServiceRequest) -> ServiceResponse {
        let mut builder = Request::builder().method(&*request.method).uri(&*request.path);
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        let Ok(request) = builder.body(request.body.clone().into_bytes()) else {
            return ServiceResponse { status: 400, ..ServiceResponse::default() };
        };
        view(whole(self.api.answer(request)))
    }
}

/// A reply without waiting: of a stream the part that is available at once, and 501 for hooks, which a service in memory has
/// none of.
pub(crate) fn whole(reply: Reply) -> Response<Vec<u8>> {
    match reply {
        Reply::Whole(response) => response,
        Reply::Stream(response) => response.map(available),
        Reply::Long(response) => response.map(|it| made(it.text)),
        Reply::Later(_) => {
            let mut response = Response::new(Vec::new());
            *response.status_mut() = StatusCode::NOT_IMPLEMENTED;
            response
        }
    }
}

/// The result of a future that waits for nothing: the service is in this process. `None` if it waits.
pub fn now<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(it) => Some(it),
        Poll::Pending => None,
    }
}

/// An API over an empty store of all services, the imported ones too; `None` if there is no store.
pub(crate) fn api_of_all(services: &Arc<Services>, schemas: &Arc<Vec<Schema>>) -> Option<Api> {
    let rules = api::rules_of_all(services, schemas);
    let plugins = Plugins::new(MetadataPlugin::new(uuids(0)));
    let transactions = transactions(rules, plugins, Flags::default(), Arc::new(SessionClock::default()))?;
    Some(Api::new(services.clone(), schemas.clone(), transactions, Rc::new(ids(0))))
}

/// Of an empty store.
fn transactions(
    rules: Rules,
    plugins: Plugins,
    flags: Flags,
    clock: Arc<SessionClock>,
) -> Option<Transactions> {
    let options = Options { number: Some(1), ..Options::default() };
    let store = Store::new(options, clock, None).ok()?;
    Some(Transactions::new(store, rules, plugins, flags))
}

fn flags(options: &ServiceOptions) -> Flags {
    Flags {
        strict_naming: !options.lenient_naming,
        avoid_creation_override: !options.override_on_creation,
        allow_not_found_on_deletion: options.allow_missing_on_deletion,
        ..Flags::default()
    }
}

/// The body that a future makes in pieces, without other requests in between.
fn made(mut text: Pin<Box<dyn Future<Output = Vec<u8>>>>) -> Vec<u8> {
    loop {
        if let Poll::Ready(text) = text.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return text;
        }
    }
}

/// The parts of a stream that are available without waiting.
fn available(mut stream: Pin<Box<dyn Stream<Item = Vec<u8>>>>) -> Vec<u8> {
    let (mut body, mut context) = (Vec::new(), Context::from_waker(Waker::noop()));
    while let Poll::Ready(Some(part)) = stream.as_mut().poll_next(&mut context) {
        body.extend(part);
    }
    body
}

fn view(response: Response<Vec<u8>>) -> ServiceResponse {
    let (head, body) = response.into_parts();
    let text = |it: &http::HeaderValue| it.to_str().unwrap_or_default().to_owned();
    ServiceResponse {
        status: head.status.as_u16(),
        headers: head.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect(),
        body: String::from_utf8(body).unwrap_or_default(),
        changes: Vec::new(),
    }
}

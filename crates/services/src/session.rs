//! A service in memory: its API, answered without a server.

use std::{
    cell::Cell,
    pin::Pin,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    task::{Context, Poll, Waker},
};

use api::{Api, Reply};
use fields::schema::Schema;
use futures_core::Stream;
use http::{Request, Response};
use integrity::{Flags, MetadataPlugin, Plugins, Rules, Transactions};
use spec::Services;
use store::{Clock, Millis, Options, Store};
use workspace::{
    Workspace,
    view::{ServiceOptions, ServiceRequest, ServiceResponse},
};

use crate::{
    Questions as _,
    session_plugins::{self, ChangeLog},
};

/// 2026-01-01T00:00:00Z, when time begins in a session.
const BEGIN: i64 = 1_767_225_600_000;
/// How far time goes with each request.
const STEP: i64 = 1000;

/// The API of the services of a workspace over a store in memory.
///
/// The same requests get the same responses: time goes on by a second with each request, or by more if it says so, and ids and UUIDs are those of a
/// fixed sequence.
#[derive(Debug)]
pub struct ServiceSession {
    api: Rc<Api>,
    clock: Arc<SessionClock>,
    log: ChangeLog,
}

#[derive(Debug, Default)]
struct SessionClock(AtomicI64);

impl Clock for SessionClock {
    fn now(&self) -> Millis {
        Millis(BEGIN + STEP * self.0.load(Ordering::Relaxed))
    }
}

impl ServiceSession {
    /// An empty store with the API of the services that are not only imported; `None` if a service is given in two
    /// versions.
    pub fn open(workspace: &mut Workspace, options: &ServiceOptions) -> Option<Self> {
        let (services, schemas) = (workspace.services(), workspace.schemas());
        let rules = api::rules(&services, &schemas).ok()?;
        let (clock, log) = (Arc::new(SessionClock::default()), ChangeLog::default());
        let plugins = session_plugins::plugins(MetadataPlugin::new(uuids()), &services, options, &log);
        let api = api(services, schemas, rules, plugins, clock.clone())?;
        Some(Self { api: Rc::new(api), clock, log })
    }

    /// The response to a request. Of a stream it is what is there at once. What deletions leave for later is done before the
    /// next request.
    pub fn send(&self, request: &ServiceRequest) -> ServiceResponse {
        self.clock.0.fetch_add(1 + i64::from(request.wait_seconds), Ordering::Relaxed);
        while self.api.work() {}
        let response = self.respond(request);
        ServiceResponse { changes: self.log.take(), ..response }
    }

    fn respond(&self, request: &ServiceRequest) -> ServiceResponse {
        let mut builder = Request::builder().method(&*request.method).uri(&*request.path);
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        let Ok(request) = builder.body(request.body.clone().into_bytes()) else {
            return ServiceResponse { status: 400, ..ServiceResponse::default() };
        };
        match self.api.answer(request) {
            Reply::Whole(response) => view(response),
            Reply::Stream(response) => view(response.map(available)),
            Reply::Later(_) => ServiceResponse { status: 501, ..ServiceResponse::default() },
        }
    }
}

/// An API over an empty store of all services, the imported ones too; `None` if there is no store.
pub(crate) fn api_of_all(services: &Arc<Services>, schemas: &Arc<Vec<Schema>>) -> Option<Api> {
    let rules = api::rules_of_all(services, schemas);
    let plugins = Plugins::new(MetadataPlugin::new(uuids()));
    api(services.clone(), schemas.clone(), rules, plugins, Arc::new(SessionClock::default()))
}

fn api(
    services: Arc<Services>,
    schemas: Arc<Vec<Schema>>,
    rules: Rules,
    plugins: Plugins,
    clock: Arc<SessionClock>,
) -> Option<Api> {
    let options = Options { number: Some(1), ..Options::default() };
    let store = Store::new(options, clock, None).ok()?;
    let transactions = Transactions::new(store, rules, plugins, Flags::default());
    Some(Api::new(services, schemas, transactions, Rc::new(ids())))
}

/// What a stream has without waiting.
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

/// Random numbers of a fixed sequence (SplitMix64).
fn ids() -> impl Fn() -> u64 {
    let state = Cell::new(0_u64);
    move || {
        state.set(state.get().wrapping_add(0x9e37_79b9_7f4a_7c15));
        mix(state.get())
    }
}

const fn mix(mut number: u64) -> u64 {
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// UUIDs of a fixed sequence, of the form of version 4.
fn uuids() -> impl Fn() -> String + Send + Sync {
    let count = AtomicU64::new(0);
    move || {
        let seed = count.fetch_add(2, Ordering::Relaxed);
        let (high, low) = (mix(seed.wrapping_add(1)), mix(seed.wrapping_add(2)));
        let (high, low) = (high & !0xf000 | 0x4000, low & !(0b11 << 62) | (0b10 << 62));
        format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xffff,
            low >> 48,
            low & 0xffff_ffff_ffff
        )
    }
}

//! A simulator behind a real server on the loopback, engines that reach it over sockets, and the faults
//! between them.

use std::{cell::Cell, cell::RefCell, collections::BTreeMap, rc::Rc, time::Duration};

use adapter::{
    Deliver, Delivered, Faults, Faulty, Limits, MemoryLedger, Service, Setup as ServiceSetup, Simulator,
    SimulatorConfig,
};
use http::{Request, Response};
use planloom_host::{AdapterHandler, HttpTransport, Listener, Loopback, Server, TransportOptions, spawn};
use protocol::{Answer, Caller, LocalFuture, Problem, Token, Transport, TransportError, receive};
use state::{Backend, MemoryBackend};
use tokio::net::TcpSocket;
use workspace::{
    File, PlanOptions, Workspace,
    engine::{
        ApplyOptions, Connection, Credentials, Engine, EngineError, Event, FormerAdapters, Planned, Report,
        Route, Settings, Setup,
    },
};

use super::timer::CappedTimer;

/// The token of the adapter.
pub(crate) const TOKEN: &str = "right-0123456789abcdef";

/// Everything that outlives an engine.
pub(crate) struct Scene {
    pub(crate) simulator: Simulator,
    pub(crate) faults: Faults,
    pub(crate) meddler: Meddler,
    pub(crate) wire: Wire,
    pub(crate) backend: MemoryBackend,
    pub(crate) settings: Settings,
    pub(crate) token: Option<Token>,
    pub(crate) credentials: Option<Rc<Credentials>>,
    pub(crate) reported: Rc<RefCell<Vec<Event>>>,
    pub(crate) server: Server,
    timer: Rc<CappedTimer>,
    drawn: Rc<Cell<u64>>,
}

impl Scene {
    pub(crate) async fn new() -> Self {
        Self::with(SimulatorConfig::default(), Limits::default()).await
    }

    pub(crate) async fn with(config: SimulatorConfig, limits: Limits) -> Self {
        Self::behind(Some(TOKEN), config, limits).await
    }

    /// A scene that requires that token, or none.
    pub(crate) async fn behind(token: Option<&str>, config: SimulatorConfig, limits: Limits) -> Self {
        let timer = CappedTimer::new();
        let simulator = Simulator::new(timer.clone(), config);
        let setup = ServiceSetup {
            ledger: Box::new(MemoryLedger::default()),
            timer: timer.clone(),
            spawn: spawn(),
            token: token.map(Into::into),
            base: String::new(),
        };
        let description = Simulator::description(&["service", "network"]);
        let service = Service::new(description, simulator.clone(), setup).unwrap().with_limits(limits);
        let faults = Faults::new();
        let faulty = Faulty::new(Rc::new(service), faults.clone(), timer.clone(), "");
        let meddler = Meddler::new(Rc::new(faulty));
        let listener = Listener::bind(Loopback::V4, 0).await.unwrap();
        let guard = listener.guard();
        let handler = Rc::new(AdapterHandler::new(Rc::new(meddler.clone())));
        let server = listener.serve(handler, guard, planloom_host::Limits::default());
        Self {
            simulator,
            faults,
            meddler,
            wire: Wire::new(),
            backend: MemoryBackend::default().recording_commits(),
            settings: quick(),
            token: Token::new(TOKEN),
            credentials: None,
            reported: Rc::default(),
            server,
            timer,
            drawn: Rc::default(),
        }
    }

    pub(crate) fn engine(&self, yaml: &str, destroy: bool) -> Engine {
        self.engine_at(self.server.origin(), yaml, destroy)
    }

    pub(crate) fn engine_at(&self, base: &str, yaml: &str, destroy: bool) -> Engine {
        let caller = Caller::new(base, self.token.clone()).unwrap();
        // Two routes to one adapter.
        let route = |kind: Option<&str>| {
            let transport: Rc<dyn Transport> = Rc::new(self.wire.clone());
            let (name, credentials) = ("simulator".to_owned(), self.credentials.clone());
            let connection = Connection { name, transport, caller: caller.clone(), credentials };
            Route { kind: kind.map(Into::into), connection }
        };
        let mut workspace = Workspace::new();
        workspace.set_files(vec![File { name: "app.yaml".into(), text: yaml.into(), package: None }]);
        let drawn = self.drawn.clone();
        let engine = Engine::new(Setup {
            planner: workspace.deployment(&PlanOptions { destroy, ..PlanOptions::default() }),
            backend: Rc::new(self.backend.clone()),
            routes: vec![route(Some("network")), route(None)],
            former: FormerAdapters::default(),
            timer: self.timer.clone(),
            clock: self.timer.clock(),
            random: Rc::new(move || {
                drawn.set(drawn.get() + 1);
                u128::from(drawn.get()).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).to_be_bytes()
            }),
            who: "test".into(),
            settings: self.settings.clone(),
        });
        let reported = self.reported.clone();
        engine.subscribe(move |event| reported.borrow_mut().push(event.clone()));
        engine
    }

    /// Opens, plans, applies, closes.
    pub(crate) async fn apply(&self, yaml: &str) -> Result<Report, EngineError> {
        self.apply_plan(&self.engine(yaml, false), ApplyOptions::default()).await
    }

    pub(crate) async fn destroy(&self, yaml: &str) -> Result<Report, EngineError> {
        self.apply_plan(&self.engine(yaml, true), ApplyOptions::default()).await
    }

    pub(crate) async fn apply_plan(
        &self,
        engine: &Engine,
        terms: ApplyOptions,
    ) -> Result<Report, EngineError> {
        let running = start(engine);
        let done = open_and_apply(engine, terms).await;
        engine.stop();
        running.await.unwrap();
        done
    }

    /// A plan of the existing resources, without the lock of the state.
    pub(crate) async fn plan(&self, yaml: &str) -> Result<Planned, EngineError> {
        let engine = self.engine(yaml, false);
        let running = start(&engine);
        engine.inspect().await?;
        let planned = engine.plan(true).await;
        engine.stop();
        running.await.unwrap();
        planned
    }

    /// The calls that were executed, without reads: `create made`.
    pub(crate) fn carried(&self) -> Vec<String> {
        self.simulator.journal().iter().map(|it| format!("{} {}", it.verb, it.outcome)).collect()
    }

    pub(crate) async fn state(&self) -> state::Snapshot {
        self.backend.load().await.unwrap().unwrap_or_else(|| state::Snapshot::new("", ""))
    }

    /// Clears the records of requests and executed calls.
    pub(crate) fn forget(&self) {
        self.wire.0.sent.borrow_mut().clear();
        self.simulator.clear_journal();
        self.reported.borrow_mut().clear();
    }
}

/// Settings without delays.
pub(crate) fn quick() -> Settings {
    Settings {
        call_timeout: Duration::from_secs(4),
        step_timeout: Duration::from_secs(8),
        tries: 3,
        backoff_first: Duration::from_millis(4),
        backoff_last: Duration::from_millis(16),
        ready_first: Duration::from_millis(5),
        ready_last: Duration::from_millis(20),
        ..Settings::default()
    }
}

pub(crate) fn start(engine: &Engine) -> tokio::task::JoinHandle<()> {
    let engine = engine.clone();
    tokio::task::spawn_local(async move { engine.run().await.unwrap() })
}

async fn open_and_apply(engine: &Engine, terms: ApplyOptions) -> Result<Report, EngineError> {
    engine.open("apply").await?;
    let report = match engine.plan(true).await {
        Ok(planned) => engine.apply(&planned.digest, terms).await,
        Err(error) => Err(error),
    };
    engine.close().await?;
    report
}

/// A request as it was sent.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) key: Option<String>,
    pub(crate) authorization: Option<String>,
}

/// The real transport, with a record of requests, and requests that are redirected to a closed port.
#[derive(Clone)]
pub(crate) struct Wire(Rc<Inner>);

struct Inner {
    http: HttpTransport,
    sent: RefCell<Vec<Sent>>,
    /// The number of requests to redirect, by method.
    nowhere: RefCell<BTreeMap<&'static str, u32>>,
    /// Bound by the test, so that no other program gets the port; connections are refused, because nothing
    /// listens.
    closed: TcpSocket,
}

impl Wire {
    fn new() -> Self {
        let http = HttpTransport::new(TransportOptions::default()).unwrap();
        let closed = TcpSocket::new_v4().unwrap();
        closed.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self(Rc::new(Inner { http, sent: RefCell::default(), nowhere: RefCell::default(), closed }))
    }

    pub(crate) fn sent(&self) -> Vec<Sent> {
        self.0.sent.borrow().clone()
    }

    /// The number of attempts of each write, by key, in order.
    pub(crate) fn writes(&self) -> Vec<usize> {
        let mut keys: Vec<(String, usize)> = Vec::new();
        for key in self.sent().into_iter().filter_map(|it| it.key) {
            match keys.iter_mut().find(|it| it.0 == key) {
                Some(known) => known.1 += 1,
                None => keys.push((key, 1)),
            }
        }
        keys.into_iter().map(|it| it.1).collect()
    }

    /// Connections are refused for the next requests of a method.
    pub(crate) fn cut_off(&self, method: &'static str, times: u32) {
        self.0.nowhere.borrow_mut().insert(method, times);
    }

    fn is_cut_off(&self, method: &str) -> bool {
        let mut nowhere = self.0.nowhere.borrow_mut();
        let Some(left) = nowhere.get_mut(method).filter(|it| **it > 0) else { return false };
        *left -= 1;
        true
    }
}

impl Transport for Wire {
    fn send(&self, mut request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let text = |name: &str| request.headers().get(name).map(|it| it.to_str().unwrap().to_owned());
        self.0.sent.borrow_mut().push(Sent {
            method: request.method().to_string(),
            path: request.uri().path().to_owned(),
            key: text("idempotency-key"),
            authorization: text("authorization"),
        });
        if self.is_cut_off(request.method().as_str()) {
            let closed = self.0.closed.local_addr().unwrap();
            *request.uri_mut() = format!("http://{closed}/").parse().unwrap();
        }
        self.0.http.send(request)
    }
}

/// A response in place of another one.
type Says = Box<dyn Fn(Option<Response<Vec<u8>>>) -> Response<Vec<u8>>>;

struct Rule {
    call: &'static str,
    /// The number of calls to skip first.
    skip: u32,
    times: u32,
    /// True if the call is executed all the same.
    done: bool,
    says: Says,
}

/// Answers some calls in place of the service.
#[derive(Clone)]
pub(crate) struct Meddler {
    inner: Rc<dyn Deliver>,
    rules: Rc<RefCell<Vec<Active>>>,
}

struct Active {
    rule: Rc<Rule>,
    skip: u32,
    left: u32,
}

impl Meddler {
    fn new(inner: Rc<dyn Deliver>) -> Self {
        Self { inner, rules: Rc::default() }
    }

    /// Responds in place of a call.
    pub(crate) fn instead(
        &self,
        call: &'static str,
        times: u32,
        says: impl Fn() -> Response<Vec<u8>> + 'static,
    ) {
        self.rule(Rule { call, skip: 0, times, done: false, says: Box::new(move |_| says()) });
    }

    /// Responds after a call was executed.
    pub(crate) fn after(
        &self,
        call: &'static str,
        times: u32,
        says: impl Fn(Response<Vec<u8>>) -> Response<Vec<u8>> + 'static,
    ) {
        let says = move |response: Option<Response<Vec<u8>>>| says(response.unwrap());
        self.rule(Rule { call, skip: 0, times, done: true, says: Box::new(says) });
    }

    fn rule(&self, rule: Rule) {
        let (skip, left) = (rule.skip, rule.times);
        self.rules.borrow_mut().push(Active { rule: Rc::new(rule), skip, left });
    }

    /// Responds with a problem in place of a call.
    pub(crate) fn refuse(&self, call: &'static str, times: u32, problem: impl Fn() -> Problem + 'static) {
        self.instead(call, times, move || Answer::from(problem()).into_response());
    }

    /// Responds with a problem in place of the second call.
    pub(crate) fn refuse_second(&self, call: &'static str, problem: Problem) {
        let says = move |_| Answer::from(problem.clone()).into_response();
        self.rule(Rule { call, skip: 1, times: 1, done: false, says: Box::new(says) });
    }

    pub(crate) fn clear(&self) {
        self.rules.borrow_mut().clear();
    }

    fn next(&self, call: &str) -> Option<Rc<Rule>> {
        let mut rules = self.rules.borrow_mut();
        let rule = rules.iter_mut().find(|it| it.left > 0 && it.rule.call == call)?;
        if rule.skip > 0 {
            rule.skip -= 1;
            return None;
        }
        rule.left -= 1;
        Some(rule.rule.clone())
    }
}

impl Deliver for Meddler {
    fn deliver(&self, request: Request<Vec<u8>>) -> LocalFuture<Delivered> {
        let call = receive("", &request).ok().map(|it| it.call.endpoint().as_str());
        let rule = call.and_then(|call| self.next(call));
        let this = self.clone();
        Box::pin(async move {
            let Some(rule) = rule else { return this.inner.deliver(request).await };
            let response = if rule.done { Some(this.inner.deliver(request).await.response) } else { None };
            Delivered::complete((rule.says)(response))
        })
    }
}

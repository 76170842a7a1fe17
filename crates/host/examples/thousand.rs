//! Measures the cost of applying many resources: the number of requests, of requests at a time, and memory.
//!
//! `cargo run --release -p planloom-host --example thousand`
//!
//! Each line is measured in a process of its own, so that it has its own memory: 1,000 resources through a
//! real server on the loopback, and 1,000 and 10,000 through a simulator in the same process.
//!
//! `thousand bench` prints the cost of 1,000 resources beside that of the bare requests, as JSON for
//! `cargo xtask bench`.

#![expect(clippy::print_stdout, reason = "it is there to print")]

use std::{
    cell::{Cell, RefCell},
    env,
    process::Command,
    rc::Rc,
    time::{Duration, Instant},
};

use adapter::{
    Deliver, LocalTransport, MemoryLedger, Service, Setup as ServiceSetup, Simulator, SimulatorConfig,
};
use planloom_host::{
    AdapterHandler, HttpTransport, Limits, Listener, Loopback, Server, SystemTimer, TransportOptions, run,
    spawn,
};
use protocol::{Caller, LocalFuture, Transport, TransportError};
use serde_json::{Value as Json, json};
use state::MemoryBackend;
use workspace::{
    File, PlanOptions, Workspace,
    engine::{ApplyOptions, Connection, Engine, FormerAdapters, Report, Route, Settings, Setup},
};

type Failure = Box<dyn std::error::Error>;

/// The measurements: the place of the adapter, and the number of resources.
const RUNS: [(&str, usize); 4] =
    [("sockets", 1_000), ("in process", 1_000), ("in process", 5_000), ("in process", 10_000)];

fn main() -> Result<(), Failure> {
    let mut arguments = env::args().skip(1);
    match (arguments.next(), arguments.next()) {
        (Some(place), Some(count)) => return run(measure(&place, count.parse()?))?,
        (Some(_), None) => {
            println!("{}", run(bench())??);
            return Ok(());
        }
        (None, _) => {}
    }
    println!("adapter      resources  run             time  requests  at once  us/resource  peak MB");
    for (place, count) in RUNS {
        let child = Command::new(env::current_exe()?).args([place, &count.to_string()]).status()?;
        if !child.success() {
            return Err(format!("{place} with {count} resources failed").into());
        }
    }
    Ok(())
}

/// Everything that outlives an engine.
struct Scene {
    backend: MemoryBackend,
    transport: Rc<dyn Transport>,
    base: String,
    timer: Rc<SystemTimer>,
    /// Different engines must not generate the same key.
    random: Rc<dyn Fn() -> [u8; 16]>,
    _server: Option<Server>,
}

async fn scene(place: &str, latency: u32) -> Result<Scene, Failure> {
    let timer = SystemTimer::new();
    let setup = ServiceSetup {
        ledger: Box::new(MemoryLedger::default()),
        timer: timer.clone(),
        spawn: spawn(),
        token: None,
        base: String::new(),
    };
    let latency_ms = serde_json::from_value(json!({"create": latency}))?;
    let simulator =
        Simulator::new(timer.clone(), SimulatorConfig { latency_ms, ..SimulatorConfig::default() });
    let service = Service::new(Simulator::description(&["service", "network"]), simulator, setup)?;
    let service: Rc<dyn Deliver> = Rc::new(service);
    let backend = MemoryBackend::default();
    let drawn = Cell::new(0_u128);
    let random = Rc::new(move || {
        drawn.set(drawn.get().wrapping_add(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835));
        drawn.get().to_be_bytes()
    });
    if place != "sockets" {
        let transport = Rc::new(LocalTransport::new(service, timer.clone()));
        let base = "http://127.0.0.1:1".to_owned();
        return Ok(Scene { backend, transport, base, timer, random, _server: None });
    }
    let listener = Listener::bind(Loopback::V4, 0).await?;
    let (base, guard) = (listener.origin(), listener.guard());
    let server = listener.serve(Rc::new(AdapterHandler::new(service)), guard, Limits::default());
    let transport = Rc::new(HttpTransport::new(TransportOptions::default())?);
    Ok(Scene { backend, transport, base, timer, random, _server: Some(server) })
}

async fn measure(place: &str, count: usize) -> Result<(), Failure> {
    let scene = scene(place, 0).await?;
    for (name, tier, destroy) in
        [("create", 0, false), ("nothing to do", 0, false), ("change all", 1, false), ("destroy", 1, true)]
    {
        let engine = engine(&scene, &many(count, tier), destroy)?;
        let start = Instant::now();
        let report = apply(&engine).await?;
        let took = start.elapsed();
        let traffic = engine.traffic().remove("simulator").unwrap_or_default();
        if !report.ok {
            return Err(format!("{name}: {:?}", report.summary).into());
        }
        println!(
            "{place:<12} {count:>9}  {name:<13} {:>5} ms  {:>8}  {:>7}  {:>11}  {:>7}",
            took.as_millis(),
            traffic.requests,
            traffic.most_in_flight,
            took.as_micros() / count as u128,
            peak_mb(),
        );
    }
    Ok(())
}

fn many(count: usize, tier: u32) -> String {
    let service = |it| format!("  s{it}: {{payload: p, network: n{}, labels: {{t: \"{tier}\"}}}}\n", it % 10);
    let networks: String = (0..10).map(|it| format!("  n{it}: {{ip: 10.{it}.0.0/16}}\n")).collect();
    let services: String = (0..count - 10).map(service).collect();
    format!("payloads: {{p: {{runtime: vm}}}}\nnetworks:\n{networks}services:\n{services}")
}

fn engine(scene: &Scene, yaml: &str, destroy: bool) -> Result<Engine, Failure> {
    let mut workspace = Workspace::new();
    workspace.set_files(vec![File { name: "app.yaml".into(), text: yaml.into(), package: None }]);
    let caller = Caller::new(&scene.base, None).ok_or("no address")?;
    let transport = scene.transport.clone();
    let connection = Connection { name: "simulator".into(), transport, caller, credentials: None };
    Ok(Engine::new(Setup {
        planner: workspace.deployment(&PlanOptions { destroy, ..PlanOptions::default() }),
        backend: Rc::new(scene.backend.clone()),
        routes: vec![Route { kind: None, connection }],
        former: FormerAdapters::default(),
        timer: scene.timer.clone(),
        clock: scene.timer.clock(),
        random: scene.random.clone(),
        who: "thousand".into(),
        settings: Settings::default(),
    }))
}

async fn apply(engine: &Engine) -> Result<Report, Failure> {
    let running = engine.clone();
    let running = tokio::task::spawn_local(async move { running.run().await });
    let to_text = |error: workspace::engine::EngineError| error.to_string();
    engine.open("apply").await.map_err(to_text)?;
    let planned = engine.plan(true).await.map_err(to_text)?;
    let report = engine.apply(&planned.digest, ApplyOptions::default()).await.map_err(to_text)?;
    engine.close().await.map_err(to_text)?;
    engine.stop();
    running.await?.map_err(|error| format!("{error:?}"))?;
    Ok(report)
}

/// The cost of an engine that reads, plans, creates and records 1,000 resources, and the cost of a loop that
/// has the same requests and sends one after the other. The loop is the lower bound, not an equivalent
/// program.
async fn bench() -> Result<Json, Failure> {
    let mut rows = Vec::new();
    for (what, latency) in [("apply 1,000, in process", 0), ("apply 1,000 that take 5 ms each", 5)] {
        let (mut engine, mut bare, mut sent) = (Duration::MAX, Duration::MAX, 0);
        for _ in 0..3 {
            let (took, requests) = by_engine(latency).await?;
            sent = requests.len();
            engine = engine.min(took);
            bare = bare.min(in_a_loop(requests, latency).await?);
        }
        let ms = |it: Duration| it.as_secs_f64() * 1e3;
        rows.push(json!({"what": what, "engine": ms(engine), "loop": ms(bare), "requests": sent}));
    }
    Ok(rows.into())
}

type Request = http::Request<Vec<u8>>;

/// Records the requests.
struct Noting {
    inner: Rc<dyn Transport>,
    sent: Rc<RefCell<Vec<Request>>>,
}

impl Transport for Noting {
    fn send(&self, request: Request) -> LocalFuture<Result<http::Response<Vec<u8>>, TransportError>> {
        self.sent.borrow_mut().push(request.clone());
        self.inner.send(request)
    }
}

async fn by_engine(latency: u32) -> Result<(Duration, Vec<Request>), Failure> {
    let (inner, sent) = (scene("in process", latency).await?, Rc::new(RefCell::new(Vec::new())));
    let noting = Noting { inner: inner.transport.clone(), sent: sent.clone() };
    let scene = Scene { transport: Rc::new(noting), ..inner };
    let start = Instant::now();
    let report = apply(&engine(&scene, &many(1_000, 0), false)?).await?;
    if report.ok { Ok((start.elapsed(), sent.take())) } else { Err(format!("{:?}", report.summary).into()) }
}

async fn in_a_loop(requests: Vec<Request>, latency: u32) -> Result<Duration, Failure> {
    let scene = scene("in process", latency).await?;
    let start = Instant::now();
    for request in requests {
        let answer = scene.transport.send(request).await.map_err(|error| error.to_string())?;
        if !answer.status().is_success() {
            return Err(format!("refused: {}", answer.status()).into());
        }
    }
    Ok(start.elapsed())
}

/// The largest amount of memory that this process ever had; 0 if the system does not report it.
fn peak_mb() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    line.and_then(|it| it.trim().trim_end_matches(" kB").parse::<usize>().ok()).unwrap_or_default() >> 10
}

//! What it costs to carry out many resources: requests, how many at a time, and memory.
//!
//! `cargo run --release -p planloom-host --example thousand`
//!
//! Each line is a process of its own, so that its memory is its own: 1,000 resources through a real server on the
//! loopback, and 1,000 and 10,000 through a simulator in the same process.

#![expect(clippy::print_stdout, reason = "it is there to print")]

use std::{cell::Cell, env, process::Command, rc::Rc, time::Instant};

use adapter::{Deliver, Knobs, LocalTransport, MemoryLedger, Service, Setup as ServiceSetup, Simulator};
use planloom_host::{
    Delivering, HttpTransport, Limits, Listener, Loopback, Server, SystemTimer, TransportOptions, run, spawn,
};
use protocol::{Caller, Transport};
use state::MemoryBackend;
use workspace::{
    File, PlanOptions, Workspace,
    engine::{Connection, Engine, Report, Route, Settings, Setup, Terms},
};

type Failure = Box<dyn std::error::Error>;

/// What is measured: where the adapter is, and how many resources there are.
const RUNS: [(&str, usize); 4] =
    [("sockets", 1_000), ("in process", 1_000), ("in process", 5_000), ("in process", 10_000)];

fn main() -> Result<(), Failure> {
    let mut arguments = env::args().skip(1);
    if let (Some(place), Some(count)) = (arguments.next(), arguments.next()) {
        let count = count.parse()?;
        return run(measure(&place, count))?;
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
    /// No two engines give the same key.
    random: Rc<dyn Fn() -> [u8; 16]>,
    _server: Option<Server>,
}

async fn scene(place: &str) -> Result<Scene, Failure> {
    let timer = SystemTimer::new();
    let setup = ServiceSetup {
        ledger: Box::new(MemoryLedger::default()),
        timer: timer.clone(),
        spawn: spawn(),
        token: None,
        base: String::new(),
    };
    let simulator = Simulator::new(timer.clone(), Knobs::default());
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
    let server = listener.serve(Rc::new(Delivering::new(service)), guard, Limits::default());
    let transport = Rc::new(HttpTransport::new(TransportOptions::default())?);
    Ok(Scene { backend, transport, base, timer, random, _server: Some(server) })
}

async fn measure(place: &str, count: usize) -> Result<(), Failure> {
    let scene = scene(place).await?;
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
    let said = |trouble: workspace::engine::Trouble| trouble.to_string();
    engine.open("apply").await.map_err(said)?;
    let planned = engine.plan(true).await.map_err(said)?;
    let report = engine.apply(&planned.digest, Terms::default()).await.map_err(said)?;
    engine.close().await.map_err(said)?;
    engine.stop();
    running.await?.map_err(|error| format!("{error:?}"))?;
    Ok(report)
}

/// The most memory that this process ever had; 0 where the system does not say.
fn peak_mb() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    line.and_then(|it| it.trim().trim_end_matches(" kB").parse::<usize>().ok()).unwrap_or_default() >> 10
}

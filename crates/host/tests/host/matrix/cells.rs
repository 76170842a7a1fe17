//! One cell of the matrix: the change, the faults, and the result.

use std::{rc::Rc, time::Duration};

use adapter::{CallMatcher, Drift, Fault, FaultOrder, Limits, Order, OrderEffect, SimulatorConfig};
use protocol::{Answer, Code, Problem, Token};
use workspace::engine::{ApplyOptions, EngineError, Report, StepState};

use super::scene::Scene;

/// The call whose response has a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Create,
    Update,
    Destroy,
    Read,
}

/// The fault of the column's call.
#[derive(Clone)]
pub(crate) enum Wrong {
    /// On the way to the adapter, that many times: the call is not executed.
    Before(u32, Fault),
    /// On the way back, that many times: the call is executed.
    After(u32, Fault),
    /// The adapter responds with this problem that many times, and does nothing.
    Says(u32, Problem),
    /// The adapter responds with this problem to the second call.
    Second(Problem),
    /// The resource no longer exists by then, and the adapter reports this problem.
    Vanishes(Problem),
    /// The next read returns the previous state.
    OldRead,
    /// The adapter responds that many times with this status, and with a delay after which to retry.
    Later(u32, u16, u32),
    /// Connections to the port are refused that many times.
    Closed(u32),
    /// The resource in the simulator behaves like this.
    Order(OrderEffect),
    /// Reads fail afterwards, too.
    NoReads,
}

/// The conditions of a trial.
#[derive(Clone, Default)]
pub(crate) struct Trial {
    pub(crate) wrong: Vec<Wrong>,
    /// Responses are delayed by that many milliseconds, and are 202 before.
    pub(crate) slow: Option<u32>,
    /// Requests have a short timeout.
    pub(crate) hasty: bool,
    /// The number of attempts of a write depends on the duration: any number above one is shown as `many`.
    pub(crate) loose: bool,
    /// Steps have a short timeout.
    pub(crate) short: bool,
    pub(crate) allow_rebuild: bool,
    /// Another token can be requested.
    pub(crate) renews: bool,
}

/// Forever.
pub(crate) const EVER: u32 = u32::MAX;

fn yaml(tier: u32) -> String {
    format!(
        "meta: {{name: shop}}\npayloads: {{p: {{runtime: vm}}}}\nservices: {{db: {{payload: p, labels: {{tier: \"{tier}\"}}}}}}\n"
    )
}

/// The result:
/// `step; executed calls; resources; recorded resources; the journal; number of attempts of each write`.
pub(crate) async fn run(column: Column, trial: &Trial) -> String {
    let scene = scene(trial).await;
    if column != Column::Create {
        assert!(scene.apply(&yaml(0)).await.unwrap().ok);
        scene.forget();
    }
    inject(&scene, column, trial);
    let mut scene = scene;
    scene.settings = adjusted(column, trial, scene.settings);
    if trial.renews {
        scene.credentials = Some(Rc::new(|_| Box::pin(async { Token::new("another-0123456789abcdef") })));
    }
    let terms = ApplyOptions { allow_rebuild: trial.allow_rebuild, ..ApplyOptions::default() };
    let step = match column {
        Column::Read => read(&scene).await,
        _ => {
            let tier = u32::from(column == Column::Update);
            let engine = scene.engine(&yaml(tier), column == Column::Destroy);
            step(scene.apply_plan(&engine, terms).await)
        }
    };
    let outcome = format!("{step}; {}", after(&scene, trial).await);
    if let Err(why) = converges(scene, column).await {
        return format!("{outcome}; then {why}");
    }
    outcome
}

async fn scene(trial: &Trial) -> Scene {
    let Some(ms) = trial.slow else {
        return Scene::behind(None, SimulatorConfig::default(), Limits::default()).await;
    };
    let latency_ms = serde_json::from_value(serde_json::json!({"create": ms, "update": ms, "destroy": ms}));
    let config = SimulatorConfig { latency_ms: latency_ms.unwrap(), ..SimulatorConfig::default() };
    Scene::with(config, Limits { sync_wait_ms: 5, ..Limits::default() }).await
}

fn adjusted(
    column: Column,
    trial: &Trial,
    mut settings: workspace::engine::Settings,
) -> workspace::engine::Settings {
    if trial.hasty {
        settings.call_timeout = Duration::from_millis(700);
    }
    // Reads are repeated a fixed number of times, however short the step.
    if trial.short && column != Column::Read {
        settings.step_timeout = Duration::from_millis(800);
    }
    settings
}

fn inject(scene: &Scene, column: Column, trial: &Trial) {
    let (call, method) = match column {
        Column::Create => ("create", "PUT"),
        Column::Update => ("update", "PATCH"),
        Column::Destroy => ("destroy", "DELETE"),
        Column::Read => ("read", "GET"),
    };
    if column == Column::Read {
        // Resources are read one by one; batches are tested in `batches`.
        scene.meddler.after("describe", EVER, |mut response| {
            let text = String::from_utf8(std::mem::take(response.body_mut())).unwrap();
            *response.body_mut() = text.replace("batch_read", "batch_write").into_bytes();
            response
        });
    }
    for wrong in &trial.wrong {
        match wrong.clone() {
            Wrong::Before(times, fault) => {
                scene.faults.order(FaultOrder::before(CallMatcher::call(call).times(times), fault));
            }
            Wrong::After(times, fault) => {
                scene.faults.order(FaultOrder::after(CallMatcher::call(call).times(times), fault));
            }
            Wrong::Says(times, problem) => scene.meddler.refuse(call, times, move || problem.clone()),
            Wrong::Second(problem) => scene.meddler.refuse_second(call, problem),
            Wrong::Vanishes(problem) => {
                let simulator = scene.simulator.clone();
                scene.meddler.refuse(call, 1, move || {
                    simulator.drift(&Drift::Remove { address: "services.db".into() });
                    problem.clone()
                });
            }
            Wrong::OldRead => scene.meddler.after("read", 1, move |mut response| {
                if column == Column::Create {
                    return Answer::from(Problem::new(Code::NotFound, "not yet")).into_response();
                }
                let mut body: serde_json::Value = serde_json::from_slice(response.body()).unwrap();
                body["spec_hash"] = "sha256:0".into();
                *response.body_mut() = body.to_string().into_bytes();
                response
            }),
            Wrong::Later(times, status, seconds) => scene.meddler.instead(call, times, move || {
                let problem = Problem { status, ..Problem::default() };
                let mut response = Answer::from(problem).into_response();
                response.headers_mut().insert("retry-after", seconds.into());
                response
            }),
            Wrong::Closed(times) => scene.wire.cut_off(method, times),
            Wrong::Order(what) => scene.simulator.order(Order::new(CallMatcher::call(call), what)),
            Wrong::NoReads => {
                scene.faults.order(FaultOrder::before(CallMatcher::call("read"), Fault::Reset { after: 0 }))
            }
        }
    }
}

fn step(outcome: Result<Report, EngineError>) -> String {
    let report = match outcome {
        Ok(report) => report,
        Err(error) => return format!("error {}", error.code),
    };
    let step = report.steps.first().unwrap();
    match step.state {
        StepState::Done => "done".into(),
        state => {
            let code = step.error.as_ref().map(|it| it.code.as_ref()).unwrap_or_default();
            format!("{} {code}", format!("{state:?}").to_lowercase())
        }
    }
}

/// The plan of the existing resources.
async fn read(scene: &Scene) -> String {
    match scene.plan(&yaml(0)).await {
        Ok(planned) => {
            let acting = planned.plan.actions.iter().filter(|it| it.action.acts());
            let acting: Vec<_> = acting.map(|it| it.action.as_str()).collect();
            if acting.is_empty() { "seen".into() } else { format!("plans {}", acting.join("+")) }
        }
        Err(error) => format!("error {}", error.code),
    }
}

async fn after(scene: &Scene, trial: &Trial) -> String {
    let carried = scene.carried();
    let carried = if carried.is_empty() { "-".into() } else { carried.join("+") };
    let there: Vec<String> = scene.simulator.resources().iter().map(|it| tier(&it.actual)).collect();
    let there = if there.is_empty() { "gone".into() } else { format!("there {}", there.join("+")) };
    let state = scene.state().await;
    let recorded = state.resources.get("services.db").map_or_else(
        || "unrecorded".into(),
        |entry| {
            let tainted = if entry.tainted { " tainted" } else { "" };
            format!("{} {}{tainted}", entry.phase, tier(&entry.spec))
        },
    );
    let journal = if state.journal.is_empty() { "settled" } else { "open" };
    let times = |count: usize| if trial.loose && count > 1 { "many".into() } else { format!("{count}x") };
    let writes: Vec<String> = scene.wire.writes().into_iter().map(times).collect();
    let reads = scene.wire.sent().iter().filter(|it| it.path.starts_with("/v1/resources/")).count();
    let sent = if writes.is_empty() { format!("{reads}r") } else { writes.join("+") };
    format!("{carried}; {there}; {recorded}; {journal}; {sent}")
}

fn tier(spec: &serde_json::Map<String, serde_json::Value>) -> String {
    spec.get("labels").map_or("?", |it| it["tier"].as_str().unwrap_or("?")).to_owned()
}

/// After any fault, once there are no more faults, the next run must reach the desired state, create nothing
/// twice, and leave nothing behind.
async fn converges(mut scene: Scene, column: Column) -> Result<(), String> {
    scene.faults.clear();
    scene.meddler.clear();
    scene.simulator.clear_orders();
    for method in ["PUT", "PATCH", "DELETE", "GET"] {
        scene.wire.cut_off(method, 0);
    }
    scene.settings = super::scene::quick();
    let tier = u32::from(column == Column::Update);
    let report = match column {
        Column::Destroy => scene.destroy(&yaml(0)).await,
        _ => scene.apply(&yaml(tier)).await,
    };
    let report = report.map_err(|it| it.to_string())?;
    let state = scene.state().await;
    let there: Vec<String> = scene.simulator.resources().iter().map(|it| self::tier(&it.actual)).collect();
    let recorded: Vec<String> = state.resources.values().map(|it| self::tier(&it.spec)).collect();
    let expected = if column == Column::Destroy { vec![] } else { vec![tier.to_string()] };
    let is_well = report.ok && state.journal.is_empty() && scene.simulator.duplicates().is_empty();
    if !is_well || there != expected {
        return Err(format!("there {there:?}, journal {:?}, {report:#?}", state.journal));
    }
    if recorded == expected { Ok(()) } else { Err(format!("recorded {}", recorded.join("+"))) }
}

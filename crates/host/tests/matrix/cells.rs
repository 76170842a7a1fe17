//! One cell of the matrix: what is done to whom, what goes wrong, and what is there afterwards.

use std::{rc::Rc, time::Duration};

use adapter::{CallMatcher, Drift, Fault, FaultOrder, Limits, Order, OrderEffect, SimulatorConfig};
use protocol::{Answer, Code, Problem, Token};
use workspace::engine::{ApplyOptions, EngineError, Report, StepState};

use crate::scene::Scene;

/// Whose answer goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Create,
    Update,
    Destroy,
    Read,
}

/// What goes wrong at the column's call.
#[derive(Clone)]
pub(crate) enum Wrong {
    /// On the way to the adapter, so many times: the call is not carried out.
    Before(u32, Fault),
    /// On the way back, so many times: the call is carried out.
    After(u32, Fault),
    /// The adapter says this so many times, and does nothing.
    Says(u32, Problem),
    /// The adapter says this to the second call.
    Second(Problem),
    /// The thing is gone by then, and the adapter says so.
    Vanishes(Problem),
    /// The next read shows how things were before.
    OldRead,
    /// The adapter says so and so often that it is busy, and when to come again.
    Later(u32, u16, u32),
    /// Nobody listens at the port, so many times.
    Closed(u32),
    /// The real thing behaves so.
    Order(OrderEffect),
    /// Nobody can be asked afterwards either.
    NoReads,
}

/// How it is done.
#[derive(Clone, Default)]
pub(crate) struct Trial {
    pub(crate) wrong: Vec<Wrong>,
    /// Answers come only after so many milliseconds, and with 202 before.
    pub(crate) slow: Option<u32>,
    /// A request is given up soon.
    pub(crate) hasty: bool,
    /// How often a write is sent more than once depends on the time it takes: it counts as `many`.
    pub(crate) loose: bool,
    /// A step is given up soon.
    pub(crate) short: bool,
    pub(crate) allow_rebuild: bool,
    /// Another token can be had.
    pub(crate) renews: bool,
}

/// For ever.
pub(crate) const EVER: u32 = u32::MAX;

fn yaml(tier: u32) -> String {
    format!(
        "meta: {{name: shop}}\npayloads: {{p: {{runtime: vm}}}}\nservices: {{db: {{payload: p, labels: {{tier: \"{tier}\"}}}}}}\n"
    )
}

/// What came of it: `step; carried out; what is there; what is recorded; the journal; how often each write was sent`.
pub(crate) async fn run(column: Column, trial: &Trial) -> String {
    let scene = scene(trial).await;
    if column != Column::Create {
        assert!(scene.apply(&yaml(0)).await.unwrap().ok);
        scene.forget();
    }
    spoil(&scene, column, trial);
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
            step(scene.carry_out(&engine, terms).await)
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
    let knobs = SimulatorConfig { latency_ms: latency_ms.unwrap(), ..SimulatorConfig::default() };
    Scene::with(knobs, Limits { sync_wait_ms: 5, ..Limits::default() }).await
}

fn adjusted(
    column: Column,
    trial: &Trial,
    mut settings: workspace::engine::Settings,
) -> workspace::engine::Settings {
    if trial.hasty {
        settings.call_timeout = Duration::from_millis(700);
    }
    // What only asks is tried so many times, however short the step.
    if trial.short && column != Column::Read {
        settings.step_timeout = Duration::from_millis(800);
    }
    settings
}

fn spoil(scene: &Scene, column: Column, trial: &Trial) {
    let (call, method) = match column {
        Column::Create => ("create", "PUT"),
        Column::Update => ("update", "PATCH"),
        Column::Destroy => ("destroy", "DELETE"),
        Column::Read => ("read", "GET"),
    };
    if column == Column::Read {
        // Reads one by one; how many are read at once is in `batches`.
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
        Err(trouble) => return format!("error {}", trouble.code),
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

/// What a plan says of what is there.
async fn read(scene: &Scene) -> String {
    match scene.plan(&yaml(0)).await {
        Ok(planned) => {
            let acting = planned.plan.actions.iter().filter(|it| it.verb.acts());
            let acting: Vec<_> = acting.map(|it| it.verb.as_str()).collect();
            if acting.is_empty() { "seen".into() } else { format!("plans {}", acting.join("+")) }
        }
        Err(trouble) => format!("error {}", trouble.code),
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

/// Whatever happened: once nothing goes wrong any more, the next run brings everything to what is wanted, makes
/// nothing twice, and leaves nothing behind.
async fn converges(mut scene: Scene, column: Column) -> Result<(), String> {
    scene.faults.clear();
    scene.meddler.clear();
    scene.simulator.clear_orders();
    for method in ["PUT", "PATCH", "DELETE", "GET"] {
        scene.wire.cut_off(method, 0);
    }
    scene.settings = crate::scene::quick();
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

//! Adapters that violate the protocol: each ends in a clear error, has no effect elsewhere, and costs little.

use std::{cell::Cell, rc::Rc, time::Duration};

use adapter::{CallMatcher, Fault, FaultOrder};
use http::{Request, Response};
use planloom_host::{Limits, Listener, Loopback, Server, run};
use protocol::{Code, LocalFuture, MAX_BODY, Problem};
use serde_json::{Value as Json, json};
use workspace::engine::EngineError;

use super::{cells::EVER, scene::Scene};

const TWO: &str = "payloads: {p: {runtime: vm}}\nservices: {a: {payload: p}, b: {payload: p}}\n";

/// The error of an apply in which every response to a call has a fault.
async fn apply_error(scene: &Scene) -> EngineError {
    match scene.apply(TWO).await {
        Err(error) => error,
        Ok(report) => report.steps[0].error.clone().unwrap_or_else(|| panic!("{report:#?}")),
    }
}

fn json_body(status: u16, body: &Json) -> Response<Vec<u8>> {
    raw(status, "application/json", body.to_string())
}

fn raw(status: u16, media: &str, body: impl Into<Vec<u8>>) -> Response<Vec<u8>> {
    Response::builder().status(status).header("content-type", media).body(body.into()).unwrap()
}

fn changed(mut response: Response<Vec<u8>>, change: impl Fn(&mut Json)) -> Response<Vec<u8>> {
    let mut body = serde_json::from_slice(response.body()).unwrap();
    change(&mut body);
    *response.body_mut() = body.to_string().into_bytes();
    response
}

/// Each fault at the first request: nothing is begun.
#[test]
fn an_adapter_without_a_description_creates_nothing() {
    let faults = [
        (Fault::Huge, "engine/adapter-contract", "the response is too long"),
        (Fault::Endless, "engine/adapter-contract", "the response is too long"),
        (Fault::Silence, "engine/unreachable", "the request timed out"),
        (Fault::WrongType, "engine/adapter-contract", "it is not JSON but `text/html`"),
        (Fault::Malformed, "engine/adapter-contract", "malformed"),
        (Fault::Status { code: 500, retry_after: None }, "engine/unreachable", "the adapter failed"),
        (Fault::Status { code: 404, retry_after: None }, "engine/no-adapter", "no adapter at that address"),
    ];
    for (fault, code, message) in faults {
        run(async move {
            let mut scene = Scene::new().await;
            if fault == Fault::Silence {
                scene.settings.call_timeout = Duration::from_millis(100);
            }
            scene.faults.order(FaultOrder::after(CallMatcher::call("describe"), fault.clone()));
            let error = apply_error(&scene).await;
            assert_eq!(error.code, code, "{fault:?}: {error}");
            assert!(error.message.contains(message), "{fault:?}: {error}");
            assert!(scene.wire.writes().is_empty() && scene.state().await.journal.is_empty(), "{fault:?}");
        })
        .unwrap();
    }
}

#[test]
fn a_drop_at_a_time_is_no_answer() {
    run(async {
        let mut scene = Scene::new().await;
        scene.settings.call_timeout = Duration::from_millis(120);
        scene.meddler.after("describe", EVER, |mut response| {
            let drip = planloom_host::Fault::Drip { pause: Duration::from_millis(5) };
            response.extensions_mut().insert(drip);
            response
        });
        let error = apply_error(&scene).await;
        assert_eq!((&*error.code, error.passing), ("engine/unreachable", true), "{error}");
    })
    .unwrap();
}

#[test]
fn another_version_of_the_protocol_is_named() {
    run(async {
        let scene = Scene::new().await;
        scene.meddler.after("describe", EVER, |it| changed(it, |body| body["protocol"] = 2.into()));
        let error = apply_error(&scene).await;
        assert_eq!(error.code, "engine/other-version");
        assert!(error.message.contains("version 2") && error.help.contains("version 1"), "{error:?}");
        assert!(scene.wire.writes().is_empty());
    })
    .unwrap();
}

/// A server that counts requests.
async fn counting() -> (Server, Rc<Cell<u32>>) {
    let came = Rc::new(Cell::new(0));
    let count = came.clone();
    let handler = move |_: Request<Vec<u8>>| -> LocalFuture<Response<Vec<u8>>> {
        count.set(count.get() + 1);
        Box::pin(async { Response::new(b"{}".to_vec()) })
    };
    let listener = Listener::bind(Loopback::V4, 0).await.unwrap();
    let guard = listener.guard();
    (listener.serve(Rc::new(handler), guard, Limits::default()), came)
}

#[test]
fn redirects_are_not_followed() {
    run(async {
        let (other, came) = counting().await;
        for call in ["describe", "create", "batch_read", "read"] {
            let scene = Scene::new().await;
            if call == "batch_read" {
                assert!(scene.apply(TWO).await.unwrap().ok);
            }
            if call == "read" {
                scene.faults.order(FaultOrder::after(CallMatcher::call("create"), Fault::Reset { after: 0 }));
            }
            let to = format!("{}/v1/steal", other.origin());
            scene
                .faults
                .order(FaultOrder::after(CallMatcher::call(call), Fault::Redirect { to: to.clone() }));
            let error = apply_error(&scene).await;
            assert!(error.message.contains(&to) && error.message.contains("not followed"), "{error}");
            assert_eq!(came.get(), 0, "{call}");
        }
    })
    .unwrap();
}

/// Messages stay text: bounded, on one line, without characters that change the direction or colour of other
/// text.
#[test]
fn adapter_messages_are_plain_text() {
    run(async {
        let scene = Scene::new().await;
        let script =
            "<script>alert(1)</script>\u{1b}[31m\r\n\u{202e}evil\u{0}".to_owned() + &"x".repeat(3_000);
        scene.meddler.refuse("create", 1, move || {
            let problem =
                Problem { title: script.clone(), ..Problem::new(Code::InvalidSpec, script.clone()) };
            (0..1_000).fold(problem, |it, _| it.at(&script, &script))
        });
        let error = apply_error(&scene).await;
        assert_eq!(error.code, "adapter/invalid_spec");
        assert!(error.message.starts_with("<script>alert(1)</script> [31m"), "{}", error.message);
        assert_eq!(error.blames.len(), 100);
        let blamed = error.blames.iter().flat_map(|it| [&it.pointer, &it.detail]);
        for text in blamed.chain([&error.message]) {
            assert!(
                text.chars().count() <= 2_001
                    && !text.contains(|it: char| it.is_control() || it == '\u{202e}')
            );
        }
        scene.forget();
        scene.faults.order(FaultOrder::after(CallMatcher::default(), Fault::Html));
        assert!(scene.apply(TWO).await.unwrap().ok, "scripts in messages hurt nobody");
    })
    .unwrap();
}

#[test]
fn answers_about_others_are_not_taken() {
    run(async {
        for call in ["create", "read", "batch_read"] {
            let scene = Scene::new().await;
            if call != "create" {
                assert!(scene.apply(TWO).await.unwrap().ok);
                scene.forget();
            }
            if call == "read" {
                scene.faults.order(FaultOrder::after(CallMatcher::call("update"), Fault::Malformed));
            }
            scene.faults.order(FaultOrder::after(CallMatcher::call(call), Fault::OtherId));
            match call {
                // The resource itself is found by its id.
                "create" => assert!(scene.apply(TWO).await.unwrap().ok),
                "batch_read" => {
                    let error = apply_error(&scene).await;
                    assert_eq!(error.code, "engine/adapter-contract");
                    assert!(error.message.contains("another resource"), "{error}");
                }
                _ => {
                    let changed = TWO.replace("a: {payload: p}", "a: {payload: p, labels: {x: \"1\"}}");
                    let report = scene.apply(&changed).await.unwrap();
                    let step = report.steps.iter().find(|it| it.error.is_some()).unwrap();
                    assert_eq!(step.error.as_ref().unwrap().code, "engine/unknown");
                    assert_eq!(scene.state().await.journal.len(), 1);
                }
            }
            assert_eq!(scene.simulator.resources().len(), 2, "{call}");
        }
    })
    .unwrap();
}

/// Items and omissions of a batch. A resource that is only not mentioned is not considered missing.
#[test]
fn a_batch_says_of_each_whether_it_is_there() {
    let stranger = || json!({"kind": "service", "id": "zzzzzzzzzzzzzzzzzzzzzzzzzz", "phase": "active"});
    type Change = Box<dyn Fn(&mut Json)>;
    let changes: [(&str, Change, &str); 4] = [
        (
            "a stranger",
            Box::new(move |it| it["items"].as_array_mut().unwrap().push(stranger())),
            "another resource",
        ),
        ("nothing", Box::new(|it| *it = json!({"items": [], "missing": []})), "does not report whether"),
        ("one", Box::new(|it| drop(it["items"].as_array_mut().unwrap().pop())), "does not report whether"),
        ("no list", Box::new(|it| *it = json!({"items": 1})), "malformed"),
    ];
    for (name, change, message) in changes {
        run(async move {
            let scene = Scene::new().await;
            assert!(scene.apply(TWO).await.unwrap().ok);
            scene.forget();
            scene.meddler.after("batch_read", 1, move |it| changed(it, &change));
            let error = apply_error(&scene).await;
            assert_eq!(error.code, "engine/adapter-contract", "{name}");
            assert!(error.message.contains(message), "{name}: {error}");
            assert!(error.message.starts_with("adapter `simulator`"), "{name}: {error}");
            assert!(scene.wire.writes().is_empty() && scene.simulator.resources().len() == 2, "{name}");
        })
        .unwrap();
    }
}

/// A batch whose response would be too long is requested in halves.
#[test]
fn oversized_batches_are_split() {
    run(async {
        for refusal in [Some(Code::TooLarge), None] {
            let scene = Scene::new().await;
            assert!(scene.apply(TWO).await.unwrap().ok);
            scene.forget();
            match refusal {
                Some(code) => scene.meddler.refuse("batch_read", 1, move || Problem::new(code, "too many")),
                None => scene
                    .faults
                    .order(FaultOrder::after(CallMatcher::call("batch_read").times(1), Fault::Huge)),
            }
            let report = scene.apply(TWO).await.unwrap();
            assert!(report.ok && report.steps.is_empty());
            let batches = scene.wire.sent().iter().filter(|it| it.method == "POST").count();
            assert_eq!(batches, 3);
        }
    })
    .unwrap();
}

fn operation(done: bool, verb: &str, id: &str) -> Json {
    json!({"op": "o1", "verb": verb, "kind": "service", "id": id, "done": done,
        "progress": {"percent": 250, "message": "any minute now"}})
}

/// The id of the last `PUT`.
fn last_put_id(scene: &Scene) -> String {
    let put = scene.wire.sent().into_iter().rfind(|it| it.method == "PUT").unwrap();
    put.path.rsplit('/').next().unwrap().to_owned()
}

const ONE: &str = "payloads: {p: {runtime: vm}}\nservices: {a: {payload: p}}\n";

fn started(scene: &Scene, op: impl Fn(&str) -> Json + 'static) {
    let wire = scene.wire.clone();
    scene.meddler.instead("create", EVER, move || {
        let put = wire.sent().into_iter().rfind(|it| it.method == "PUT").unwrap();
        json_body(202, &op(put.path.rsplit('/').next().unwrap()))
    });
}

#[test]
fn an_operation_without_end_ends_with_the_step() {
    run(async {
        let mut scene = Scene::new().await;
        scene.settings.step_timeout = Duration::from_millis(300);
        started(&scene, |id| operation(false, "create", id));
        let wire = scene.wire.clone();
        scene.meddler.instead("operation", EVER, move || {
            let put = wire.sent().into_iter().rfind(|it| it.method == "PUT").unwrap();
            json_body(200, &operation(false, "create", put.path.rsplit('/').next().unwrap()))
        });
        let start = std::time::Instant::now();
        let report = scene.apply(ONE).await.unwrap();
        assert!(start.elapsed() < Duration::from_millis(2_000), "{:?}", start.elapsed());
        assert_eq!(report.steps[0].error.as_ref().unwrap().code, "engine/timeout");
        assert_eq!(scene.state().await.journal.len(), 1, "it may still come");
        let polls = scene.wire.sent().iter().filter(|it| it.path.starts_with("/v1/operations")).count();
        assert!(polls <= 300 / 5 + 2, "not without pause: {polls}");
        let shown = format!("{:?}", scene.reported.borrow());
        assert!(
            shown.contains("any minute now") && shown.contains("Some(100)"),
            "progress is reported, in bounds"
        );
        assert_eq!(last_put_id(&scene).len(), 26);
    })
    .unwrap();
}

/// The timeouts that an adapter declares are respected within limits.
#[test]
fn an_adapter_cannot_hold_a_step_for_ever() {
    run(async {
        let mut scene = Scene::new().await;
        scene.settings.step_longest = Duration::from_millis(200);
        let ages = json!({"create": u32::MAX, "update": u32::MAX, "destroy": u32::MAX});
        scene.meddler.after("describe", EVER, move |it| {
            let ages = ages.clone();
            changed(it, move |body| body["timeouts"] = ages.clone())
        });
        scene.meddler.refuse("create", EVER, || Problem::new(Code::OperationPending, "later"));
        let report = scene.apply(ONE).await.unwrap();
        assert_eq!(report.steps[0].error.as_ref().unwrap().code, "engine/unknown");
    })
    .unwrap();
}

#[test]
fn an_operation_about_something_else_is_not_followed() {
    let other = "zzzzzzzzzzzzzzzzzzzzzzzzzz";
    type Start = fn(&str) -> Json;
    let starts: [(&str, Start, Option<&str>, &str); 4] = [
        ("another id", |_| operation(false, "create", "zzzzzzzzzzzzzzzzzzzzzzzzzz"), None, "engine/unknown"),
        ("another verb", |id| operation(false, "destroy", id), None, "engine/unknown"),
        ("another later", |id| operation(false, "create", id), Some(other), "engine/unknown"),
        ("done without resource", |id| operation(true, "create", id), None, "engine/unknown"),
    ];
    for (name, start, later, code) in starts {
        run(async move {
            let scene = Scene::new().await;
            started(&scene, start);
            if let Some(id) = later {
                let id = id.to_owned();
                scene
                    .meddler
                    .instead("operation", EVER, move || json_body(200, &operation(true, "create", &id)));
            }
            let report = scene.apply(ONE).await.unwrap();
            assert_eq!(report.steps[0].error.as_ref().unwrap().code, code, "{name}: {report:#?}");
            assert_eq!((scene.wire.writes(), scene.state().await.journal.len()), (vec![3], 1), "{name}");
            assert!(scene.simulator.resources().is_empty());
        })
        .unwrap();
    }
}

/// An operation that is forgotten meanwhile: the created resource is found by its id.
#[test]
fn an_operation_that_is_forgotten_is_no_loss() {
    run(async {
        let latency_ms = serde_json::from_value(json!({"create": 60})).unwrap();
        let config = adapter::SimulatorConfig { latency_ms, ..adapter::SimulatorConfig::default() };
        let scene =
            Scene::with(config, adapter::Limits { sync_wait_ms: 5, ..adapter::Limits::default() }).await;
        scene.meddler.refuse("operation", EVER, || Problem::new(Code::NotFound, "no such operation"));
        assert!(scene.apply(ONE).await.unwrap().ok);
        assert_eq!((scene.simulator.call_counts().made, scene.wire.writes().len()), (1, 1));
    })
    .unwrap();
}

/// Lists with pages that never end, and with resources of others.
#[test]
fn a_list_that_goes_in_circles_is_an_error() {
    run(async {
        for (name, pages) in [("itself", &["a"][..]), ("a circle", &["a", "b", "c"])] {
            let scene = Scene::new().await;
            assert!(scene.apply(ONE).await.unwrap().ok);
            let at = Cell::new(0);
            scene.meddler.instead("list", EVER, move || {
                at.set(at.get() + 1);
                json_body(200, &json!({"items": [], "next": pages[at.get() % pages.len()]}))
            });
            let error = orphans(&scene).await.unwrap_err();
            assert_eq!(error.code, "engine/adapter-contract", "{name}");
            assert!(error.message.contains("leads back"), "{name}: {error}");
        }
    })
    .unwrap();
}

async fn orphans(scene: &Scene) -> Result<Vec<workspace::engine::Orphan>, EngineError> {
    let engine = scene.engine(ONE, false);
    engine.inspect().await.unwrap();
    engine.orphans().await
}

#[test]
fn a_list_without_end_is_an_error() {
    run(async {
        let mut scene = Scene::new().await;
        assert!(scene.apply(ONE).await.unwrap().ok);
        scene.settings.step_timeout = Duration::from_millis(200);
        let at = Cell::new(0);
        scene.meddler.instead("list", EVER, move || {
            at.set(at.get() + 1);
            json_body(200, &json!({"items": [], "next": format!("page {}", at.get())}))
        });
        let error = orphans(&scene).await.unwrap_err();
        assert!(error.message.contains("does not end"), "{error}");
    })
    .unwrap();
}

#[test]
fn listed_resources_of_others_are_not_removed() {
    run(async {
        let scene = Scene::new().await;
        assert!(scene.apply(ONE).await.unwrap().ok);
        let lineage = scene.state().await.lineage;
        let item = |deployment: &str, id: &str| {
            json!({"kind": "service", "id": id, "phase": "active", "deployment": deployment, "address": "services.x"})
        };
        let items = json!([item(&lineage, "stray"), item("somebody else's", "theirs")]);
        scene.meddler.instead("list", EVER, move || json_body(200, &json!({"items": items})));
        let orphans = orphans(&scene).await.unwrap();
        assert_eq!(orphans.iter().map(|it| it.id.id.as_str()).collect::<Vec<_>>(), ["stray"]);
    })
    .unwrap();
}

#[test]
fn deeply_nested_answers_are_malformed() {
    run(async {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        for (depth, body) in
            [(200, nested(200)), (1 << 20, nested(1 << 20)), (1 << 22, "{\"a\":".repeat(1 << 20))]
        {
            let scene = Scene::new().await;
            scene.meddler.instead("describe", EVER, move || {
                let text = format!("{{\"protocol\":1,\"name\":\"x\",\"types\":{{\"service\":{body}}}}}");
                raw(200, "application/json", text)
            });
            let error = apply_error(&scene).await;
            assert_eq!(error.code, "engine/adapter-contract", "{depth}: {error}");
            assert!(scene.wire.writes().is_empty());
        }
        // The maximum nesting in stored data: it is written and read again.
        let scene = Scene::new().await;
        scene.meddler.after("create", EVER, |it| {
            changed(it, |body| {
                body["outputs"]["deep"] = (0..100).fold(Json::Null, |inner, _| json!([inner]));
            })
        });
        assert!(scene.apply(ONE).await.unwrap().ok);
        let kept = serde_json::to_string(&scene.state().await).unwrap();
        serde_json::from_str::<state::Snapshot>(&kept).unwrap();
    })
    .unwrap();
}

/// An adapter that changes attributes by itself, and never in place: it is rebuilt a few times, not forever.
#[test]
fn a_resource_that_never_matches_is_not_rebuilt_forever() {
    run(async {
        let scene = Scene::new().await;
        let tier = |tier: &str| {
            ONE.replace("a: {payload: p}", &format!("a: {{payload: p, labels: {{t: \"{tier}\"}}}}"))
        };
        assert!(scene.apply(&tier("0")).await.unwrap().ok);
        scene.meddler.refuse("update", EVER, || Problem::new(Code::RebuildRequired, "no"));
        scene.meddler.after("batch_read", EVER, |it| {
            changed(it, |body| {
                for item in body["items"].as_array_mut().unwrap() {
                    item["spec"]["labels"]["t"] = "mine".into();
                }
            })
        });
        let terms = workspace::engine::ApplyOptions { allow_rebuild: true, ..Default::default() };
        let report = scene.apply_plan(&scene.engine(&tier("1"), false), terms).await.unwrap();
        assert!(!report.ok);
        assert_eq!(report.error.unwrap().code, "engine/does-not-settle");
        assert!(scene.simulator.call_counts().made <= 6, "{:?}", scene.simulator.call_counts());
        assert!(scene.state().await.journal.is_empty());
    })
    .unwrap();
}

/// An adapter's own limit holds, however many routes it has, and its description is requested once.
#[test]
fn an_adapter_gets_no_more_at_a_time_than_its_limit() {
    run(async {
        let config = adapter::SimulatorConfig {
            latency_ms: adapter::Latency::all(2),
            ..adapter::SimulatorConfig::default()
        };
        let scene = Scene::with(config, adapter::Limits::default()).await;
        scene.meddler.after("describe", EVER, |it| changed(it, |body| body["max_in_flight"] = 3.into()));
        let many = |kind: &str, entry: &dyn Fn(u32) -> String| {
            (0..20).fold(format!("{kind}:\n"), |text, it| format!("{text}  x{it}: {}\n", entry(it)))
        };
        let networks = many("networks", &|it| format!("{{ip: 10.{it}.0.0/16}}"));
        let services = many("services", &|_| "{payload: p}".into());
        let engine = scene.engine(&format!("payloads: {{p: {{runtime: vm}}}}\n{networks}{services}"), false);
        assert!(scene.apply_plan(&engine, Default::default()).await.unwrap().ok);
        let traffic = engine.traffic()["simulator"];
        // The description, the resources of another state, and 40 writes.
        assert_eq!((traffic.requests, traffic.most_in_flight), (42, 3));
    })
    .unwrap();
}

/// Bodies without end cost no more than the longest that is read.
#[test]
fn memory_stays_bounded() {
    run(async {
        let scene = Scene::new().await;
        assert!(scene.apply(TWO).await.unwrap().ok);
        let before = peak();
        for fault in [Fault::Endless, Fault::Huge] {
            scene.faults.order(FaultOrder::after(CallMatcher::call("batch_read").times(10), fault));
            for _ in 0..3 {
                assert!(scene.apply(TWO).await.is_err());
            }
            scene.faults.clear();
        }
        // Other tests run in this process, too; sixty stored responses would be 480 MB.
        let grown = peak().saturating_sub(before);
        assert!(grown < 25 * MAX_BODY, "{} MB", grown >> 20);
    })
    .unwrap();
}

/// The largest amount of memory that this process ever had, in bytes; 0 if the system does not report it.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    line.and_then(|it| it.trim().trim_end_matches(" kB").parse::<usize>().ok()).unwrap_or_default() << 10
}

/// The request is identified by its hash, so a success for another request does not count.
#[test]
fn a_success_for_another_request_does_not_count() {
    run(async {
        for (call, code) in [("create", "engine/exists-differently"), ("update", "engine/unknown")] {
            let scene = Scene::new().await;
            if call == "update" {
                assert!(scene.apply(TWO).await.unwrap().ok);
            }
            let other = |body: &mut Json| body["spec_hash"] = "sha256:of-something-else".into();
            for call in [call, "read"] {
                scene.meddler.after(call, EVER, move |it| changed(it, other));
            }
            let labelled = TWO.replace("a: {payload: p}", "a: {payload: p, labels: {n: x}}");
            let report = scene.apply(if call == "update" { &labelled } else { TWO }).await.unwrap();
            let error = report.steps[0].error.clone().unwrap_or_else(|| panic!("{report:#?}"));
            assert!(!report.ok && error.code == code, "{call}: {error}");
        }
    })
    .unwrap();
}

/// Without a hash, the reported attributes are the actual ones: differences are drift.
#[test]
fn another_spec_without_a_hash_is_drift() {
    run(async {
        let scene = Scene::new().await;
        let other = |resource: &mut Json| {
            resource["spec_hash"] = "".into();
            resource["spec"]["payload"]["runtime"] = "another".into();
        };
        scene.meddler.after("create", EVER, move |it| changed(it, other));
        scene.meddler.after("batch_read", EVER, move |it| {
            changed(it, |body| body["items"].as_array_mut().unwrap().iter_mut().for_each(other))
        });
        assert!(scene.apply(TWO).await.unwrap().ok);
        let planned = scene.plan(TWO).await.unwrap();
        let acting: Vec<_> = planned.plan.actions.iter().filter(|it| it.action.acts()).collect();
        assert_eq!(acting.len(), 2, "{planned:#?}");
        let reported = format!("{acting:?}");
        assert!(reported.contains("Drifted") && reported.contains("another"), "{reported}");
    })
    .unwrap();
}

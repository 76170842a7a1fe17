use std::cell::Cell;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use planloom_adapter::{
    Adapter, Known, Latency, Limits, MemoryLedger, ObservedResource, ResourceRequest, Simulator,
    SimulatorConfig, testing::World,
};
use protocol::{Call, Code, Operation, Problem, Reply, ResourceId};

use crate::support::{Shop, caller, delete, id, put, service, spec};

fn slow(ms: u32) -> Shop {
    Shop::with(SimulatorConfig {
        latency_ms: Latency { create: ms, ..Latency::default() },
        ..SimulatorConfig::default()
    })
}

#[track_caller]
fn operation(reply: Reply) -> Operation {
    match reply {
        Reply::Operation(operation) => *operation,
        other => panic!("{other:?}"),
    }
}

#[test]
fn work_that_takes_long_is_an_operation_and_goes_on() {
    let shop = slow(30_000);
    let response = shop.send(caller().request(&put("services.web", &spec())));
    assert_eq!((response.status().as_u16(), shop.world.now()), (202, 10_000));
    let begun: Operation = serde_json::from_slice(response.body()).unwrap();
    assert_eq!(response.headers()["location"], format!("/sim/v1/operations/{}", begun.op).as_str());
    assert!(!begun.done && begun.resource.is_none());
    assert_eq!(begun.progress.unwrap().message, "create of services.web, 10 s so far");
    let poll = |wait| operation(shop.call(Call::Operation { op: begun.op.clone(), wait }));
    assert!(!poll(None).done);
    assert!(!poll(Some(5)).done);
    assert_eq!(shop.world.now(), 15_000);
    let ended = poll(Some(60));
    assert_eq!(shop.world.now(), 30_000);
    assert!(ended.done && ended.progress.is_none());
    assert_eq!(ended.resource.unwrap().id, id("services.web"));
}

#[test]
fn during_a_write_reads_return_the_last_known_resource() {
    let shop = slow(30_000);
    shop.begin(&put("services.web", &spec()));
    let Reply::Resource(seen) = shop.read("services.web") else { panic!() };
    assert_eq!((seen.phase, seen.identity.len()), (model::Phase::Pending, 0));
    assert_eq!(shop.world.now(), 0);
    assert_eq!(shop.simulator.call_counts().read, 0);
}

#[test]
fn a_caller_that_leaves_aborts_nothing() {
    let shop = slow(3_000);
    let request = caller().request(&put("services.web", &spec()));
    let mut answer = shop.service.handle(request);
    let waker = std::task::Waker::noop();
    assert!(answer.as_mut().poll(&mut std::task::Context::from_waker(waker)).is_pending());
    drop(answer);
    shop.world.advance(3_000);
    assert_eq!(shop.simulator.call_counts().made, 1);
    let again = shop.send(caller().request(&put("services.web", &spec())));
    assert_eq!(again.status(), 201);
    assert_eq!(again.headers()["idempotency-replayed"], "true");
}

#[test]
fn a_failed_operation_says_why() {
    let shop = slow(20_000);
    let mut unknown = spec();
    unknown.insert("network".into(), "nowhere".into());
    let begun = operation(shop.call(put("services.web", &unknown)));
    let ended = operation(shop.call(Call::Operation { op: begun.op, wait: Some(60) }));
    let problem = ended.problem.unwrap();
    assert!(ended.done && ended.resource.is_none());
    assert_eq!((problem.status, problem.violations[0].pointer.as_str()), (422, "/network"));
}

#[test]
fn operations_are_kept_for_a_day() {
    let shop = slow(20_000);
    let begun = operation(shop.call(put("services.web", &spec())));
    let poll = || shop.call(Call::Operation { op: begun.op.clone(), wait: None });
    shop.world.advance(10_000 + 24 * 3_600_000 - 1);
    assert!(operation(poll()).done);
    shop.world.advance(1);
    assert!(matches!(poll(), Reply::Absent));
}

#[test]
fn only_an_adapter_that_can_gives_up() {
    let shop = slow(60_000);
    let begun = operation(shop.call(put("services.web", &spec())));
    let cancel = Call::Cancel { op: begun.op.clone() };
    assert!(matches!(shop.call(cancel.clone()), Reply::Done));
    let ended = operation(shop.call(Call::Operation { op: begun.op, wait: Some(60) }));
    assert!(ended.problem.unwrap().is(Code::Cancelled));
    assert_eq!(shop.world.now(), 10_000);
    let Reply::Refused(problem) = shop.call(cancel) else { panic!() };
    assert!(problem.is(Code::NotCancellable));
    assert!(matches!(shop.call(Call::Cancel { op: "none".into() }), Reply::Absent | Reply::Done));
    assert!(matches!(shop.read("services.web"), Reply::Absent));

    let world = World::new();
    let config = SimulatorConfig { latency_ms: Latency::all(60_000), ..SimulatorConfig::default() };
    let simulator = Simulator::new(world.timer(), config);
    let mut description = Simulator::description(&["service"]);
    description.features.clear();
    let service = service(&world, simulator, &MemoryLedger::default(), description);
    let handle = |call: &Call| world.run(service.handle(caller().request(call)));
    let begun: Operation = serde_json::from_slice(handle(&put("services.web", &spec())).body()).unwrap();
    let refused = handle(&Call::Cancel { op: begun.op });
    assert_eq!(refused.status(), 409);
    assert!(String::from_utf8_lossy(refused.body()).contains("not_cancellable"));
}

#[test]
fn there_is_a_limit_to_what_is_under_way() {
    let shop = slow(60_000);
    let service = shop.service.clone().with_limits(Limits { outstanding: 2, ..Limits::default() });
    shop.begin(&put("services.a", &spec()));
    shop.begin(&put("services.b", &spec()));
    let refused = shop.world.run(service.handle(caller().request(&put("services.c", &spec()))));
    assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].as_bytes()), (429, &b"1"[..]));
    shop.world.advance(60_000);
    assert!(matches!(shop.call(delete("services.a", None, "d")), Reply::Done));
}

#[test]
fn a_work_whose_task_dies_ends_badly_and_frees_its_resource() {
    let shop = slow(60_000);
    shop.begin(&put("services.web", &spec()));
    shop.world.kill();
    let again = operation(shop.call(put("services.web", &spec())));
    assert!(again.op.ends_with("-2") && !again.done);
}

/// An adapter whose creations never end, and that reports progress: another one each time.
#[derive(Default)]
struct Sisyphus(Cell<u32>);

impl Adapter for Sisyphus {
    async fn create(&self, _: &ResourceRequest) -> Result<ObservedResource, Problem> {
        std::future::pending().await
    }

    async fn read(&self, _: &Known) -> Result<Option<ObservedResource>, Problem> {
        Ok(None)
    }

    async fn update(&self, _: &Known, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
        self.create(request).await
    }

    async fn destroy(&self, _: &Known) -> Result<(), Problem> {
        Ok(())
    }

    fn progress(&self, id: &ResourceId) -> Option<String> {
        self.0.set(self.0.get() + 1);
        Some(format!("rolling {} up, {} m", id.kind, self.0.get()))
    }
}

#[test]
fn progress_of_an_operation_is_reported() {
    let world = World::new();
    let stone =
        service(&world, Sisyphus::default(), &MemoryLedger::default(), Simulator::description(&["service"]));
    let response = world.run(stone.handle(caller().request(&put("services.web", &spec()))));
    let begun: Operation = serde_json::from_slice(response.body()).unwrap();
    let message = |it: Operation| it.progress.unwrap().message;
    let op = begun.op.clone();
    assert_eq!((message(begun), world.now()), ("rolling service up, 2 m".into(), 200));
    // Another progress ends the wait.
    let call = Call::Operation { op, wait: Some(5) };
    let response = world.run(stone.handle(caller().request(&call)));
    let polled: Operation = serde_json::from_slice(response.body()).unwrap();
    assert_eq!((message(polled), world.now()), ("rolling service up, 4 m".into(), 400));
}

//! Operations of adapters: waiting for them, and the reported progress.

use std::{cell::RefCell, rc::Rc, time::Duration};

use adapter::testing::World;
use http::Response;
use planloom_workspace::engine::{ApplyOptions, Connection, Event, Route, Settings, StepState};
use protocol::{Call, LocalFuture, Transport, TransportError};
use runtime::Timer as _;
use serde_json::{Value as Json, json};

use crate::{
    environment::Environment,
    script::{Line, Script, after, instead, lost, operation},
};

const APP: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
services: {db: {payload: p}}
";

/// The time of each read of an operation, and the number of seconds for which its answer may be held back.
type OperationReads = Rc<RefCell<Vec<(i64, Option<u32>)>>>;

/// The outcome of a create that becomes an operation with these answers, and the messages of its step.
struct Outcome {
    code: String,
    reads: Vec<(i64, Option<u32>)>,
    progress_events: Vec<(String, Option<u8>)>,
    calls: Vec<&'static str>,
}

fn create(settings: Settings, answers: Vec<Json>) -> Outcome {
    let mut script = Script::new(Environment::new());
    script.site.settings = settings;
    let (reads, world) = (OperationReads::default(), script.site.world.clone());
    let start = world.now();
    let tells = |more: Json| -> Line {
        let (reads, world) = (reads.clone(), world.clone());
        instead("operation", move |call, _| {
            let Call::Operation { op, wait } = call else { panic!("{call:?}") };
            reads.borrow_mut().push((world.now() - start, *wait));
            if more.is_null() {
                return lost(TransportError::Unreachable("no".into()))(call, Json::Null);
            }
            let id = id();
            let mut answer = json!({"op": op, "verb": "create", "kind": "service", "id": id, "done": false});
            answer.as_object_mut().expect("a map").extend(more.as_object().expect("a map").clone());
            Ok((200, answer))
        })
    };
    let begun = after("create", |call, _| Ok((202, operation(call, json!({})))));
    let script = script.with([begun].into_iter().chain(answers.into_iter().map(tells)).collect());
    let worker = script.worker(APP, false);
    let report = script.site.drive(&worker, "apply", ApplyOptions::default()).expect("a report");
    let running = |it: &Event| match it {
        Event::Step(view) if view.state == StepState::Running => Some((view.message.clone()?, view.percent)),
        _ => None,
    };
    let progress_events = worker.events.borrow().iter().filter_map(running).collect();
    let code = report.steps[0].error.as_ref().map_or("done".into(), |it| it.code.to_string());
    let reads = reads.borrow().clone();
    Outcome { code, reads, progress_events, calls: script.writes() }
}

/// The id of the database: the lineage is the first that is drawn.
fn id() -> String {
    let site = Environment::new();
    assert!(site.apply(APP).ok);
    site.load().resources["services.db"].id.clone()
}

fn done() -> Json {
    json!({"done": true, "resource": {"kind": "service", "id": id(), "phase": "active"}})
}

#[test]
fn polls_are_paced_when_answers_come_at_once() {
    let outcome = create(Settings::default(), vec![json!({}), json!({}), done()]);
    assert_eq!(outcome.code, "done");
    assert_eq!(outcome.reads, [(0, Some(20)), (100, Some(20)), (200, Some(20))]);
}

/// It may hold its answer back no longer than there is time.
#[test]
fn operations_past_their_deadline_are_given_up() {
    let settings = Settings {
        step_timeout: Duration::from_millis(5_500),
        ready_first: Duration::from_secs(2),
        ..Settings::default()
    };
    let outcome = create(settings, vec![json!({}); 9]);
    assert_eq!(outcome.code, "engine/timeout");
    assert_eq!(outcome.reads, [(0, Some(5)), (2_000, Some(3)), (4_000, Some(1))]);
    assert_eq!(outcome.calls, ["create", "operation", "operation", "operation"]);
}

#[test]
fn progress_of_an_operation_is_reported() {
    let progress = |percent: u8, message: &str| json!({"progress": {"percent": percent, "message": message}});
    let answers = vec![progress(5, "begun"), json!({}), progress(250, "nearly"), done()];
    let outcome = create(Settings::default(), answers);
    assert_eq!(outcome.code, "done");
    assert_eq!(outcome.progress_events, [("begun".into(), Some(5)), ("nearly".into(), Some(100))]);
}

/// Lost answers are retried as often as others, and then the resource is read to find the outcome.
#[test]
fn silent_operations_are_not_waited_for() {
    let outcome = create(Settings { tries: 3, ..Settings::default() }, vec![Json::Null; 9]);
    assert_eq!((&*outcome.code, outcome.reads.len()), ("done", 3));
    assert_eq!(outcome.calls, ["create", "operation", "operation", "operation", "read"]);
    // An answer in between shows that it is still there.
    let answers = [Json::Null, Json::Null, json!({}), Json::Null, Json::Null, done()];
    let outcome = create(Settings { tries: 3, ..Settings::default() }, answers.into());
    assert_eq!((&*outcome.code, outcome.reads.len()), ("done", 6));
}

#[test]
fn answers_about_another_operation_are_ignored() {
    let other = json!({"id": "other", "done": true, "problem": {"status": 422, "code": "invalid_spec"}});
    let outcome = create(Settings::default(), vec![other, done()]);
    assert_eq!(outcome.code, "done");
    assert_eq!(outcome.calls, ["create", "operation", "read"]);
}

/// Answers to questions about operations only after so long.
struct Slow {
    inner: Rc<dyn Transport>,
    world: World,
    millis: i64,
}

impl Transport for Slow {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let is_slow = request.uri().path().contains("/operations/");
        let (answer, world, millis) = (self.inner.send(request), self.world.clone(), self.millis);
        Box::pin(async move {
            if is_slow {
                world.timer().sleep_until(store::Millis(world.now() + millis)).await;
            }
            answer.await
        })
    }
}

/// It may be held back for 20 s longer than a call takes otherwise.
#[test]
fn an_answer_that_is_held_back_is_waited_for() {
    let early: &[&str] = &["create", "operation"];
    for (millis, calls) in [(22_000, early), (24_000, &["create", "operation", "read"])] {
        let mut script = Script::new(Environment::new());
        script.site.settings =
            Settings { call_timeout: Duration::from_secs(3), tries: 1, ..Settings::default() };
        let begun = after("create", |call, _| Ok((202, operation(call, json!({})))));
        let ended = instead("operation", |_, _| {
            let end = json!({"op": "o", "verb": "create", "kind": "service", "id": id()});
            let mut end = end.as_object().expect("a map").clone();
            end.extend(done().as_object().expect("a map").clone());
            Ok((200, Json::Object(end)))
        });
        let script = script.with(vec![begun, ended]);
        let route = script.route(None, "simulator", 1);
        let transport =
            Rc::new(Slow { inner: route.connection.transport, world: script.site.world.clone(), millis });
        let connection = Connection { transport, ..route.connection };
        let worker = script.site.worker_of(APP, vec![Route { connection, kind: None }]);
        let report = script.site.drive(&worker, "apply", ApplyOptions::default()).expect("a report");
        assert_eq!((report.ok, &*script.writes()), (true, calls), "{millis}");
    }
}

//! The graph, its lints and its drawings; inspection of the runtime.

use std::time::Duration;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use planloom_runtime::{
    Action, Controller, Declaration, EdgeKind, Input, Output, Sharing, State, Style,
    generic::{Destroy, Reaper},
    lint,
};
use serde_json::{Value, json};
use store::{Actor, Kind};

use crate::{
    chain,
    support::{Diary, World, done, key, kind, noting, script},
};

fn declaration(id: &str, inputs: &[Input], outputs: &[Output]) -> Declaration {
    let (inputs, outputs) = (inputs.to_vec(), outputs.to_vec());
    Declaration { id: id.into(), aliases: Vec::new(), style: Style::Whole, inputs, outputs }
}

/// The codes, and the controllers that they are about.
fn lints(declarations: &[Declaration]) -> Vec<String> {
    let line = |lint: planloom_runtime::Lint| {
        let kinds: Vec<String> = lint.kinds.iter().map(|kind| kind.name.to_string()).collect();
        format!("{}: {} by {}", lint.code, lint.controllers.join(" "), kinds.join(" "))
    };
    lint(declarations).into_iter().map(line).collect()
}

#[test]
fn declarations_are_linted_before_anything_runs() {
    let strong = |name: &str| Input::strong(kind(name));
    let weak = |name: &str| Input::weak(kind(name));
    let ready = |name: &str| Input::destroy_ready(kind(name));
    let writes = |name: &str| Output::exclusive(kind(name));
    let shares = |name: &str| Output::shared(kind(name));
    let check = |declarations: &[Declaration], expected: &[&str]| assert_eq!(lints(declarations), expected);

    let one = |output| declaration("one", &[], &[output]);
    let other = |output| declaration("other", &[], &[output]);
    check(&[one(writes("A")), other(writes("A"))], &["runtime/two-writers: one other by A"]);
    check(&[one(shares("A")), other(writes("A"))], &["runtime/two-writers: one other by A"]);
    check(&[one(shares("A")), other(shares("A"))], &[]);
    check(&[one(writes("A")), other(Output::exclusive(Kind::new("ns", "A")))], &[]);
    check(&[one(writes("A").anywhere()), other(writes("A"))], &["runtime/two-writers: one other by A"]);

    let chain = [
        declaration("one", &[strong("A"), ready("B")], &[writes("B")]),
        declaration("two", &[strong("B"), ready("C")], &[writes("C")]),
    ];
    check(&chain, &[]);
    let circle = declaration("three", &[strong("C")], &[writes("A")]);
    let [one, two] = chain;
    let (teardown, writing) =
        ("runtime/teardown-cycle: one two three by B C A", "runtime/write-loop: one two three by B C A");
    check(&[one.clone(), two.clone(), circle], &[teardown, writing]);
    let loose = declaration("three", &[weak("C")], &[writes("A")]);
    check(&[one.clone(), two.clone(), loose], &[writing]);
    let remover = declaration("three", &[weak("C")], &[shares("A").removing()]);
    check(&[one, two, remover], &[]);
    check(&[declaration("own", &[strong("A")], &[writes("A")])], &[]);
    let cleaners = [
        Destroy::new("gc", kind("A")).controller().declaration().clone(),
        Reaper::new("reaper", kind("A")).after(Duration::from_millis(1)).declaration().clone(),
    ];
    check(&cleaners, &[]);
}

fn chained() -> World {
    let mut world = World::new();
    chain::plans(&world);
    let summary = Controller::whole("summary")
        .weak(kind("Plans"))
        .input(Input::weak(kind("Options")).only("all"))
        .writes(Output::shared(kind("Notes")).anywhere())
        .reconcile(|_| async { Ok(Action::Done) });
    world.register(summary);
    world.create(&key("Descriptors", "d"), 1);
    world.settle();
    world
}

#[test]
fn the_graph_shows_controllers_kinds_and_counts() {
    let graph = chained().runtime.graph();
    let edges: Vec<_> = graph.edges.iter().map(|edge| (&*edge.id, edge.edge, edge.count)).collect();
    use EdgeKind::{DestroyReady, Exclusive, Shared, Strong, Weak};
    let expected = [
        ("planner|exclusive|app|Plans|", Exclusive, 1),
        ("planner|strong|app|Descriptors|", Strong, 2),
        ("planner|destroy_ready|app|Plans|", DestroyReady, 0),
        ("deployer|exclusive|app|Deployments|", Exclusive, 1),
        ("deployer|strong|app|Plans|", Strong, 2),
        ("deployer|destroy_ready|app|Deployments|", DestroyReady, 0),
        ("reporter|exclusive|app|Reports|", Exclusive, 1),
        ("reporter|strong|app|Deployments|", Strong, 2),
        ("reporter|destroy_ready|app|Reports|", DestroyReady, 0),
        ("summary|shared|*|Notes|", Shared, 0),
        ("summary|weak|app|Plans|", Weak, 1),
        ("summary|weak|app|Options|all", Weak, 0),
    ];
    assert_eq!(edges, expected);
    let kinds: Vec<_> = graph.kinds.iter().map(|it| (&*it.id, it.resources, it.source, it.result)).collect();
    let expected = [
        ("kind:*/Notes", 0, false, true),
        ("kind:app/Deployments", 1, false, false),
        ("kind:app/Descriptors", 1, true, false),
        ("kind:app/Options", 0, true, false),
        ("kind:app/Plans", 1, false, false),
        ("kind:app/Reports", 1, false, true),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(graph.lints, []);
}

#[test]
fn the_graph_is_plain_json() {
    let graph = serde_json::to_value(chained().runtime.graph()).unwrap();
    let edge = json!({
        "id": "summary|weak|app|Options|all", "from": "kind:app/Options", "to": "controller:summary",
        "edge": "weak", "resource": "all", "count": 0, "livelock": false,
    });
    assert!(graph["edges"].as_array().unwrap().contains(&edge), "{graph:#}");
    let node = json!({
        "id": "controller:planner", "controller": "planner", "style": "queue", "state": "idle",
        "queue": 0, "wakes": 2, "ok": 2, "failed": 0, "skipped": 0,
    });
    assert_eq!(graph["controllers"][0], node);
    let kind = json!({
        "id": "kind:app/Plans", "namespace": "app", "kind": "Plans", "resources": 1, "tearing_down": 0,
        "source": false, "result": false,
    });
    assert!(graph["kinds"].as_array().unwrap().contains(&kind), "{graph:#}");
}

#[test]
fn the_graph_can_be_drawn() {
    let world = World::new();
    let odd = Controller::whole("say \"hi\"")
        .strong(kind("Nodes"))
        .input(Input::weak(kind("Links")).only("<b>"))
        .output(kind("Plans"), Sharing::Exclusive)
        .reconcile(|_| async { Ok(Action::Done) });
    world.register(odd);
    world.create(&key("Nodes", "a"), 0);
    let graph = world.runtime.graph();
    let dot = r#"digraph controllers {
  rankdir=LR;
  "controller:say \"hi\"" [shape=box, label="say \"hi\""];
  "kind:app/Links" [shape=note, label="app/Links\n0"];
  "kind:app/Nodes" [shape=note, label="app/Nodes\n1"];
  "kind:app/Plans" [shape=note, label="app/Plans\n0"];
  "controller:say \"hi\"" -> "kind:app/Plans" [style=bold];
  "kind:app/Nodes" -> "controller:say \"hi\"" [style=solid];
  "kind:app/Links" -> "controller:say \"hi\"" [style=dotted, label="<b>"];
}
"#;
    assert_eq!(graph.dot(), dot);
    let mermaid = r##"flowchart LR
  c0["say #34;hi#34;"]
  k0(["app/Links"])
  k1(["app/Nodes"])
  k2(["app/Plans"])
  c0 ==> k2
  k1 --> c0
  k0 -.->|"#60;b#62;"| c0
"##;
    assert_eq!(graph.mermaid(), mermaid);
}

#[test]
fn a_teardown_that_is_stuck_shows_with_who_holds_it() {
    let mut world = World::new();
    let holds = script(|cx, key| {
        if cx.get(key)?.metadata.phase == store::Phase::Running {
            cx.hold(key)?;
        }
        Ok(Action::Done)
    });
    world.register(noting("holder", kind("Nodes"), &Diary::default(), holds));
    let node = key("Nodes", "a");
    world.create(&node, 0);
    world.store.add_finalizers(&node, ["long-gone"]).unwrap();
    world.settle();
    world.teardown(&node);
    world.pass(59_000);
    assert_eq!(world.runtime.graph().lints, []);
    assert_eq!(world.runtime.graph().kinds[0].tearing_down, 1);
    world.pass(2_000);
    let lints = world.runtime.graph().lints;
    assert_eq!(lints.len(), 1);
    assert_eq!((lints[0].code, &*lints[0].controllers[0]), ("runtime/stuck-teardown", "holder"));
    let expected = "`app/Nodes/a` is still held by `holder`, `long-gone`, which is not a registered \
                    controller";
    assert_eq!(lints[0].message, expected);
    world.store.remove_finalizers(&node, ["holder", "long-gone"]).unwrap();
    world.store.destroy(&Actor::user(), &node).unwrap();
    world.settle();
    assert_eq!(world.runtime.graph().lints, []);
}

#[test]
fn the_runtime_says_how_it_is() {
    let mut world = World::new();
    world.create(&key("Nodes", "a"), 0);
    world.register(noting("quick", kind("Nodes"), &Diary::default(), done()));
    let slow = Controller::queue("slow").primary(kind("Nodes")).reconcile(|cx, _| async move {
        cx.sleep(Duration::from_millis(1_500)).await;
        Ok(Action::RequeueAfter(Duration::from_secs(10)))
    });
    world.register(slow);
    assert_eq!(world.view("quick").state, State::Stopped);
    world.settle();
    assert_eq!((world.view("quick").state, world.view("slow").state), (State::Idle, State::Running));
    world.pass(2_000);
    let view = world.view("slow");
    assert_eq!((view.state, view.queue, view.busy_ms, view.ok), (State::Waiting, 1, 1_500, 1));
    let inspection = serde_json::to_value(world.runtime.inspect()).unwrap();
    let expected = json!({
        "id": "quick", "style": "queue", "state": "idle", "queue": 0, "running": 0, "wakes": 1, "ok": 1,
        "failed": 0, "skipped": 0, "busy_ms": 0, "given_up": 0, "livelock": false,
    });
    assert_eq!(inspection["controllers"][0], expected);
    assert_eq!((&inspection["at"], &inspection["running"]), (&json!(2_000), &json!(true)));
    let nodes = &inspection["kinds"][0];
    let counts = ["namespace", "kind", "resources", "watchers", "log_entries", "resyncs"]
        .map(|name| nodes[name].clone());
    assert_eq!(Value::from(counts.to_vec()), json!(["app", "Nodes", 1, 1, 1, 0]));
}

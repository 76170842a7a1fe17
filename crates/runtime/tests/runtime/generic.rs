//! The generic controllers.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::{cell::Cell, rc::Rc, time::Duration};

use planloom_runtime::{
    Failure, Input,
    generic::{Cleanup, Destroy, Reaper, Rollup, Transform},
    mapper,
};
use store::{Actor, Draft, Millis, Phase, Spec};

use crate::support::{World, draft, key, kind};

fn labelled(world: &World, key: &store::Key, spec: i64, label: &str, value: &str) {
    world.store.create(&Actor::user(), draft(key, spec).label(label, value)).unwrap();
}

#[test]
fn a_transform_without_output_releases_its_input() {
    let mut world = World::new();
    world.register(Transform::new("odd", kind("Nodes"), kind("Odds")).make(|_, node| {
        let number: i64 = node.read()?;
        Ok((number % 2 == 1).then(|| draft(&key("Odds", "ignored"), number)))
    }));
    let node = key("Nodes", "a");
    world.create(&node, 2);
    world.settle();
    assert_eq!((world.says(&key("Odds", "a")), world.finalizers(&node).len()), (None, 0));
    world.set(&node, 3);
    world.settle();
    assert_eq!((world.says(&key("Odds", "a")), world.finalizers(&node).len()), (Some(3), 1));
    world.set(&node, 4);
    world.settle();
    assert_eq!((world.says(&key("Odds", "a")), world.finalizers(&node).len()), (None, 0));
}

#[test]
fn one_bad_input_of_a_transform_does_not_stop_the_others() {
    let mut world = World::new();
    world.register(Transform::new("strict", kind("Nodes"), kind("Plans")).concurrency(2).make(|_, node| {
        match node.read::<i64>()? {
            13 => Err(Failure::terminal("test/unlucky", "13 is unlucky")),
            number => Ok(Some(draft(&key("Plans", "?"), number))),
        }
    }));
    for (id, number) in [("a", 1), ("b", 13), ("c", 3)] {
        world.create(&key("Nodes", id), number);
    }
    world.settle();
    let said = ["a", "b", "c"].map(|id| world.says(&key("Plans", id)));
    assert_eq!(said, [Some(1), None, Some(3)]);
    world.set(&key("Nodes", "b"), 2);
    world.settle();
    assert_eq!(world.says(&key("Plans", "b")), Some(2));
}

#[test]
fn a_transform_is_woken_by_what_else_it_reads() {
    let mut world = World::new();
    let factor = key("Factors", "all");
    world.create(&factor, 2);
    let nodes = |_: &_, _: &store::Resource| vec![key("Nodes", "a"), key("Nodes", "b")];
    let read = factor.clone();
    let scaled =
        Transform::new("scaled", kind("Nodes"), kind("Plans")).also(Input::weak(kind("Factors")), nodes);
    world.register(scaled.make(move |cx, node| {
        let factor: i64 = cx.get(&read)?.read()?;
        Ok(Some(draft(&key("Plans", "?"), factor * node.read::<i64>()?)))
    }));
    world.create(&key("Nodes", "a"), 10);
    world.settle();
    assert_eq!(world.says(&key("Plans", "a")), Some(20));
    world.set(&factor, 3);
    world.settle();
    assert_eq!(world.says(&key("Plans", "a")), Some(30));
}

#[test]
fn an_externally_destroyed_output_is_recreated() {
    let mut world = World::new();
    world.register(
        Transform::new("planner", kind("Nodes"), kind("Plans"))
            .make(|_, node| Ok(Some(Draft::new(key("Plans", "?"), node.spec.clone())))),
    );
    world.create(&key("Nodes", "a"), 1);
    world.settle();
    world.store.destroy(&Actor::named("planner"), &key("Plans", "a")).unwrap();
    world.settle();
    assert_eq!(world.says(&key("Plans", "a")), Some(1));
}

#[test]
fn a_rollup_follows_labels() {
    let mut world = World::new();
    world.register(Rollup::new("merge", kind("Layers"), kind("Merged"), "name").make(|_, layers| {
        let numbers: Result<Vec<i64>, _> = layers.iter().map(|layer| layer.read()).collect();
        Ok(Some(Draft::new(key("Merged", "?"), Spec::of(&numbers?.iter().fold(0, |all, it| all * 10 + it))?)))
    }));
    for (id, number, name) in [("10-base", 1, "web"), ("20-prod", 2, "web"), ("10-other", 3, "db")] {
        labelled(&world, &key("Layers", id), number, "name", name);
    }
    let said = |world: &World| ["web", "db"].map(|name| world.says(&key("Merged", name)));
    world.settle();
    assert_eq!(said(&world), [Some(12), Some(3)]);
    world.label(&key("Layers", "20-prod"), "name", "db");
    world.settle();
    assert_eq!(said(&world), [Some(1), Some(32)]);
    world.destroy(&key("Layers", "10-base"));
    world.settle();
    assert_eq!(said(&world), [None, Some(32)]);
    world.teardown(&key("Layers", "20-prod"));
    world.settle();
    assert_eq!(said(&world), [None, Some(3)]);
}

#[test]
fn a_cleanup_waits_for_some_and_removes_others() {
    let mut world = World::new();
    let cleanup =
        Cleanup::new("cleanup", kind("Nodes")).wait(kind("Links"), "node").remove(kind("Notes"), "node");
    world.register(cleanup.controller());
    let node = key("Nodes", "a");
    world.create(&node, 0);
    labelled(&world, &key("Links", "l"), 0, "node", "a");
    labelled(&world, &key("Notes", "n"), 0, "node", "a");
    labelled(&world, &key("Notes", "other"), 0, "node", "b");
    let foreign = draft(&key("Notes", "foreign"), 0).label("node", "a");
    world.store.create(&Actor::named("scribe"), foreign).unwrap();
    world.settle();
    assert_eq!(world.finalizers(&node), ["cleanup"]);
    world.teardown(&node);
    world.settle();
    assert!(world.find(&key("Notes", "n")).is_some(), "first the links");
    world.destroy(&key("Links", "l"));
    world.settle();
    assert!(world.find(&key("Notes", "n")).is_none());
    assert_eq!(world.finalizers(&node), ["cleanup"], "what a controller owns is waited for");
    world.store.destroy(&Actor::named("scribe"), &key("Notes", "foreign")).unwrap();
    world.settle();
    assert_eq!(world.finalizers(&node), [""; 0]);
    assert!(world.find(&key("Notes", "other")).is_some());
}

#[test]
fn tearing_down_resources_are_destroyed_when_unreferenced() {
    let mut world = World::new();
    world.register(Destroy::new("gc", kind("Nodes")).controller());
    let (node, foreign) = (key("Nodes", "a"), key("Nodes", "b"));
    world.store.create(&Actor::user(), draft(&node, 0).finalizer("holder")).unwrap();
    world.store.create(&Actor::named("other"), draft(&foreign, 0)).unwrap();
    world.settle();
    world.teardown(&node);
    world.store.teardown(&Actor::named("other"), &foreign).unwrap();
    world.settle();
    assert_eq!(world.phase(&node), Some(Phase::TearingDown));
    world.store.remove_finalizers(&node, ["holder"]).unwrap();
    world.settle();
    assert_eq!((world.phase(&node), world.phase(&foreign)), (None, Some(Phase::TearingDown)));
}

#[test]
fn expired_resources_are_reaped() {
    let mut world = World::new();
    world.register(Reaper::new("reaper", kind("Tokens")).after(Duration::from_secs(10)));
    let end =
        |it: &store::Resource| it.metadata.labels.get("end").and_then(|end| end.parse().ok()).map(Millis);
    world.register(Reaper::new("leases", kind("Leases")).at(end));
    world.create(&key("Tokens", "a"), 0);
    labelled(&world, &key("Leases", "l"), 0, "end", "30000");
    world.create(&key("Leases", "for-ever"), 0);
    world.pass(4_000);
    world.create(&key("Tokens", "b"), 0);
    let there = |world: &World| {
        [key("Tokens", "a"), key("Tokens", "b"), key("Leases", "l"), key("Leases", "for-ever")]
            .map(|key| world.find(&key).is_some())
    };
    world.pass(5_999);
    assert_eq!(there(&world), [true, true, true, true]);
    world.pass(1);
    assert_eq!(there(&world), [false, true, true, true]);
    world.label(&key("Leases", "l"), "end", "12000");
    world.pass(2_000);
    assert_eq!(there(&world), [false, true, false, true]);
    world.pass(600_000);
    assert_eq!(there(&world), [false, false, false, true]);
    assert_eq!(world.timer.armed(), 0);
}

#[test]
fn mappers_name_the_primary() {
    let mut world = World::new();
    let count = Rc::new(Cell::new(0));
    let seen = count.clone();
    let controller = planloom_runtime::Controller::queue("q")
        .primary(kind("Nodes"))
        .mapped(Input::weak(kind("Same")), mapper::same_id(kind("Nodes")))
        .mapped(Input::weak(kind("Labelled")), mapper::by_label(kind("Nodes"), "node"))
        .mapped(Input::weak(kind("Silent")), mapper::none)
        .reconcile(move |_, key| {
            assert_eq!(&*key.id, "a");
            seen.set(seen.get() + 1);
            async { Ok(planloom_runtime::Action::Done) }
        });
    world.register(controller);
    world.settle();
    let runs = |world: &mut World| {
        world.settle();
        count.take()
    };
    world.create(&key("Same", "a"), 0);
    assert_eq!(runs(&mut world), 1);
    labelled(&world, &key("Labelled", "x"), 0, "node", "a");
    assert_eq!(runs(&mut world), 1);
    world.create(&key("Labelled", "y"), 0);
    world.create(&key("Silent", "a"), 0);
    assert_eq!(runs(&mut world), 0);
}

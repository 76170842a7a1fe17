//! Cases 47, 48, 51, 52 and 55: when a controller is woken, and in which order.

use std::time::Duration;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use planloom_runtime::{Action, Controller, Sharing};

use crate::support::{Diary, World, done, key, kind, noting, noting_whole, script};

const FIVE: [&str; 5] = ["a", "b", "c", "d", "e"];

#[test]
fn case_47_what_was_there_before_the_start_wakes_once() {
    let mut world = World::new();
    let (whole, queue) = (Diary::default(), Diary::default());
    FIVE.iter().for_each(|id| drop(world.create(&key("Nodes", id), 1)));
    world.register(noting_whole("whole", kind("Nodes"), &whole));
    world.register(noting("queue", kind("Nodes"), &queue, done()));
    world.settle();
    assert_eq!(whole.take(), ["*"]);
    assert_eq!(queue.take(), FIVE);
    assert_eq!((world.view("whole").wakes, world.view("queue").wakes), (1, 5));
}

#[test]
fn case_48_whatever_happens_during_a_run_is_one_further_run() {
    let mut world = World::new();
    let (whole, queue) = (Diary::default(), Diary::default());
    for id in ["a", "b"] {
        world.create(&key("Nodes", id), 0);
    }
    let (noted, noted_too) = (whole.clone(), queue.clone());
    world.register(Controller::whole("whole").weak(kind("Nodes")).reconcile(move |cx| {
        noted.note(cx.now(), "*");
        async move {
            cx.sleep(Duration::from_millis(100)).await;
            Ok(Action::Done)
        }
    }));
    world.register(Controller::queue("queue").primary(kind("Nodes")).concurrency(4).reconcile(
        move |cx, key| {
            noted_too.note(cx.now(), &*key.id);
            async move {
                cx.sleep(Duration::from_millis(100)).await;
                Ok(Action::Done)
            }
        },
    ));
    world.settle();
    assert_eq!((whole.take(), queue.take()), (vec!["*".to_owned()], vec!["a".to_owned(), "b".to_owned()]));
    for number in 1..=25 {
        world.set(&key("Nodes", "a"), number);
        world.set(&key("Nodes", "b"), number);
        world.settle();
    }
    assert_eq!((whole.len(), queue.len()), (0, 0));
    world.pass(1000);
    assert_eq!((whole.take(), queue.take()), (vec!["*".to_owned()], vec!["a".to_owned(), "b".to_owned()]));
}

#[test]
fn case_51_a_change_comes_before_a_requeue_and_replaces_it() {
    let mut world = World::new();
    let diary = Diary::default();
    let node = key("Nodes", "a");
    world.create(&node, 0);
    // Only the first run requests another.
    let requested = diary.clone();
    let first = script(move |_, _| {
        Ok(if requested.len() == 1 { Action::RequeueAfter(Duration::from_secs(30)) } else { Action::Done })
    });
    world.register(noting("queue", kind("Nodes"), &diary, first));
    world.settle();
    world.pass(5_000);
    assert_eq!(world.timer.armed(), 1);
    world.set(&node, 1);
    world.settle();
    assert_eq!(world.timer.armed(), 0);
    world.pass(100_000);
    assert_eq!(diary.times(), [0, 5_000]);
}

#[test]
fn case_52_the_earlier_of_two_requeues_wins() {
    let mut world = World::new();
    let diary = Diary::default();
    world.create(&key("Nodes", "a"), 0);
    let requested = diary.clone();
    let both = script(move |cx, key| {
        if requested.len() > 1 {
            return Ok(Action::Done);
        }
        cx.requeue(key, Duration::from_secs(3));
        Ok(Action::RequeueAfter(Duration::from_secs(10)))
    });
    world.register(noting("queue", kind("Nodes"), &diary, both));
    world.pass(60_000);
    assert_eq!(diary.times(), [0, 3_000]);
}

#[test]
fn case_55_so_many_at_a_time_and_first_come_first_served() {
    let mut world = World::new();
    let diary = Diary::default();
    for id in ["a", "b", "c"] {
        world.create(&key("Nodes", id), 0);
    }
    let noted = diary.clone();
    let blocked =
        Controller::queue("queue").primary(kind("Nodes")).concurrency(2).reconcile(move |cx, key| {
            noted.note(cx.now(), &*key.id);
            // `a` is quicker, so that its place is free while `b` still runs.
            let millis = if &*key.id == "a" { 100 } else { 1_000 };
            async move {
                cx.sleep(Duration::from_millis(millis)).await;
                Ok(Action::Done)
            }
        });
    world.register(blocked);
    world.settle();
    let view = world.view("queue");
    assert_eq!((diary.take(), view.running, view.queue), (vec!["a".into(), "b".into()], 2, 1));
    world.set(&key("Nodes", "a"), 1);
    world.pass(100);
    assert_eq!(diary.take(), ["c"]);
    world.pass(900);
    assert_eq!(diary.take(), ["a"]);
    world.pass(10_000);
    assert_eq!(diary.len(), 0);
}

#[test]
fn controllers_take_turns_however_many_jobs_one_has() {
    let mut world = World::new();
    let diary = Diary::default();
    (0..3_000).for_each(|number| drop(world.create(&key("Nodes", &format!("{number:04}")), 0)));
    for id in ["a", "b"] {
        let noted = diary.clone();
        let controller = Controller::queue(id).primary(kind("Nodes"));
        world.register(controller.reconcile(move |cx, key| {
            noted.note(cx.now(), format!("{id}{}", key.id));
            async { Ok(Action::Done) }
        }));
    }
    world.settle();
    let ran = diary.take();
    let of = |id: &str| ran.iter().filter(|it| it.starts_with(id)).cloned().collect::<Vec<_>>();
    let (a, b) = (of("a"), of("b"));
    assert!(a.is_sorted() && b.is_sorted() && a.len() == 3_000 && b.len() == 3_000);
    let far =
        (0..ran.len()).map(|at| ran[..at].iter().filter(|it| it.starts_with('a')).count().abs_diff(at / 2));
    assert!(far.max().is_some_and(|far| far <= 1), "one of them waits for the other");
}

#[test]
fn a_whole_set_run_removes_what_it_no_longer_requires() {
    let mut world = World::new();
    let (nodes, plans) = (kind("Nodes"), kind("Plans"));
    for id in ["a", "b"] {
        world.create(&key("Nodes", id), 1);
    }
    let (from, to) = (nodes.clone(), plans.clone());
    let whole = Controller::whole("planner")
        .weak(nodes)
        .destroy_ready(plans.clone())
        .output(plans, Sharing::Exclusive)
        .reconcile(move |cx| {
            let outcome = (|| {
                for node in &cx.list(&from, &store::Query::all())? {
                    cx.put(crate::support::draft(&to.key(node.id().clone()), 7))?;
                }
                cx.prune_untouched(&to)?;
                Ok(Action::Done)
            })();
            async move { outcome }
        });
    world.register(whole);
    world.settle();
    assert_eq!(world.says(&key("Plans", "b")), Some(7));
    world.store.add_finalizers(&key("Plans", "b"), ["reader"]).unwrap();
    world.destroy(&key("Nodes", "b"));
    world.settle();
    assert_eq!(world.phase(&key("Plans", "b")), Some(store::Phase::TearingDown));
    world.store.remove_finalizers(&key("Plans", "b"), ["reader"]).unwrap();
    world.settle();
    assert_eq!((world.says(&key("Plans", "a")), world.says(&key("Plans", "b"))), (Some(7), None));
}

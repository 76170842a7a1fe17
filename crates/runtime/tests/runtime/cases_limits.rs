//! Cases 63 to 65: own loops, the end, loops of writes.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::{cell::Cell, rc::Rc};

use planloom_runtime::{Action, AlreadyStarted, Controller, Failure, Options, Sharing, State, testing::Host};

use store::Query;

use crate::{
    chain::growing,
    support::{Diary, World, done, draft, failure, key, kind, noting},
};

#[test]
fn case_63_an_own_loop_that_ends_well_is_finished() {
    let mut world = World::new();
    let diary = Diary::default();
    let noted = diary.clone();
    let thrice = Controller::manual("thrice").weak(kind("Nodes")).run(move |cx| {
        let noted = noted.clone();
        async move {
            for _ in 0..3 {
                cx.woken().await;
                noted.note(cx.now(), "woken");
            }
            Ok(())
        }
    });
    world.register(thrice);
    world.settle();
    assert_eq!((diary.take().len(), world.view("thrice").state), (1, State::Running));
    for id in ["a", "b"] {
        world.create(&key("Nodes", id), 0);
        world.settle();
    }
    assert_eq!((diary.take().len(), world.view("thrice").state), (2, State::Finished));
    world.create(&key("Nodes", "c"), 0);
    world.pass(600_000);
    let (view, graph) = (world.view("thrice"), world.runtime.graph());
    assert_eq!((diary.len(), view.ok, view.queue), (0, 1, 0));
    assert_eq!(graph.controllers[0].state, State::Finished);
}

#[test]
fn an_own_loop_that_fails_begins_again_after_a_while() {
    let mut world = World::new();
    let diary = Diary::default();
    let noted = diary.clone();
    let own = Controller::manual("own").run(move |cx| {
        let noted = noted.clone();
        async move {
            cx.woken().await;
            noted.note(cx.now(), "begun");
            cx.wake(10_000);
            cx.woken().await;
            noted.note(cx.now(), "woken");
            Err::<(), Failure>(failure())
        }
    });
    world.register(own);
    world.pass(11_000);
    let times = diary.times();
    assert_eq!(&times[..2], [0, 10_000]);
    assert!((10_250..=10_750).contains(&times[2]), "{times:?}");
}

#[test]
fn case_64_the_end_drops_what_runs_and_comes_once() {
    let mut world = World::new();
    let diary = Diary::default();
    let noted = diary.clone();
    world.create(&key("Nodes", "a"), 0);
    let slow = Controller::queue("slow")
        .primary(kind("Nodes"))
        .output(kind("Plans"), Sharing::Exclusive)
        .reconcile(move |cx, node| {
            let noted = noted.clone();
            async move {
                cx.put(draft(&key("Plans", &node.id), 1))?;
                cx.sleep(100).await;
                noted.note(cx.now(), "never");
                cx.put(draft(&key("Plans", &node.id), 2))?;
                Ok(Action::Done)
            }
        });
    world.register(slow);
    world.settle();
    let mut second = Host::new(&world.runtime, &world.timer);
    second.poll();
    assert!(second.ended() && !world.host.ended());
    world.runtime.stop();
    world.settle();
    assert!(world.host.ended());
    assert_eq!((world.store.stats().watchers(), world.timer.armed()), (0, 0));
    let revision = world.store.revision();
    world.create(&key("Nodes", "b"), 0);
    world.pass(600_000);
    assert_eq!(diary.len(), 0);
    assert_eq!(world.says(&key("Plans", "a")), Some(1));
    assert_eq!(world.store.revision().get(), revision.get() + 1);
    assert_eq!(pollster(world.runtime.run()), Err(AlreadyStarted));
}

/// What a future that is ready gives.
fn pollster<T>(future: impl Future<Output = T>) -> T {
    let mut future = Box::pin(future);
    match future.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("it waits"),
    }
}

#[test]
fn a_runtime_ends_with_its_store_or_its_future() {
    let mut world = World::new();
    world.register(noting("queue", kind("Nodes"), &Diary::default(), done()));
    world.settle();
    world.store.close();
    world.settle();
    assert!(world.host.ended());

    let World { store, runtime, mut host, .. } = {
        let world = World::new();
        world.register(noting("queue", kind("Nodes"), &Diary::default(), done()));
        world
    };
    host.settle();
    assert_eq!(store.stats().watchers(), 1);
    drop(host);
    assert_eq!((store.stats().watchers(), runtime.inspect().running), (0, false));
}

#[test]
fn case_65_a_growing_loop_is_slowed_down_and_shown() {
    let mut world = World::with(Options { longest_chain: 100, ..Options::default() });
    let runs = Rc::new(Cell::new(0));
    world.register(growing("ping", "Pings", "Pongs", &runs));
    world.register(growing("pong", "Pongs", "Pings", &runs));
    let quiet = Diary::default();
    world.register(noting("quiet", kind("Nodes"), &quiet, done()));
    world.settle();
    assert!((100..110).contains(&runs.get()), "{}", runs.get());
    let graph = world.runtime.graph();
    let loops = |code: &str| graph.lints.iter().filter(|lint| lint.code == code).count();
    assert!(loops("runtime/livelock") >= 1, "{:?}", graph.lints);
    assert_eq!(loops("runtime/write-loop"), 1);
    assert!(graph.edges.iter().any(|edge| edge.livelock));
    assert!(graph.dot().contains("color=red"));
    world.pass(60_000);
    assert!(runs.get() < 125, "{}", runs.get());
    // Others are not held up, and one that only takes long is no loop.
    world.create(&key("Nodes", "a"), 0);
    world.settle();
    assert_eq!(quiet.take(), ["a"]);
    assert!(!world.view("quiet").livelock);
}

#[test]
fn a_growing_loop_through_an_own_loop_is_slowed_down_too() {
    let mut world = World::with(Options { longest_chain: 100, ..Options::default() });
    let runs = Rc::new(Cell::new(0));
    world.register(growing("ping", "Pings", "Pongs", &runs));
    let pongs = Controller::manual("pong").weak(kind("Pongs")).output(kind("Pings"), Sharing::Exclusive);
    world.register(pongs.run(|cx| async move {
        loop {
            cx.woken().await;
            if let Some(pong) = cx.find(&key("Pongs", "n"))? {
                cx.put(draft(&key("Pings", "n"), pong.read::<i64>()? + 1))?;
            }
        }
    }));
    world.settle();
    assert!((50..60).contains(&runs.get()), "{}", runs.get());
    world.pass(60_000);
    assert!(runs.get() < 75, "{}", runs.get());
}

/// It holds what it reads and reads what it writes, so each run wakes itself; but each also finds something new.
#[test]
fn much_to_do_is_no_loop() {
    let mut world = World::with(Options { longest_chain: 8, ..Options::default() });
    let copier = Controller::whole("copier").strong(kind("Nodes")).weak(kind("Copies"));
    let copier = copier.output(kind("Copies"), Sharing::Exclusive).reconcile(|cx| {
        let outcome = (|| {
            for node in &cx.list(&kind("Nodes"), &Query::all())? {
                cx.hold(node.key())?;
                cx.put(draft(&key("Copies", node.id()), node.read()?))?;
            }
            Ok(Action::Done)
        })();
        async move { outcome }
    });
    world.register(copier);
    world.timer.tick(9);
    for number in 0..1_500 {
        world.create(&key("Nodes", &number.to_string()), number);
        world.host.poll();
        world.timer.fire();
    }
    assert!(!world.view("copier").livelock);
    world.settle();
    assert!(!world.view("copier").livelock && world.view("copier").ok > 15, "{:?}", world.view("copier"));
    assert_eq!(world.store.list(&kind("Copies"), &Query::all()).len(), 1_500);
}

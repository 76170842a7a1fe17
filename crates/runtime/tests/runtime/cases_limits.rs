//! Cases 63 to 65: own loops, the end, loops of writes.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use planloom_runtime::{
    Action, AlreadyStarted, Controller, Failure, Options, Rejected, Runtime, Sharing, State, testing::Host,
};

use store::Query;

use crate::{
    chain::growing,
    support::{Diary, World, done, draft, failure, key, kind, noting, script},
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
                cx.wait_for_changes().await;
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
            cx.wait_for_changes().await;
            noted.note(cx.now(), "begun");
            cx.wake(Duration::from_secs(10));
            cx.wait_for_changes().await;
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
                cx.sleep(Duration::from_millis(100)).await;
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
    assert_eq!(pollster(world.runtime.run()), Err(AlreadyStarted::Ended));
}

/// The result of a future that is ready.
fn pollster<T>(future: impl Future<Output = T>) -> T {
    let mut future = Box::pin(future);
    match future.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("it waits"),
    }
}

#[test]
fn a_runtime_that_has_ended_says_so() {
    let mut world = World::new();
    world.settle();
    let second = pollster(world.runtime.run()).map_err(|error| error.to_string());
    assert_eq!(second, Err("the runtime was started already".into()));
    let stopped = World::new().runtime;
    [&world.runtime, &stopped].into_iter().for_each(Runtime::stop);
    let closed = World::new();
    let (mut host, on_closed) = (closed.host, closed.runtime);
    closed.store.close();
    host.settle();
    for ended in [world.runtime, stopped, on_closed] {
        let again = pollster(ended.run()).map_err(|error| error.to_string());
        assert_eq!(again, Err("the runtime has ended: it was stopped, or its store was closed".into()));
        let late = ended.register(noting("late", kind("Nodes"), &Diary::default(), done()));
        assert_eq!(late, Err(Rejected::Ended));
        assert_eq!(ended.declarations().len(), 0);
    }
    assert_eq!(Rejected::Ended.to_string(), "the runtime has ended");
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
fn a_runtime_without_inputs_ends_with_its_store_too() {
    let idle: fn() -> Option<Controller> = || None;
    let sleeping = || {
        Some(Controller::whole("sleeping").reconcile(|cx| async move {
            cx.sleep(Duration::from_secs(1_000)).await;
            Ok(Action::Done)
        }))
    };
    let busy =
        || Some(Controller::whole("busy").reconcile(|_| async { Ok(Action::RequeueAfter(Duration::ZERO)) }));
    for controller in [idle, sleeping, busy] {
        let mut world = World::new();
        controller().into_iter().for_each(|controller| world.register(controller));
        world.timer.tick(1);
        world.host.settle_within(10);
        assert!(!world.host.ended());
        world.store.close();
        world.host.settle_within(10);
        assert!(world.host.ended());
        assert_eq!((world.runtime.inspect().running, world.timer.armed()), (false, 0));
    }
}

#[test]
fn a_runtime_on_a_closed_store_ends_at_once_and_runs_nothing() {
    for inputs in [false, true] {
        let mut world = World::new();
        let diary = Diary::default();
        world.create(&key("Nodes", "a"), 0);
        let noted = diary.clone();
        world.register(Controller::whole("whole").reconcile(move |cx| {
            noted.note(cx.now(), "*");
            async { Ok(Action::Done) }
        }));
        if inputs {
            world.register(noting("queue", kind("Nodes"), &diary, done()));
        }
        world.store.close();
        world.settle();
        assert!(world.host.ended());
        assert_eq!((diary.len(), world.store.stats().watchers()), (0, 0));
    }
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
    // Others are not delayed, and a run that only takes long is not a loop.
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
            cx.wait_for_changes().await;
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

/// Each requests its next run immediately, without end, and counts its runs.
fn restless(runs: &Rc<Cell<u32>>) -> Vec<(&'static str, Controller)> {
    let ran = |runs: &Cell<u32>| runs.set(runs.get() + 1);
    let [after, requested, whole, own] = [(); 4].map(|()| runs.clone());
    let queue = || Controller::queue("q").primary(kind("Nodes"));
    let after = queue().reconcile(move |_, _| {
        ran(&after);
        async { Ok(Action::RequeueAfter(Duration::ZERO)) }
    });
    let requested = queue().reconcile(move |cx, key| {
        ran(&requested);
        cx.requeue(&key, Duration::from_millis(9));
        async { Ok(Action::Done) }
    });
    let whole = Controller::whole("q").reconcile(move |cx| {
        ran(&whole);
        cx.wake(Duration::ZERO);
        async { Ok(Action::Done) }
    });
    let own = Controller::manual("q").run(move |cx| {
        let own = own.clone();
        async move {
            loop {
                cx.wait_for_changes().await;
                ran(&own);
                cx.wake(Duration::ZERO);
            }
        }
    });
    vec![("requeue after 0", after), ("requeue 9", requested), ("wake 0", whole), ("own loop", own)]
}

#[test]
fn self_waking_controllers_are_throttled_and_reported() {
    let runs = Rc::new(Cell::new(0));
    for (name, controller) in restless(&runs) {
        runs.set(0);
        let mut world = World::with(Options { longest_chain: 100, ..Options::default() });
        world.create(&key("Nodes", "a"), 0);
        world.register(controller);
        assert!(world.host.settle_within(10_000), "{name} spins");
        world.pass(1_000);
        assert!((100..115).contains(&runs.get()), "{name}: {}", runs.get());
        let graph = world.runtime.graph();
        let lint = graph.lints.iter().find(|lint| lint.code == "runtime/livelock").expect(name);
        assert!(lint.message.starts_with("`q` wakes itself at once"), "{name}: {}", lint.message);
        assert!(world.view("q").livelock, "{name}");
        world.pass(60_000);
        assert!(runs.get() < 130, "{name}: {}", runs.get());
    }
}

#[test]
fn work_in_parts_and_calls_from_outside_are_no_loops() {
    let mut world = World::with(Options { longest_chain: 100, ..Options::default() });
    let (left, last) = (Rc::new(Cell::new(90)), Rc::new(RefCell::new(None)));
    let parts = left.clone();
    world.register(Controller::whole("parts").reconcile(move |_| {
        parts.set(parts.get() - 1);
        let action = if parts.get() > 0 { Action::RequeueAfter(Duration::ZERO) } else { Action::Done };
        async move { Ok(action) }
    }));
    let kept = last.clone();
    world.register(Controller::whole("called").reconcile(move |cx| {
        *kept.borrow_mut() = Some(cx);
        async { Ok(Action::Done) }
    }));
    world.settle();
    assert_eq!((left.get(), world.view("parts").livelock), (0, false));
    for _ in 0..300 {
        let cx = last.borrow_mut().take().expect("it ran");
        cx.wake(Duration::ZERO);
        world.settle();
    }
    assert_eq!((world.view("called").ok, world.view("called").livelock), (301, false));
}

#[test]
fn retry_after_nothing_waits_for_the_first_back_off() {
    let mut world = World::new();
    let diary = Diary::default();
    world.create(&key("Nodes", "a"), 0);
    let fails = script(|_, _| {
        Err(Failure::RetryAfter(planloom_runtime::Problem::new("test/busy", "busy"), Duration::ZERO))
    });
    world.register(noting("queue", kind("Nodes"), &diary, fails));
    world.pass(10_000);
    let times = diary.times();
    assert!((13..=41).contains(&times.len()), "{times:?}");
    assert!(times.windows(2).all(|pair| (250..=750).contains(&(pair[1] - pair[0]))), "{times:?}");
}

/// It holds what it reads and reads what it writes, so each run wakes itself; but each also finds something
/// new.
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

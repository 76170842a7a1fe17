//! Cases 63 to 65, and what the host has to bear: own loops, the end, loops of writes, idleness, long sleep.

use std::{cell::Cell, rc::Rc};

use planloom_runtime::{
    Action, AlreadyStarted, Controller, Failure, Options, Sharing, State, Timer as _, testing::Host,
};
use store::{Event, From, Query, Scope, Spec};

use crate::support::{Diary, World, done, draft, failure, key, kind, noting, script};

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

/// Each writes what the other reads, one more than it read.
fn growing(id: &str, from: &str, to: &str, runs: &Rc<Cell<u32>>) -> Controller {
    let (from, to, runs) = (key(from, "n"), key(to, "n"), runs.clone());
    Controller::whole(id).weak(from.kind.clone()).output(to.kind.clone(), Sharing::Exclusive).reconcile(
        move |cx| {
            runs.set(runs.get() + 1);
            let outcome = (|| {
                let number = cx.find(&from)?.map_or(Ok(0), |it| it.read::<i64>())?;
                cx.put(draft(&to, number + 1))?;
                Ok(Action::Done)
            })();
            async move { outcome }
        },
    )
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

#[test]
fn the_host_has_its_turn_every_sixteen_milliseconds() {
    let mut world = World::with(Options { longest_chain: u32::MAX, ..Options::default() });
    let runs = Rc::new(Cell::new(0));
    world.register(growing("ping", "Pings", "Pongs", &runs));
    world.register(growing("pong", "Pongs", "Pings", &runs));
    world.timer.tick(1);
    for _ in 0..200 {
        let before = world.timer.now();
        assert!(world.host.poll() || world.timer.fire());
        let took = world.timer.now().0 - before.0;
        assert!(took <= 16, "{took}");
    }
    assert!(runs.get() > 20, "{}", runs.get());
    // An event from outside does not shorten the host's turn.
    while world.host.poll() {}
    let before = runs.get();
    world.create(&key("Pings", "other"), 0);
    world.host.poll();
    assert_eq!(runs.get(), before);
    world.timer.fire();
    world.host.poll();
    assert!(runs.get() > before);
}

#[test]
fn an_idle_runtime_arms_no_timer_and_is_not_polled() {
    let mut world = World::new();
    let diary = Diary::default();
    for number in 0..10 {
        world.register(noting(&format!("q{number}"), kind("Nodes"), &diary, done()));
    }
    world.create(&key("Nodes", "a"), 0);
    world.settle();
    assert_eq!((diary.len(), world.timer.armed()), (10, 0));
    let polls = world.host.polls();
    world.pass(86_400_000);
    assert_eq!(world.host.polls(), polls);
}

#[test]
fn after_a_long_sleep_each_key_that_is_due_runs_once() {
    let mut world = World::new();
    let diary = Diary::default();
    let ids: Vec<String> = (0..40).map(|number| format!("n{number:02}")).collect();
    ids.iter().for_each(|id| drop(world.create(&key("Nodes", id), 0)));
    // Each is to be looked at again every so many seconds, at different times.
    let every = script(|_, key| {
        let number: u64 = key.id[1..].parse().unwrap_or_default();
        Ok(Action::RequeueAfter(5_000 + 1_000 * number))
    });
    world.register(noting("poller", kind("Nodes"), &diary, every));
    world.settle();
    assert_eq!(diary.take(), ids);
    assert_eq!(world.timer.armed(), 1);
    world.timer.advance(600_000);
    world.settle();
    assert_eq!(diary.take(), ids);
    assert_eq!(world.timer.armed(), 1);
}

#[test]
fn a_reader_that_fell_behind_misses_nothing() {
    let log = store::Options { log_entries: 8, ..store::Options::default() };
    let mut world = World::on(Options::default(), log, None);
    let sum = Controller::whole("sum")
        .weak(kind("Nodes"))
        .output(kind("Sums"), Sharing::Exclusive)
        .reconcile(|cx| {
            let outcome = (|| {
                let count = cx.list(&kind("Nodes"), &Query::all())?.len();
                cx.put(store::Draft::new(key("Sums", "all"), Spec::of(&count)?))?;
                Ok(Action::Done)
            })();
            async move { outcome }
        });
    let diary = Diary::default();
    world.register(sum);
    world.register(noting("each", kind("Nodes"), &diary, done()));
    world.create(&key("Nodes", "gone"), 0);
    world.settle();
    diary.take();
    world.destroy(&key("Nodes", "gone"));
    (0..20).for_each(|number| drop(world.create(&key("Nodes", &format!("n{number:02}")), number)));
    world.settle();
    assert_eq!(world.says(&key("Sums", "all")), Some(20));
    let mut seen = diary.take();
    seen.sort();
    assert_eq!((seen.len(), &*seen[0], &*seen[20]), (21, "gone", "n19"));
    assert_eq!(world.store.stats().resyncs(), 1);
    let mut watch = world.store.watch(Scope::Kind(kind("Sums"), Query::all()), From::Now).unwrap();
    world.settle();
    assert_eq!(watch.batch(), Vec::<Event>::new());
}

/// The run sees what no watch would show as a difference.
#[test]
fn what_a_run_saw_in_between_is_told_when_it_is_over() {
    let mut world = World::new();
    let (store, first) = (world.store.clone(), Cell::new(true));
    let count = Controller::whole("count").weak(kind("Nodes")).output(kind("Sums"), Sharing::Exclusive);
    world.register(count.reconcile(move |cx| {
        let (node, user) = (key("Nodes", "short"), store::Actor::user());
        let outcome = (|| {
            if first.get() {
                store.create(&user, draft(&node, 0))?;
            }
            let count = cx.list(&kind("Nodes"), &Query::all())?.len();
            if first.take() {
                store.destroy(&user, &node)?;
            }
            cx.put(store::Draft::new(key("Sums", "all"), Spec::of(&count)?))?;
            Ok(Action::Done)
        })();
        async move { outcome }
    }));
    world.settle();
    assert_eq!(world.says(&key("Sums", "all")), Some(0));
}

#[test]
fn everything_can_be_called_from_within_a_run() {
    let mut world = World::new();
    let diary = Diary::default();
    let (runtime, noted) = (world.runtime.clone(), diary.clone());
    let inner = noted.clone();
    world.register(Controller::whole("outer").reconcile(move |cx| {
        noted.note(cx.now(), format!("{:?}", runtime.inspect().controllers[0].state));
        assert_eq!(runtime.graph().controllers.len(), 1);
        let registered = runtime.register(noting("inner", kind("Nodes"), &inner, done()));
        let runtime = runtime.clone();
        async move {
            assert_eq!(registered, Ok(()));
            cx.sleep(10).await;
            runtime.stop();
            Ok(Action::Done)
        }
    }));
    world.create(&key("Nodes", "a"), 0);
    world.settle();
    assert_eq!(diary.take(), ["Running", "a"]);
    world.pass(10);
    assert!(world.host.ended());
}

//! Conditions of a host: slices, idleness, long sleep, readers that fall behind, calls from within.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    future::poll_fn,
    rc::Rc,
    task::{Poll, Waker},
    time::Duration,
};

use planloom_runtime::{Action, Controller, Input, Options, Sharing, Timer as _, mapper};
use store::{Event, From, Query, Scope, Spec};

use crate::{
    chain::growing,
    support::{Diary, World, done, draft, key, kind, noting, script},
};

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

/// The pending scripts of the page before the host has its turn: each takes 5 ms.
type Microtasks = Rc<RefCell<VecDeque<Waker>>>;

/// Continues in a microtask, like code that awaits a promise.
fn microtask(tasks: &Microtasks) -> impl Future<Output = ()> + use<> {
    let (tasks, mut waits) = (tasks.clone(), true);
    poll_fn(move |cx| {
        if !std::mem::take(&mut waits) {
            return Poll::Ready(());
        }
        tasks.borrow_mut().push_back(cx.waker().clone());
        Poll::Pending
    })
}

/// Runs everything before the host's next turn; returns how long that takes.
fn until_the_hosts_turn(world: &mut World, tasks: &Microtasks) -> i64 {
    let before = world.timer.now();
    loop {
        let task = tasks.borrow_mut().pop_front();
        match task {
            Some(waker) => {
                world.timer.advance(5);
                waker.wake();
            }
            None if world.host.poll() => {}
            None => return world.timer.now().0 - before.0,
        }
    }
}

#[test]
fn runs_that_go_on_in_microtasks_leave_the_host_its_turn() {
    let mut world = World::new();
    let (tasks, runs) = (Microtasks::default(), Rc::new(Cell::new(0)));
    let (later, ran) = (tasks.clone(), runs.clone());
    world.register(Controller::queue("busy").primary(kind("Nodes")).reconcile(move |_, _| {
        let (task, ran) = (microtask(&later), ran.clone());
        async move {
            task.await;
            ran.set(ran.get() + 1);
            Ok(Action::Done)
        }
    }));
    (0..400).for_each(|number| drop(world.create(&key("Nodes", &number.to_string()), number)));
    let mut turns = 0;
    while runs.get() < 400 {
        let took = until_the_hosts_turn(&mut world, &tasks);
        assert!(took <= 16, "{took} ms without a turn of the host");
        turns += 1;
        assert!(world.timer.fire() || runs.get() == 400);
    }
    assert!((125..=400).contains(&turns), "{turns}");
    world.settle();
    assert_eq!(world.timer.armed(), 0);
}

/// Runtime and page wake each other without end; the page is the busy one.
#[test]
fn a_page_that_answers_each_run_at_once_has_its_turn_too() {
    let mut world = World::new();
    let diary = Diary::default();
    world.create(&key("Nodes", "a"), 0);
    world.register(noting("queue", kind("Nodes"), &diary, done()));
    for turn in 1..10 {
        let before = world.timer.now();
        while world.host.poll() {
            world.timer.advance(3);
            world.set(&key("Nodes", "a"), world.timer.now().0);
            assert!(world.timer.now().0 - before.0 <= 16, "turn {turn}");
        }
        assert!(world.timer.fire());
    }
    assert!(diary.len() >= 18, "{}", diary.len());
}

#[test]
fn events_after_a_pause_are_handled_at_once() {
    let mut world = World::new();
    let diary = Diary::default();
    world.register(noting("queue", kind("Nodes"), &diary, done()));
    for number in 0..5 {
        world.create(&key("Nodes", &number.to_string()), 0);
        world.timer.advance(5_000);
        while world.host.poll() {}
        assert_eq!((diary.take().len(), world.timer.armed()), (1, 0));
    }
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
    // Each is to be run again at regular intervals, at different times.
    let every = script(|_, key| {
        let number: u64 = key.id[1..].parse().unwrap_or_default();
        Ok(Action::RequeueAfter(Duration::from_millis(5_000 + 1_000 * number)))
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
    let mut world = remembering(8);
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

/// A world whose store keeps so many past events; with 1, readers fall behind.
fn remembering(log_entries: usize) -> World {
    World::on(Options::default(), store::Options { log_entries, ..store::Options::default() }, None)
}

/// The run sees a state that no watch would show as a difference.
#[test]
fn changes_during_a_run_requeue_its_key() {
    [4096, 1].into_iter().for_each(short_lived);
}

fn short_lived(log_entries: usize) {
    let mut world = remembering(log_entries);
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

/// As above, but for the label of a part that was in a group only while its sum was computed.
#[test]
fn changes_during_a_run_requeue_mapped_keys() {
    [4096, 1].into_iter().for_each(moved_and_back);
}

fn moved_and_back(log_entries: usize) {
    let mut world = remembering(log_entries);
    let (part, user) = (key("Parts", "p"), store::Actor::user());
    for group in ["x", "y"] {
        world.create(&key("Groups", group), 0);
    }
    let (store, moved, first) = (world.store.clone(), part.clone(), Cell::new(true));
    let label = move |value: &str| {
        let change = |it: &mut store::Resource| {
            it.metadata.labels.insert("group".into(), value.into());
            Ok::<_, store::StoreError>(())
        };
        store.modify(&user, &moved, change).map(drop)
    };
    let counts = Controller::queue("counts")
        .primary(kind("Groups"))
        .mapped(Input::weak(kind("Parts")), mapper::by_label(kind("Groups"), "group"))
        .output(kind("Counts"), Sharing::Exclusive);
    world.register(counts.reconcile(move |cx, group| {
        let outcome = (|| {
            let moves = &*group.id == "y" && first.take();
            if moves {
                label("y")?;
            }
            let count = cx.list(&kind("Parts"), &Query::label("group", group.id.clone()))?.len();
            if moves {
                label("x")?;
            }
            cx.put(store::Draft::new(key("Counts", &group.id), Spec::of(&count)?))?;
            Ok(Action::Done)
        })();
        async move { outcome }
    }));
    world.create(&part, 0);
    world.settle();
    assert_eq!(["x", "y"].map(|group| world.says(&key("Counts", group))), [Some(1), Some(0)]);
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
            cx.sleep(Duration::from_millis(10)).await;
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

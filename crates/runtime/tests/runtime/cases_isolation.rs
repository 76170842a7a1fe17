//! Panics natively, hooks at the start and the end, and runs that a teardown ends.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::{cell::Cell, rc::Rc, time::Duration};

use planloom_runtime::{Action, Context, Controller, Failure, State};

use crate::support::{Diary, World, key, kind, noting_whole};

/// A future that panics at its first poll the first so many times, then succeeds.
#[cfg(not(target_arch = "wasm32"))]
fn panicking(
    times: usize,
    runs: &Rc<Cell<usize>>,
) -> impl Fn(Context) -> std::future::Ready<planloom_runtime::Outcome> + use<> {
    let runs = runs.clone();
    move |_| {
        runs.set(runs.get() + 1);
        assert!(runs.get() > times, "number {} is odd", runs.get());
        std::future::ready(Ok(Action::Done))
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn a_panic_fails_one_controller_which_is_restarted_with_back_off() {
    let mut world = World::new();
    let (runs, diary) = (Rc::new(Cell::new(0)), Diary::default());
    world.register(Controller::whole("broken").weak(kind("Nodes")).reconcile(panicking(2, &runs)));
    world.register(noting_whole("well", kind("Nodes"), &diary));
    world.settle();
    let view = world.view("broken");
    let error = view.last_error.unwrap();
    assert_eq!((view.state, view.failed, runs.get()), (State::BackOff, 1, 1));
    assert_eq!((&*error.code, &*error.message), ("runtime/panicked", "it panicked: number 1 is odd"));
    world.create(&key("Nodes", "a"), 0);
    world.settle();
    assert_eq!(diary.take(), ["*", "*"]);
    world.pass(60_000);
    let view = world.view("broken");
    assert_eq!((view.state, view.failed, view.ok), (State::Idle, 2, 1));
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn a_panic_after_an_await_and_one_of_a_manual_controller_are_retried_too() {
    let mut world = World::new();
    let runs = Rc::new(Cell::new(0));
    let begun = runs.clone();
    world.register(Controller::manual("loop").weak(kind("Nodes")).run(move |cx| {
        begun.set(begun.get() + 1);
        let number = begun.get();
        async move {
            cx.sleep(Duration::from_millis(10)).await;
            assert!(number > 1, "the first one");
            Ok(())
        }
    }));
    world.pass(5_000);
    let view = world.view("loop");
    assert_eq!((view.state, view.failed, view.ok, runs.get()), (State::Finished, 1, 1, 2));
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn a_mapping_that_panics_is_retried() {
    let mut world = World::new();
    let (times, diary) = (Rc::new(Cell::new(0)), Diary::default());
    let (counted, noted) = (times.clone(), diary.clone());
    let mapped = planloom_runtime::Input::weak(kind("Links"));
    let queue = Controller::queue("queue").primary(kind("Nodes")).mapped(mapped, move |_, link| {
        counted.set(counted.get() + 1);
        assert!(counted.get() > 1, "not yet");
        vec![key("Nodes", link.id().as_ref())]
    });
    world.register(queue.reconcile(move |cx, key| {
        noted.note(cx.now(), &*key.id);
        async { Ok(Action::Done) }
    }));
    world.create(&key("Links", "a"), 0);
    world.pass(5_000);
    assert_eq!((diary.take(), world.view("queue").failed), (vec!["a".to_owned()], 1));
}

#[test]
fn a_run_hook_is_a_task_beside_the_runs_that_is_restarted_until_it_succeeds() {
    let mut world = World::new();
    let (runs, diary) = (Rc::new(Cell::new(0)), Diary::default());
    let (begun, noted) = (runs.clone(), diary.clone());
    let queue = Controller::queue("queue").primary(kind("Nodes")).run_hook(move |cx| {
        begun.set(begun.get() + 1);
        let number = begun.get();
        async move {
            cx.sleep(Duration::from_secs(1)).await;
            cx.requeue(&key("Nodes", "from-outside"), Duration::ZERO);
            if number == 1 { Err(Failure::retry("test/lost", "the connection was lost")) } else { Ok(()) }
        }
    });
    world.register(queue.reconcile(move |cx, key| {
        noted.note(cx.now(), &*key.id);
        async { Ok(Action::Done) }
    }));
    world.create(&key("Nodes", "a"), 0);
    world.settle();
    // It takes no place of a run, although there is only one.
    assert_eq!((diary.take(), world.view("queue").running, runs.get()), (vec!["a".to_owned()], 0, 1));
    world.pass(600_000);
    let view = world.view("queue");
    assert_eq!(diary.take(), ["from-outside", "from-outside"]);
    assert_eq!((runs.get(), view.failed, view.state, world.timer.armed()), (2, 1, State::Idle, 0));
}

#[test]
fn a_run_that_waits_for_what_the_hook_delivers_does_not_keep_it_from_being_restarted() {
    let mut world = World::new();
    let runs = Rc::new(Cell::new(0));
    let (begun, delivered) = (runs.clone(), runs.clone());
    let queue = Controller::queue("queue").primary(kind("Nodes")).run_hook(move |_| {
        begun.set(begun.get() + 1);
        let number = begun.get();
        async move {
            if number == 1 { Err(Failure::retry("test/lost", "the connection was lost")) } else { Ok(()) }
        }
    });
    world.register(queue.reconcile(move |cx, _| {
        let delivered = delivered.clone();
        async move {
            while delivered.get() < 2 {
                cx.sleep(Duration::from_secs(1)).await;
            }
            Ok(Action::Done)
        }
    }));
    world.create(&key("Nodes", "a"), 0);
    world.pass(600_000);
    let view = world.view("queue");
    assert_eq!((runs.get(), view.failed, view.running, view.state), (2, 1, 0, State::Idle));
}

#[test]
fn shutdown_hooks_are_called_once_after_all_runs_the_last_registered_first() {
    let mut world = World::new();
    let diary = Diary::default();
    for id in ["first", "second"] {
        let (noted, ended) = (diary.clone(), diary.clone());
        let endless =
            Controller::whole(id).weak(kind("Nodes")).output(kind(id), planloom_runtime::Sharing::Exclusive);
        let endless = endless.reconcile(move |cx| {
            let guard = OnDrop(noted.clone(), cx.clone());
            async move {
                cx.sleep(Duration::MAX).await;
                drop(guard);
                Ok(Action::Done)
            }
        });
        world.register(endless.shutdown_hook(move |cx| {
            ended.note(cx.now(), format!("end of {}", cx.id()));
            cx.put(crate::support::draft(&key(cx.id().as_ref(), "last"), 1))?;
            Err(Failure::retry("test/late", "it is too late"))
        }));
    }
    world.settle();
    world.runtime.stop();
    world.settle();
    assert!(world.host.ended());
    assert_eq!(diary.take(), ["run dropped", "run dropped", "end of second", "end of first"]);
    assert_eq!((world.says(&key("first", "last")), world.view("second").failed), (Some(1), 1));
}

/// Notes that a run was dropped.
struct OnDrop(Diary, Context);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.note(self.1.now(), "run dropped");
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn a_shutdown_hook_that_panics_keeps_no_other_from_being_called() {
    let mut world = World::new();
    let diary = Diary::default();
    let noted = diary.clone();
    world.register(noting_whole("first", kind("Nodes"), &diary).shutdown_hook(move |cx| {
        noted.note(cx.now(), "called");
        Ok(())
    }));
    world.register(noting_whole("second", kind("Nodes"), &diary).shutdown_hook(|_| panic!("no")));
    world.settle();
    diary.take();
    world.runtime.stop();
    world.settle();
    assert_eq!((diary.take(), world.view("second").failed), (vec!["called".to_owned()], 1));
}

#[test]
fn a_teardown_ends_a_run_that_waits_and_frees_its_place() {
    let mut world = World::new();
    let diary = Diary::default();
    let noted = diary.clone();
    world.create(&key("Nodes", "slow"), 0);
    world.register(Controller::queue("queue").primary(kind("Nodes")).reconcile(move |cx, key| {
        let noted = noted.clone();
        async move {
            let waited = cx.until_teardown(&key, cx.sleep(Duration::from_secs(3_600))).await?;
            noted.note(
                cx.now(),
                format!("{} {}", key.id, if waited.is_some() { "waited" } else { "torn down" }),
            );
            Ok(Action::Done)
        }
    }));
    world.settle();
    world.create(&key("Nodes", "next"), 0);
    world.pass(10_000);
    assert_eq!((diary.len(), world.view("queue").queue), (0, 1));
    world.teardown(&key("Nodes", "slow"));
    world.pass(10_000);
    assert_eq!(diary.take(), ["slow torn down"]);
    world.pass(3_600_000);
    // The run that the teardown itself causes had to wait for its turn.
    assert_eq!(diary.take(), ["next waited", "slow torn down"]);
    assert_eq!(world.timer.armed(), 0);
}

#[test]
fn waiting_for_a_teardown_needs_the_right_to_read() {
    let mut world = World::new();
    world.register(Controller::whole("nosy").weak(kind("Nodes")).reconcile(|cx| async move {
        let waited = cx.until_teardown(&key("Secrets", "a"), std::future::ready(())).await;
        assert!(waited.is_err_and(|error| !error.is_not_found()));
        let gone = cx.until_teardown(&key("Nodes", "gone"), std::future::pending::<()>()).await;
        assert_eq!(gone, Ok::<_, planloom_runtime::CallError>(None));
        Ok::<_, Failure>(Action::Done)
    }));
    world.settle();
    assert_eq!(world.view("nosy").ok, 1);
}

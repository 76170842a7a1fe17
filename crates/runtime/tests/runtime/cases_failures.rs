//! Cases 49, 50, 53, 54 and 56: failed runs.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::{cell::Cell, rc::Rc, time::Duration};

use planloom_runtime::{Action, Context, Controller, Failure, Input, Options, Outcome, State};
use store::{Key, Spec};

use crate::support::{Diary, Script, World, failure, key, kind, noting, script};

/// Fails so many times, then succeeds once, and so on.
fn pattern(ends: impl Fn(usize) -> Outcome + 'static) -> Script {
    let number = Cell::new(0);
    script(move |_, _| {
        number.set(number.get() + 1);
        ends(number.get())
    })
}

fn waits(times: &[i64]) -> Vec<i64> {
    times.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn case_49_what_fails_is_tried_again_later_and_later_until_it_goes_well() {
    let run = |seed| {
        let mut world = World::with(Options { seed, ..Options::default() });
        let diary = Diary::default();
        world.create(&key("Nodes", "a"), 0);
        let fails = pattern(|number| {
            if number == 4 { Ok(Action::RequeueAfter(Duration::from_secs(60))) } else { Err(failure()) }
        });
        world.register(noting("queue", kind("Nodes"), &diary, fails));
        world.pass(65_000);
        waits(&diary.times())
    };
    for seed in 0..20 {
        let waited = run(seed);
        let expected = [500, 750, 1_125, 60_000, 500];
        for (waited, expected) in waited.iter().zip(expected) {
            let jitter = if expected == 60_000 { 0 } else { expected / 2 };
            assert!((expected - jitter..=expected + jitter).contains(waited), "{waited} for {expected}");
        }
        assert!(waited.len() >= 5, "{waited:?}");
        assert_eq!(run(seed), waited);
    }
    assert_ne!(run(1), run(2));
}

#[test]
fn case_50_a_child_that_was_cancelled_is_a_failure_and_the_end_of_the_runtime_is_none() {
    let mut world = World::new();
    let diary = Diary::default();
    world.create(&key("Nodes", "a"), 0);
    let aborted = pattern(|number| match number {
        1 => Err(Failure::retry("http/aborted", "the request was aborted")),
        _ => Ok(Action::Done),
    });
    world.register(noting("fetcher", kind("Nodes"), &diary, aborted));
    world.settle();
    assert_eq!((diary.len(), world.view("fetcher").failed), (1, 1));
    assert_eq!(world.view("fetcher").state, State::BackOff);
    world.pass(1_000);
    let view = world.view("fetcher");
    assert_eq!((diary.len(), view.ok, view.failed, view.state), (2, 1, 1, State::Idle));

    world.register(Controller::whole("endless").reconcile(|cx| async move {
        cx.sleep(Duration::MAX).await;
        Ok(Action::Done)
    }));
    world.settle();
    assert_eq!(world.view("endless").state, State::Running);
    world.runtime.stop();
    world.settle();
    let view = world.view("endless");
    assert!(world.host.ended());
    assert_eq!((view.ok, view.failed, view.state), (0, 0, State::Stopped));
}

#[test]
fn case_53_what_was_given_up_is_tried_again_when_it_is_something_else() {
    let mut world = World::new();
    let diary = Diary::default();
    let node = key("Nodes", "a");
    world.create(&node, 0);
    (1..4).for_each(|spec| world.set(&node, spec));
    let terminal = script(|_, _| Err(Failure::terminal("test/refused", "the spec makes no sense")));
    world.register(noting("queue", kind("Nodes"), &diary, terminal));
    world.settle();
    assert_eq!((diary.take().len(), world.find(&node).unwrap().metadata.generation), (1, 4));
    world.label(&node, "note", "x");
    world.store.add_finalizers(&node, ["somebody"]).unwrap();
    world.pass(600_000);
    assert_eq!(diary.len(), 0);
    assert_eq!(world.view("queue").given_up, 1);
    world.set(&node, 9);
    world.settle();
    assert_eq!((diary.take().len(), world.find(&node).unwrap().metadata.generation), (1, 5));
    world.teardown(&node);
    world.settle();
    assert_eq!(diary.len(), 1);
}

#[test]
fn case_54_a_skipped_run_is_neither_a_failure_nor_tried_again() {
    let mut world = World::new();
    let diary = Diary::default();
    world.create(&key("Nodes", "a"), 0);
    let skips = script(|_, _| Ok(Action::Skip("no quota yet".into())));
    world.register(noting("queue", kind("Nodes"), &diary, skips));
    world.pass(600_000);
    let view = world.view("queue");
    assert_eq!((diary.len(), view.skipped, view.failed, view.ok), (1, 1, 0, 0));
    assert_eq!(view.last_skip.as_deref(), Some("no quota yet"));
    assert_eq!(world.timer.armed(), 0);
}

#[test]
fn case_56_a_mapping_to_what_is_no_primary_fails_alone() {
    let mut world = World::new();
    let diary = Diary::default();
    world.create(&key("Nodes", "a"), 0);
    let noted = diary.clone();
    let map = |_: &_, link: &store::Resource| -> Vec<Key> {
        let names: Vec<String> = link.read().unwrap();
        names.iter().map(|name| key(name, "a")).collect()
    };
    let mapped = Controller::queue("queue").primary(kind("Nodes")).mapped(Input::weak(kind("Links")), map);
    world.register(mapped.reconcile(move |cx, key| {
        noted.note(cx.now(), key.to_string());
        async { Ok(Action::Done) }
    }));
    world.settle();
    diary.take();
    let link = |id: &str, to: &[&str]| {
        let draft = store::Draft::new(key("Links", id), Spec::of(to).unwrap());
        world.store.create(&store::Actor::user(), draft).unwrap();
    };
    link("wrong", &["Others"]);
    link("right", &["Nodes"]);
    world.settle();
    assert_eq!(diary.take(), ["app/Nodes/a"]);
    let view = world.view("queue");
    let error = view.last_error.unwrap();
    assert_eq!((view.failed, &*error.code), (1, "runtime/map-target"));
    let expected = "`app/Links/wrong` was mapped to `app/Others/a`, which no primary input covers";
    assert_eq!(error.message, expected);
}

/// Counts for each group the parts that name it; the mapping fails while the flag is set.
fn counting(fails: &Rc<Cell<bool>>, diary: &Diary) -> Controller {
    let (fails, noted) = (fails.clone(), diary.clone());
    let map = move |_: &Context, part: &store::Resource| match fails.get() {
        true => Err(Failure::retry("test/unmapped", "the group is not known yet")),
        false => Ok(vec![key("Groups", &format!("g{}", part.read::<i64>()?))]),
    };
    let counts = Controller::queue("counts").primary(kind("Groups"));
    counts.try_mapped(Input::weak(kind("Parts")), map).reconcile(move |cx, group| {
        noted.note(cx.now(), &*group.id);
        async { Ok(Action::Done) }
    })
}

#[test]
fn a_mapping_that_fails_is_retried_until_the_affected_run_is_woken() {
    let mut world = World::new();
    let (fails, diary) = (Rc::new(Cell::new(false)), Diary::default());
    (0..4).for_each(|group| drop(world.create(&key("Groups", &format!("g{group}")), 0)));
    world.create(&key("Parts", "p"), 1);
    world.register(counting(&fails, &diary));
    world.settle();
    diary.take();
    fails.set(true);
    world.set(&key("Parts", "p"), 2);
    world.settle();
    let view = world.view("counts");
    assert_eq!((diary.len(), view.failed, view.state), (0, 2, State::BackOff));
    assert!(view.backoff_until.is_some_and(|until| (250..=750).contains(&until.0)));
    // States between two failures are mapped in the end, too.
    world.pass(10_000);
    world.set(&key("Parts", "p"), 3);
    world.pass(90_000);
    let failed = world.view("counts").failed;
    assert!((20..60).contains(&failed) && diary.len() == 0, "{failed}");
    fails.set(false);
    world.pass(60_000);
    assert_eq!(diary.take(), ["g1", "g2", "g3"]);
    world.pass(600_000);
    let view = world.view("counts");
    assert_eq!((diary.len(), view.state, view.backoff_until, world.timer.armed()), (0, State::Idle, None, 0));
}

#[test]
fn all_primaries_are_woken_after_too_many_unmapped_states() {
    let mut world = World::new();
    let (fails, diary) = (Rc::new(Cell::new(false)), Diary::default());
    (0..100).for_each(|group| drop(world.create(&key("Groups", &format!("g{group}")), 0)));
    world.create(&key("Parts", "p"), 0);
    world.register(counting(&fails, &diary));
    world.settle();
    diary.take();
    fails.set(true);
    for group in 1..90 {
        world.set(&key("Parts", "p"), group);
        world.settle();
    }
    fails.set(false);
    world.pass(60_000);
    assert_eq!((diary.len(), world.timer.armed()), (100, 0));
}

#[test]
fn a_mapping_that_never_goes_well_is_given_up() {
    let mut world = World::new();
    let map = |_: &Context, _: &store::Resource| Err(Failure::terminal("test/refused", "it makes no sense"));
    let counts = Controller::queue("counts").primary(kind("Groups"));
    let counts = counts.try_mapped(Input::weak(kind("Parts")), map);
    world.register(counts.reconcile(|_, _| async { Ok(Action::Done) }));
    world.create(&key("Parts", "p"), 0);
    world.pass(600_000);
    let view = world.view("counts");
    assert_eq!((view.failed, view.state, world.timer.armed()), (1, State::Idle, 0));
}

#[test]
fn retry_after_sets_the_delay_without_increasing_the_back_off() {
    let mut world = World::new();
    let diary = Diary::default();
    world.create(&key("Nodes", "a"), 0);
    let busy = pattern(|number| match number {
        1..=5 => Err(Failure::RetryAfter(
            planloom_runtime::Problem::new("http/429", "slow down"),
            Duration::from_secs(7),
        )),
        6 => Err(failure()),
        _ => Ok(Action::Done),
    });
    world.register(noting("queue", kind("Nodes"), &diary, busy));
    world.pass(60_000);
    let waited = waits(&diary.times());
    assert_eq!(&waited[..5], [7_000; 5]);
    assert!((250..=750).contains(&waited[5]), "{waited:?}");
    assert_eq!(waited.len(), 6);
}

#[test]
fn a_change_brings_forward_what_backs_off() {
    let mut world = World::new();
    let diary = Diary::default();
    let node = key("Nodes", "a");
    world.create(&node, 0);
    let shown = Rc::new(Cell::new(0));
    let seen = shown.clone();
    let fails = script(move |cx, key| {
        seen.set(cx.get(key)?.read()?);
        Err(failure())
    });
    world.register(noting("queue", kind("Nodes"), &diary, fails));
    world.pass(100_000);
    diary.take();
    world.set(&node, 5);
    world.settle();
    assert_eq!((diary.len(), shown.get()), (1, 5));
}

//! Laws for all inputs and all schedules.

use std::{cell::Cell, collections::BTreeMap, time::Duration};

use planloom_runtime::{
    Action, Controller, Options, Schedule, Sharing,
    generic::{Destroy, Rollup, Transform},
};
use proptest::{collection, prelude::*};
use store::{Actor, Draft, Phase, Query, Spec};

use crate::{
    chain,
    support::{World, draft, failure, key, kind},
};

/// An act of a user on a descriptor, and how often the host polls before the next.
#[derive(Clone, Debug)]
struct Step {
    id: usize,
    act: Act,
    polls: usize,
}

#[derive(Clone, Debug)]
enum Act {
    Set(i64),
    Group(usize),
    Remove,
}

const GROUPS: [&str; 3] = ["x", "y", "z"];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let act = prop_oneof![
        3 => (0..50_i64).prop_map(Act::Set),
        1 => (0..GROUPS.len()).prop_map(Act::Group),
        1 => Just(Act::Remove),
    ];
    let step = (0..5_usize, act, 0..6_usize).prop_map(|(id, act, polls)| Step { id, act, polls });
    collection::vec(step, 1..25)
}

fn weather() -> impl Strategy<Value = Weather> {
    let entries = prop_oneof![Just(1_usize), Just(3), Just(4096)];
    (any::<u64>(), 0..3_i64, entries).prop_map(|(seed, ticks, log_entries)| Weather {
        seed,
        ticks,
        log_entries,
    })
}

/// The conditions under which a law is tested.
#[derive(Clone, Copy, Debug)]
struct Weather {
    seed: u64,
    /// The number of milliseconds that each read of the clock takes.
    ticks: i64,
    /// The number of past events that the store keeps: a small one makes readers fall behind.
    log_entries: usize,
}

/// A chain, a rollup of it by label, a slow sum over everything, one that often fails, and a sweeper.
fn world(Weather { seed, ticks, log_entries }: Weather) -> World {
    let options =
        Options { seed, schedule: Schedule::Shuffled, slice: Duration::from_millis(1), ..Options::default() };
    let world = World::on(options, store::Options { log_entries, ..store::Options::default() }, None);
    world.timer.tick(ticks);
    let tries = Cell::new(0);
    world.register(Transform::new("flaky", kind("Descriptors"), kind("Copies")).concurrency(2).make(
        move |_, it| {
            tries.set(tries.get() + 1);
            match tries.get() % 3 {
                1 => Err(failure()),
                _ => Ok(Some(Draft::new(key("Copies", "?"), it.spec.clone()))),
            }
        },
    ));
    chain::plans(&world);
    world.register(Destroy::new("gc", kind("Descriptors")).controller());
    let groups = Rollup::new("groups", kind("Descriptors"), kind("Groups"), "group").make(|_, parts| {
        let sum: Result<Vec<i64>, _> = parts.iter().map(|part| part.read()).collect();
        Ok(Some(Draft::new(key("Groups", "?"), Spec::of(&sum?.iter().sum::<i64>())?)))
    });
    world.register(groups);
    let slow = Controller::whole("sum").weak(kind("Reports")).output(kind("Sums"), Sharing::Exclusive);
    world.register(slow.reconcile(|cx| async move {
        cx.sleep(Duration::from_millis(3)).await;
        let reports = cx.list(&kind("Reports"), &Query::all())?;
        let sum: Result<Vec<i64>, _> = reports.iter().map(|it| it.read()).collect();
        cx.put(draft(&key("Sums", "all"), sum?.iter().sum()))?;
        Ok(Action::Done)
    }));
    world
}

impl Step {
    fn take(&self, world: &mut World) {
        let key = key("Descriptors", &format!("d{}", self.id));
        // A user that creates it again waits until the old one is gone.
        if world.phase(&key) == Some(Phase::TearingDown) && !matches!(self.act, Act::Remove) {
            world.settle();
        }
        let there = world.phase(&key).is_some();
        match &self.act {
            Act::Set(spec) if there => world.set(&key, *spec),
            Act::Set(spec) => drop(world.create(&key, *spec)),
            Act::Group(group) if there => world.label(&key, "group", GROUPS[*group]),
            Act::Remove if there => drop(world.teardown(&key)),
            Act::Group(_) | Act::Remove => {}
        }
        for _ in 0..self.polls {
            if !world.host.poll() {
                world.timer.fire();
            }
        }
    }
}

/// The final content of the store, without writers and times.
fn picture(world: &World) -> BTreeMap<String, (String, Phase, Vec<String>)> {
    let stats = world.store.stats();
    let all = stats
        .kinds
        .keys()
        .flat_map(|kind| world.store.list(kind, &Query::all()).iter().cloned().collect::<Vec<_>>());
    let line = |it: std::sync::Arc<store::Resource>| {
        let finalizers = it.metadata.finalizers.iter().map(ToString::to_string).collect();
        (it.key().to_string(), (it.spec.text().to_owned(), it.metadata.phase, finalizers))
    };
    all.map(line).collect()
}

/// The expected outputs, given the inputs.
fn expected(world: &World) -> BTreeMap<String, i64> {
    let mut said = BTreeMap::new();
    let mut sum = 0;
    for input in &world.store.list(&kind("Descriptors"), &Query::all()) {
        let number: i64 = input.read().unwrap();
        let id = input.id();
        said.insert(format!("app/Descriptors/{id}"), number);
        for (of, says) in [
            ("Copies", number),
            ("Plans", number * 2),
            ("Deployments", number * 2 + 1),
            ("Reports", number * 2 + 2),
        ] {
            said.insert(format!("app/{of}/{id}"), says);
        }
        if let Some(group) = input.metadata.labels.get("group") {
            *said.entry(format!("app/Groups/{group}")).or_default() += number;
        }
        sum += number * 2 + 2;
    }
    said.insert("app/Sums/all".to_owned(), sum);
    said
}

fn run(steps: &[Step], weather: Weather) -> World {
    let mut world = world(weather);
    steps.iter().for_each(|step| step.take(&mut world));
    world.pass(60_000);
    world
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_schedule_ends_in_the_same_outputs(
        steps in steps(), weathers in collection::vec(weather(), 3)
    ) {
        let mut first = None;
        for weather in weathers {
            let mut world = run(&steps, weather);
            let said: BTreeMap<_, i64> =
                picture(&world).into_iter().map(|(key, (spec, ..))| (key, spec.parse().unwrap())).collect();
            prop_assert_eq!(&said, &expected(&world));
            let picture = picture(&world);
            let revision = world.store.revision();
            world.pass(600_000);
            prop_assert_eq!(world.store.revision(), revision);
            prop_assert_eq!(world.timer.armed(), 0);
            prop_assert_eq!(world.runtime.graph().lints, []);
            prop_assert_eq!(first.get_or_insert_with(|| picture.clone()), &picture);
        }
    }

    #[test]
    fn a_seed_repeats_its_schedule(steps in steps(), weather in weather()) {
        let history = |world: &World| {
            let views = world.runtime.inspect().controllers;
            let counts: Vec<_> = views.iter().map(|it| (it.wakes, it.ok, it.failed)).collect();
            (world.store.revision(), counts, world.host.polls())
        };
        prop_assert_eq!(history(&run(&steps, weather)), history(&run(&steps, weather)));
    }

    /// Only its owner writes a resource, whatever is tried.
    #[test]
    fn the_owner_is_who_created_it(steps in steps(), weather in weather()) {
        let world = run(&steps, weather);
        for plan in &world.store.list(&kind("Plans"), &Query::all()) {
            prop_assert_eq!(plan.metadata.owner.as_deref(), Some("planner"));
            let other = Actor::named("deployer");
            prop_assert!(world.store.destroy(&other, plan.key()).unwrap_err().is_conflict());
        }
    }
}

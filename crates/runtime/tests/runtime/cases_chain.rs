//! Cases 60 to 62: teardown along a chain.

use std::time::Duration;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use planloom_runtime::{Action, Controller, Options, generic::Transform};
use store::{Actor, BackingStore as _, Draft, Event, From, MemoryBacking, Phase, Query, Scope, Watch};

use crate::{
    chain,
    support::{World, draft, key, kind},
};

/// The creations and destructions of a kind in a watch.
fn alive(watch: &mut Watch, alive: &mut bool) -> Vec<bool> {
    let mut seen = Vec::new();
    for event in watch.batch() {
        match event {
            Event::Created { .. } => *alive = true,
            Event::Destroyed { .. } => *alive = false,
            _ => continue,
        }
        seen.push(*alive);
    }
    seen
}

#[test]
fn case_60_a_chain_is_torn_down_from_its_end() {
    let mut world = World::with(Options { slice: Duration::from_millis(1), ..Options::default() });
    // Each read of the clock uses up a slice, so the state is observed after each single unit of work.
    world.timer.tick(1);
    chain::plans(&world);
    let (descriptor, plan, deployment) =
        (key("Descriptors", "d"), key("Plans", "d"), key("Deployments", "d"));
    world.create(&descriptor, 20);
    world.settle();
    assert_eq!((world.says(&plan), world.says(&deployment)), (Some(40), Some(41)));
    assert_eq!(world.finalizers(&descriptor), ["planner"]);
    assert_eq!(world.finalizers(&plan), ["deployer"]);
    let open = |of: &str| world.store.watch(Scope::Kind(kind(of), Query::all()), From::Now).unwrap();
    let (mut plans, mut deployments) = (open("Plans"), open("Deployments"));
    assert!(!world.teardown(&descriptor));
    let mut steps = 0;
    while world.host.poll() || world.timer.fire() {
        let there = [&descriptor, &plan, &deployment].map(|key| world.find(key).is_some());
        assert!(there[0] && (there[1] || !there[2]), "{there:?}");
        steps += 1;
    }
    assert!(steps > 5, "{steps}");
    let (mut plan_alive, mut deployment_alive) = (true, true);
    assert_eq!(alive(&mut deployments, &mut deployment_alive), [false]);
    assert_eq!(alive(&mut plans, &mut plan_alive), [false]);
    assert_eq!(world.finalizers(&descriptor), [""; 0]);
    world.destroy(&descriptor);
    world.settle();
    let left: usize = world.store.stats().kinds.values().map(|kind| kind.resources).sum();
    assert_eq!(left, 0);
}

#[test]
fn case_61_an_output_that_is_leaving_keeps_what_it_says_until_it_is_gone() {
    let mut world = World::new();
    let to = kind("Plans");
    let planner = Transform::new("planner", kind("Descriptors"), to.clone())
        .make(move |_, input| Ok(Some(Draft::new(to.key(input.id().clone()), input.spec.clone()))));
    world.register(planner);
    let (descriptor, plan) = (key("Descriptors", "d"), key("Plans", "d"));
    world.create(&descriptor, 1);
    world.settle();
    world.store.add_finalizers(&plan, ["reader"]).unwrap();
    world.teardown(&descriptor);
    world.settle();
    assert_eq!(world.phase(&plan), Some(Phase::TearingDown));
    // The input is destroyed although it is held, and created again.
    world.store.remove_finalizers(&descriptor, ["planner"]).unwrap();
    world.destroy(&descriptor);
    world.create(&descriptor, 2);
    world.settle();
    assert_eq!((world.says(&plan), world.phase(&plan)), (Some(1), Some(Phase::TearingDown)));
    let before = world.find(&plan).unwrap().metadata.uid;
    world.store.remove_finalizers(&plan, ["reader"]).unwrap();
    world.settle();
    let after = world.find(&plan).unwrap().metadata.clone();
    assert_eq!((world.says(&plan), after.phase), (Some(2), Phase::Running));
    assert_ne!(after.uid, before);
    assert_eq!(world.finalizers(&descriptor), ["planner"]);
}

#[test]
fn case_62_outputs_whose_input_is_gone_are_swept_at_the_start() {
    let backing = MemoryBacking::default();
    let on = |backing: &MemoryBacking| {
        let backing: Box<dyn store::BackingStore> = Box::new(backing.clone());
        World::on(Options::default(), store::Options::default(), Some(backing))
    };
    let (torn_down, running, foreign) = (key("Plans", "a"), key("Plans", "b"), key("Plans", "c"));
    let before = on(&backing);
    let planner = Actor::named("planner");
    before.store.create(&planner, draft(&torn_down, 1)).unwrap();
    before.store.teardown(&planner, &torn_down).unwrap();
    before.store.create(&planner, draft(&running, 1)).unwrap();
    before.store.create(&Actor::named("other"), draft(&foreign, 1)).unwrap();
    drop(before);
    let mut world = on(&backing);
    world.register(
        Transform::new("planner", kind("Descriptors"), kind("Plans")).shared().make(|_, _| Ok(None)),
    );
    world.settle();
    let left: Vec<String> =
        world.store.list(&kind("Plans"), &Query::all()).iter().map(|it| it.key().to_string()).collect();
    assert_eq!(left, [foreign.to_string()]);
    assert_eq!(world.view("planner").wakes, 2, "what is another's is not looked at");
    drop(world);
    let mut kept = Vec::new();
    backing.clone().load(&mut |resource| kept.push(resource.key().to_string())).unwrap();
    assert_eq!(kept, [foreign.to_string()]);
}

#[test]
fn a_manual_controller_can_hold_the_protocol_too() {
    let mut world = World::new();
    world.create(&key("Descriptors", "d"), 1);
    let own_loop = Controller::manual("own").strong(kind("Descriptors")).run(|cx| async move {
        loop {
            cx.wait_for_changes().await;
            for descriptor in &cx.list(&kind("Descriptors"), &Query::all())? {
                match descriptor.metadata.phase {
                    Phase::Running => drop(cx.hold(descriptor.key())?),
                    Phase::TearingDown => cx.release(descriptor.key())?,
                }
            }
        }
    });
    world.register(own_loop);
    world.settle();
    assert_eq!(world.finalizers(&key("Descriptors", "d")), ["own"]);
    assert!(!world.teardown(&key("Descriptors", "d")));
    world.settle();
    assert!(world.teardown(&key("Descriptors", "d")));
    let _: Action = Action::Done;
}

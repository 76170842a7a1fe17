//! Cases 57 to 59: inputs that change, and destroy-ready inputs.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use planloom_runtime::{Action, Context, Controller, Input, Sharing};
use std::{cell::RefCell, rc::Rc};
use store::{Actor, Query};

use crate::support::{Diary, World, draft, key, kind};

/// A whole-set controller that records its runs; the context of the last one is left in the cell.
fn watcher(id: &str, inputs: Vec<Input>, diary: &Diary) -> (Controller, Rc<RefCell<Option<Context>>>) {
    let place = Rc::new(RefCell::new(None));
    let (left, diary) = (place.clone(), diary.clone());
    let builder = inputs.into_iter().fold(Controller::whole(id), |builder, input| builder.input(input));
    let controller = builder.output(kind("Plans"), Sharing::Shared).reconcile(move |cx| {
        diary.note(cx.now(), "*");
        *left.borrow_mut() = Some(cx);
        async { Ok(Action::Done) }
    });
    (controller, place)
}

#[test]
fn case_57_a_new_input_wakes_once_and_a_removed_one_no_longer() {
    let mut world = World::new();
    let diary = Diary::default();
    let (controller, place) = watcher("whole", vec![Input::weak(kind("Nodes"))], &diary);
    world.register(controller);
    world.create(&key("Links", "a"), 0);
    world.create(&key("Links", "b"), 0);
    world.settle();
    diary.take();
    let cx = place.borrow().clone().unwrap();
    assert!(cx.list(&kind("Links"), &Query::all()).is_err());
    cx.set_inputs(vec![Input::weak(kind("Nodes")), Input::weak(kind("Links"))]).unwrap();
    assert_eq!(cx.list(&kind("Links"), &Query::all()).unwrap().len(), 2);
    world.settle();
    assert_eq!(diary.take().len(), 1);
    world.set(&key("Links", "a"), 1);
    world.settle();
    assert_eq!(diary.take().len(), 1);
    cx.set_inputs(vec![Input::weak(kind("Nodes"))]).unwrap();
    assert!(cx.get(&key("Links", "a")).is_err());
    world.set(&key("Links", "a"), 2);
    world.settle();
    assert_eq!(diary.len(), 0);
    assert_eq!(world.store.stats().kinds[&kind("Links")].watchers, 0);
    let twice = cx.set_inputs(vec![Input::weak(kind("Nodes")), Input::strong(kind("Nodes"))]);
    assert!(twice.is_err());
    assert!(cx.list(&kind("Nodes"), &Query::all()).is_ok());
}

#[test]
fn case_58_destroy_ready_wakes_for_own_resources_that_can_be_destroyed() {
    let mut world = World::new();
    let diary = Diary::default();
    let (controller, _) = watcher("planner", vec![Input::destroy_ready(kind("Plans"))], &diary);
    world.register(controller);
    world.settle();
    diary.take();
    let (me, other) = (Actor::named("planner"), Actor::named("other"));
    let (own, lost, foreign) = (key("Plans", "p"), key("Plans", "lost"), key("Plans", "foreign"));
    world.store.create(&me, draft(&own, 0)).unwrap();
    world.store.create(&me, draft(&lost, 0)).unwrap();
    world.store.create(&other, draft(&foreign, 0)).unwrap();
    world.store.add_finalizers(&own, ["f"]).unwrap();
    world.store.teardown(&me, &own).unwrap();
    world.settle();
    assert_eq!(diary.len(), 0);
    world.store.remove_finalizers(&own, ["f"]).unwrap();
    world.settle();
    assert_eq!(diary.take().len(), 1);
    world.store.teardown(&other, &foreign).unwrap();
    world.store.destroy(&other, &foreign).unwrap();
    world.settle();
    assert_eq!(diary.len(), 0);
    // Destroyed although it was not torn down.
    world.store.destroy(&me, &lost).unwrap();
    world.settle();
    assert_eq!(diary.take().len(), 1);
    world.store.destroy(&me, &own).unwrap();
    world.settle();
    assert_eq!(diary.len(), 0);
}

#[test]
fn case_59_a_weak_input_of_one_and_a_destroy_ready_one_of_all_do_not_hide_each_other() {
    let mut world = World::new();
    let diary = Diary::default();
    let inputs = vec![Input::weak(kind("Plans")).only("a"), Input::destroy_ready(kind("Plans"))];
    let (controller, _) = watcher("planner", inputs, &diary);
    world.register(controller);
    let me = Actor::named("planner");
    let put = |world: &World, id: &str, spec| {
        let draft = draft(&key("Plans", id), spec);
        world
            .store
            .upsert(&me, draft.clone(), |it| {
                it.spec = draft.spec.clone();
                Ok::<_, store::StoreError>(())
            })
            .unwrap();
    };
    put(&world, "a", 0);
    put(&world, "b", 0);
    world.settle();
    diary.take();
    put(&world, "b", 1);
    world.settle();
    assert_eq!(diary.len(), 0);
    put(&world, "a", 1);
    world.settle();
    assert_eq!(diary.take().len(), 1);
    world.store.teardown(&me, &key("Plans", "b")).unwrap();
    world.settle();
    assert_eq!(diary.take().len(), 1);
}

//! Cases 39 to 42: registration.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use planloom_runtime::{Action, Controller, Input, Output, Rejected, Sharing};
use store::{Actor, Kind};

use crate::support::{World, draft, key, kind};

fn writer(id: &str, to: Kind, sharing: Sharing) -> Controller {
    Controller::whole(id).output(to, sharing).reconcile(|_| async { Ok(Action::Done) })
}

fn ids(world: &World) -> Vec<String> {
    world.runtime.declarations().iter().map(|it| it.id.to_string()).collect()
}

#[test]
fn case_39_a_second_exclusive_writer_is_refused_and_leaves_no_trace() {
    let world = World::new();
    world.register(writer("first", kind("Plans"), Sharing::Exclusive));
    let second = Controller::whole("second")
        .weak(kind("Nodes"))
        .output(kind("Notes"), Sharing::Exclusive)
        .output(kind("Plans"), Sharing::Exclusive);
    let refused = world.runtime.register(second.reconcile(|_| async { Ok(Action::Done) })).unwrap_err();
    let [controller, kind_name, holder] = ["second", "Plans", "first"].map(Into::into);
    assert_eq!(refused, Rejected::OutputConflict { controller, kind: kind_name, holder });
    assert_eq!(ids(&world), ["first"]);
    world.register(writer("second", kind("Notes"), Sharing::Exclusive));
    assert_eq!(ids(&world), ["first", "second"]);
}

#[test]
fn case_40_shared_outputs_are_shared_by_those_who_share() {
    let world = World::new();
    world.register(writer("a", kind("Plans"), Sharing::Shared));
    let exclusive = world.runtime.register(writer("b", kind("Plans"), Sharing::Exclusive));
    assert!(matches!(exclusive, Err(Rejected::OutputConflict { .. })), "{exclusive:?}");
    world.register(writer("b", kind("Plans"), Sharing::Shared));
    let twice = Controller::whole("c")
        .output(kind("Plans"), Sharing::Shared)
        .writes(Output::shared(kind("Plans")).anywhere())
        .reconcile(|_| async { Ok(Action::Done) });
    let twice = world.runtime.register(twice);
    assert!(matches!(twice, Err(Rejected::DuplicateOutput { .. })), "{twice:?}");
}

#[test]
fn case_41_a_refused_controller_holds_no_outputs() {
    let world = World::new();
    let with = |inputs: [Input; 2]| {
        let [one, other] = inputs;
        Controller::whole("planner")
            .input(one)
            .input(other)
            .output(kind("Plans"), Sharing::Exclusive)
            .reconcile(|_| async { Ok(Action::Done) })
    };
    let nodes = || Input::strong(kind("Nodes"));
    let refused = world.runtime.register(with([nodes(), Input::weak(kind("Nodes"))]));
    assert!(matches!(refused, Err(Rejected::DuplicateInput { .. })), "{refused:?}");
    assert_eq!(ids(&world), [""; 0]);
    // The whole kind and one of its resources are two inputs.
    world.register(with([nodes(), Input::weak(kind("Nodes")).only("web")]));
}

#[test]
fn case_42_ids_are_unique_and_an_earlier_id_keeps_its_resources() {
    let mut world = World::new();
    let empty = world.runtime.register(writer("", kind("Plans"), Sharing::Exclusive));
    assert_eq!(empty, Err(Rejected::EmptyId));
    let plan = key("Plans", "p");
    world.store.create(&Actor::named("old-name"), draft(&plan, 1)).unwrap();
    let to = plan.clone();
    let renamed = Controller::whole("new-name")
        .with_alias("old-name")
        .output(kind("Plans"), Sharing::Exclusive)
        .reconcile(move |cx| {
            let put = cx.put(draft(&to, 2));
            async move { put.map(|_| Action::Done).map_err(Into::into) }
        });
    world.register(renamed);
    for id in ["new-name", "old-name"] {
        let again = world.runtime.register(writer(id, kind("Others"), Sharing::Exclusive));
        assert_eq!(again, Err(Rejected::DuplicateController { id: id.into() }));
    }
    world.settle();
    assert_eq!(world.says(&plan), Some(2));
    assert_eq!(world.view("new-name").ok, 1);
}

//! Cases 43 to 46: access rights of controllers.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::{cell::RefCell, rc::Rc};

use planloom_runtime::{
    AccessDenied, AccessVerb, Action, CallError, Context, Controller, Failure, Input, Output, Sharing,
    WholeBuilder,
};
use store::{Actor, Key, Kind, Query, StoreError};

use crate::support::{Diary, World, draft, key, kind, noting, script};

/// Runs `try_it` with the rights of a controller.
fn with_rights<T: 'static>(
    world: &mut World,
    builder: WholeBuilder,
    try_it: impl Fn(&Context) -> T + 'static,
) -> T {
    let answer = Rc::new(RefCell::new(None));
    let place = answer.clone();
    world.register(builder.reconcile(move |cx| {
        *place.borrow_mut() = Some(try_it(&cx));
        async { Ok(Action::Done) }
    }));
    world.settle();
    answer.take().expect("it ran")
}

fn denied<T>(controller: &str, verb: AccessVerb, kind: &Kind, id: Option<&str>) -> Result<T, CallError> {
    let (controller, kind, id) = (controller.into(), kind.clone(), id.map(Into::into));
    Err(CallError::Denied(AccessDenied { controller, verb, kind, id }))
}

#[test]
fn case_43_what_is_not_declared_cannot_be_read() {
    let mut world = World::new();
    let (tls, other, secrets) = (key("Secrets", "tls"), key("Secrets", "other"), kind("Secrets"));
    let stored = world.create(&tls, 1);
    world.create(&other, 2);
    let (a, b, all) = (tls.clone(), other.clone(), secrets.clone());
    let nothing = Controller::whole("none");
    let (get, list) =
        with_rights(&mut world, nothing, move |cx| (cx.get(&a), cx.list(&all, &Query::all()).map(drop)));
    assert_eq!(get, denied("none", AccessVerb::Get, &secrets, Some("tls")));
    assert_eq!(list, denied("none", AccessVerb::List, &secrets, None));
    let (a, all) = (tls, secrets.clone());
    let one = Controller::whole("one").input(Input::weak(secrets.clone()).only("tls"));
    let (get, get_other, list) = with_rights(&mut world, one, move |cx| {
        (cx.get(&a), cx.get(&b), cx.list(&all, &Query::all()).map(drop))
    });
    assert_eq!(get, Ok(stored));
    assert_eq!(get_other, denied("one", AccessVerb::Get, &secrets, Some("other")));
    assert_eq!(list, denied("one", AccessVerb::List, &secrets, None));
}

#[test]
fn case_44_only_a_strong_input_can_be_held() {
    let mut world = World::new();
    let node = key("Nodes", "a");
    world.create(&node, 1);
    let hold = |node: &Key| {
        let node = node.clone();
        move |cx: &Context| cx.hold(&node).map(drop)
    };
    let nodes = kind("Nodes");
    let held = with_rights(&mut world, Controller::whole("weak").weak(nodes.clone()), hold(&node));
    assert_eq!(held, denied("weak", AccessVerb::Finalize, &nodes, Some("a")));
    let own = Controller::whole("own").output(nodes.clone(), Sharing::Exclusive);
    let held = with_rights(&mut world, own, hold(&node));
    assert_eq!(held, denied("own", AccessVerb::Finalize, &nodes, Some("a")));
    let held = with_rights(&mut world, Controller::whole("strong").strong(nodes.clone()), hold(&node));
    assert_eq!(held, Ok(()));
    assert_eq!(world.finalizers(&node), ["strong"]);
    let gone = key("Nodes", "gone");
    let (missing, released) = with_rights(&mut world, Controller::whole("late").strong(nodes), move |cx| {
        (cx.hold(&gone).map(drop), cx.release(&gone))
    });
    assert!(missing.unwrap_err().is_not_found());
    assert_eq!(released, Ok(()));
}

#[test]
fn case_45_what_another_sharer_created_is_the_others() {
    let mut world = World::new();
    world.store.create(&Actor::named("other"), draft(&key("Plans", "b"), 0)).unwrap();
    for id in ["a", "b", "c"] {
        world.create(&key("Nodes", id), 1);
    }
    let sharer = Controller::queue("sharer")
        .primary(kind("Nodes"))
        .output(kind("Plans"), Sharing::Shared)
        .reconcile(|cx, node| {
            let put = cx.put(draft(&key("Plans", &node.id), 7));
            async move { put.map(|_| Action::Done).map_err(Failure::from) }
        });
    world.register(sharer);
    world.settle();
    let said = ["a", "b", "c"].map(|id| world.says(&key("Plans", id)).unwrap());
    assert_eq!(said, [7, 0, 7]);
    let view = world.view("sharer");
    assert_eq!((view.ok, view.failed), (2, 1));
    let conflict = StoreError::OwnerConflict { key: key("Plans", "b"), owner: Some("other".into()) };
    assert_eq!(view.last_error.unwrap().message, conflict.to_string());
}

#[test]
fn case_46_an_output_is_of_its_namespace_unless_it_is_of_any() {
    let mut world = World::new();
    let there = Kind::new("other", "Plans");
    let plan = there.key("p");
    let here = Controller::whole("here").output(kind("Plans"), Sharing::Shared);
    let create = |plan: &Key| {
        let plan = plan.clone();
        move |cx: &Context| cx.create(draft(&plan, 1)).map(drop)
    };
    let created = with_rights(&mut world, here, create(&plan));
    assert_eq!(created, denied("here", AccessVerb::Write, &there, Some("p")));
    let anywhere = Controller::whole("anywhere").writes(Output::shared(kind("Plans")).anywhere());
    assert_eq!(with_rights(&mut world, anywhere, create(&plan)), Ok(()));
    let remover = Controller::whole("remover").writes(Output::shared(there.clone()).removing());
    let created = with_rights(&mut world, remover, create(&there.key("q")));
    assert_eq!(created, denied("remover", AccessVerb::Write, &there, Some("q")));
}

#[test]
fn a_refused_call_is_terminal_and_remembered() {
    let mut world = World::new();
    world.create(&key("Nodes", "a"), 1);
    let secret = script(|cx, _| Ok(cx.get(&key("Secrets", "tls")).map(|_| Action::Done)?));
    world.register(noting("curious", kind("Nodes"), &Diary::default(), secret));
    world.settle();
    world.pass(600_000);
    let view = world.view("curious");
    assert_eq!((view.failed, view.given_up), (1, 1));
    let lints = world.runtime.graph().lints;
    let lint = lints.iter().find(|lint| lint.code == "runtime/denied").unwrap();
    assert_eq!(lint.message, "`curious` did not declare that it would get `app/Secrets/tls`");
}

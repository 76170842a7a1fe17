//! Planning: what was carried out is not to do again, and everything happens in an order that the graph allows.

use std::collections::BTreeMap;

use planloom_tests::{
    apply::state_after,
    example::Inputs,
    outputs::{Outputs, json},
};
use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};

use super::{apps::App, config, inputs, list, text};

fn graph(inputs: &Inputs) -> Json {
    json(&Outputs::of(inputs).graph)
}

fn plan(inputs: &Inputs) -> Json {
    json(&Outputs::of(inputs).plan)
}

/// A report for every resource once it is made.
fn reports(graph: &Json) -> String {
    let report = |(n, node): (usize, &Json)| {
        (text(&node["address"]).to_owned(), json!({"network_node": {"ip": format!("10.0.0.{n}")}}))
    };
    Json::Object(list(&graph["nodes"]).iter().enumerate().map(report).collect::<Map<_, _>>()).to_string()
}

/// The application's files, and the state when it runs.
fn running(app: &App) -> Inputs {
    let mut inputs = inputs(&[app.text()]);
    let reports = reports(&graph(&inputs));
    inputs.plan.state = Some(state_after(&inputs, Some(&reports)));
    inputs
}

/// The running application with other files.
fn edited(app: &App, edit: &App) -> Inputs {
    Inputs { files: inputs(&[edit.text()]).files, ..running(app) }
}

/// The places of the actions by address.
fn places(plan: &Json) -> BTreeMap<&str, usize> {
    list(&plan["actions"]).iter().enumerate().map(|(n, action)| (text(&action["address"]), n)).collect()
}

/// True if every action waits only for earlier ones.
fn waits_for_earlier(plan: &Json) -> bool {
    let actions = list(&plan["actions"]);
    actions.iter().enumerate().all(|(n, action)| {
        list(&action["after"]).iter().all(|id| actions[..n].iter().any(|earlier| earlier["id"] == *id))
    })
}

/// True if `action` waits for `cause`, directly or not.
fn waits_for(plan: &Json, action: usize, cause: usize) -> bool {
    let actions = list(&plan["actions"]);
    list(&actions[action]["after"]).iter().any(|id| {
        let earlier = actions[..action].iter().position(|it| it["id"] == *id);
        earlier.is_some_and(|earlier| earlier == cause || waits_for(plan, earlier, cause))
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn an_applied_plan_creates_nothing_again(app in App::any()) {
        let plan = plan(&running(&app));
        prop_assert!(list(&plan["actions"]).is_empty(), "{:#}", plan);
    }

    #[test]
    fn an_edit_carried_out_is_done(app in App::any(), n in any::<usize>(), image in any::<bool>()) {
        let edit = if image { app.reimage(n) } else { app.relabel(n) };
        let mut inputs = edited(&app, &edit);
        let reports = reports(&graph(&inputs));
        inputs.plan.state = Some(state_after(&inputs, Some(&reports)));
        let plan = plan(&inputs);
        prop_assert!(list(&plan["actions"]).is_empty(), "{:#}", plan);
    }

    #[test]
    fn dependencies_are_created_first(app in App::any()) {
        let inputs = inputs(&[app.text()]);
        let (graph, plan) = (graph(&inputs), plan(&inputs));
        let places = places(&plan);
        prop_assert_eq!(places.len(), list(&graph["nodes"]).len());
        prop_assert!(waits_for_earlier(&plan));
        for edge in list(&graph["edges"]) {
            let (from, to) = (places[text(&edge["from"])], places[text(&edge["to"])]);
            prop_assert!(waits_for(&plan, from, to), "{} in {:#}", edge, plan);
        }
    }

    #[test]
    fn dependencies_are_destroyed_last(app in App::any()) {
        let mut inputs = running(&app);
        let graph = graph(&inputs);
        inputs.files.clear();
        inputs.plan.destroy = true;
        let plan = plan(&inputs);
        let places = places(&plan);
        prop_assert_eq!(places.len(), list(&graph["nodes"]).len());
        prop_assert!(waits_for_earlier(&plan));
        for edge in list(&graph["edges"]) {
            let (from, to) = (places[text(&edge["from"])], places[text(&edge["to"])]);
            prop_assert!(waits_for(&plan, to, from), "{} in {:#}", edge, plan);
        }
    }

    /// A label is changed in place, and no resource takes labels.
    #[test]
    fn a_label_is_updated_alone(app in App::any(), n in any::<usize>()) {
        let edit = app.relabel(n);
        let plan = plan(&edited(&app, &edit));
        prop_assert!(!list(&plan["actions"]).is_empty());
        for action in list(&plan["actions"]) {
            prop_assert_eq!(&action["action"], "update");
            let paths: Vec<&str> = list(&action["changes"]).iter().map(|it| text(&it["path"])).collect();
            prop_assert_eq!(paths, ["/labels/tier"]);
        }
    }

    /// An image rebuilds the services that use it, and those that take values of what is rebuilt.
    #[test]
    fn a_rebuild_goes_as_far_as_values_do(app in App::any(), n in any::<usize>()) {
        let edit = app.reimage(n);
        let inputs = edited(&app, &edit);
        let (graph, plan) = (graph(&inputs), plan(&inputs));
        prop_assert!(waits_for_earlier(&plan));
        let places = places(&plan);
        for action in list(&plan["actions"]) {
            prop_assert_eq!(&action["action"], "rebuild");
        }
        for edge in list(&graph["edges"]).iter().filter(|it| it["kind"] == "reference") {
            let (from, to) = (text(&edge["from"]), text(&edge["to"]));
            if let Some(cause) = places.get(to) {
                let knocked = places.get(from);
                prop_assert!(knocked.is_some_and(|it| waits_for(&plan, *it, *cause)), "{} in {:#}", edge, plan);
            }
        }
        let own = |it: &&Json| text(&it["reason"]["kind"]) == "changed";
        let count = list(&plan["actions"]).iter().filter(own).count();
        prop_assert!(count > 0);
    }

    /// Every change has the byte that it comes from.
    #[test]
    fn every_change_has_an_origin(app in App::any(), n in any::<usize>()) {
        for inputs in [inputs(&[app.text()]), edited(&app, &app.reimage(n))] {
            let plan = plan(&inputs);
            for change in list(&plan["actions"]).iter().flat_map(|action| list(&action["changes"])) {
                prop_assert!(change["origin"]["line"].as_u64().is_some_and(|line| line > 0), "{}", change);
            }
        }
    }

    #[test]
    fn the_same_bytes_have_the_same_digest(app in App::any(), n in any::<usize>()) {
        let inputs = running(&app);
        let digest = |inputs: &Inputs| plan(inputs)["digest"].clone();
        prop_assert_eq!(digest(&inputs), digest(&inputs.clone()));
        let edits = [edited(&app, &app.relabel(n)), edited(&app, &app.reimage(n))];
        prop_assert_ne!(digest(&edits[0]), digest(&inputs));
        prop_assert_ne!(digest(&edits[1]), digest(&inputs));
        prop_assert_ne!(digest(&edits[0]), digest(&edits[1]));
    }
}

//! Files that strangers wrote. They are not part of this repository: they lie in `$PLANLOOM_SHARED/data/golem`, or
//! in `../shared/data/golem` beside the repository.

use comparison::{Side, compare};
use planloom_tests::{
    apply::state_after,
    example::Inputs,
    outputs::{Outputs, json, workspace},
    real_files::of_folders,
    rewrite::rewrite,
};
use serde_json::{Map, Value as Json, json};
use workspace::File;

/// The order that each application needs, by a part of its file's name.
const ORDERS: [(&str, &[&str]); 6] = [
    ("01_todo_app", &["services.db", "services.api", "services.web"]),
    ("02_weather_stats", &["services.cache", "services.api", "services.app"]),
    ("04_glm_query", &["services.backend", "services.frontend"]),
    ("05_hello_world", &["networks.default", "services.hello"]),
    ("webapp.gaom", &["networks.default", "services.db-service", "services.web-server-service[1]"]),
    ("webapp_with_local_proxy", &["networks.default", "services.db-service", "services.web-server-service"]),
];

/// The descriptors with their names; `None` where there are none on this machine.
fn files() -> Option<Vec<(String, String)>> {
    let files = of_folders(&["golem"]);
    (!files.is_empty()).then_some(files)
}

fn inputs(name: &str, text: &str) -> Inputs {
    let file = File { name: name.to_owned(), text: text.to_owned(), package: None };
    Inputs { files: vec![file], ..Inputs::default() }
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn all_load_without_error() {
    for (name, text) in files().unwrap_or_default() {
        let check = json(&Outputs::of(&inputs(&name, &text)).check);
        let errors: Vec<&Json> =
            list(&check["diagnostics"]).iter().filter(|it| it["severity"] == "error").collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }
}

#[test]
fn dependencies_are_created_first() {
    let Some(files) = files() else { return };
    for (part, order) in ORDERS {
        let (name, text) = files.iter().find(|(name, _)| name.contains(part)).expect("the file");
        let answers = Outputs::of(&inputs(name, text));
        let (graph, plan) = (json(&answers.graph), json(&answers.plan));
        let wave = |address: &&str| {
            let node = list(&graph["nodes"]).iter().find(|node| node["address"] == **address);
            node.unwrap_or_else(|| panic!("{name} has {address}"))["wave"].as_u64()
        };
        let waves: Vec<Option<u64>> = order.iter().map(wave).collect();
        assert!(waves.is_sorted_by(|a, b| a < b), "{name}: {order:?} in waves {waves:?}");
        let place =
            |address: &&str| list(&plan["actions"]).iter().position(|action| action["address"] == **address);
        let places: Vec<Option<usize>> = order.iter().map(place).collect();
        assert!(places.is_sorted_by(|a, b| a.is_some() && a < b), "{name}: {order:?} at {places:?}");
    }
}

/// A possible report for every resource, enough for each `${…}` in these files.
fn reports(graph: &Json) -> String {
    let report = |(n, node): (usize, &Json)| {
        let address = node["address"].as_str().expect("an address").to_owned();
        (address, json!({"network_node": {"ip": format!("10.0.0.{n}"), "node_id": format!("{n}")}}))
    };
    Json::Object(list(&graph["nodes"]).iter().enumerate().map(report).collect::<Map<_, _>>()).to_string()
}

#[test]
fn once_made_nothing_is_to_do() {
    for (name, text) in files().unwrap_or_default() {
        let mut inputs = inputs(&name, &text);
        let graph = json(&Outputs::of(&inputs).graph);
        inputs.plan.state = Some(state_after(&inputs, Some(&reports(&graph))));
        let plan = json(&Outputs::of(&inputs).plan);
        assert!(list(&plan["actions"]).is_empty(), "{name}: {plan:#}");
        assert_eq!(plan["summary"]["unchanged"], list(&graph["nodes"]).len(), "{name}");
    }
}

/// Another notation of the same, in a second file, changes nothing, and is no difference either way round: 200 for each file.
#[test]
fn what_means_the_same_is_not_planned_and_does_not_differ() {
    let mut random = fastrand::Rng::with_seed(7);
    for (name, text) in files().unwrap_or_default() {
        let mut inputs = inputs(&name, &text);
        let answers = Outputs::of(&inputs);
        let document = json(&answers.merged)["document"].clone();
        inputs.plan.state = Some(state_after(&inputs, Some(&reports(&json(&answers.graph)))));
        for _ in 0..200 {
            let layer = rewrite(&document, &mut random);
            let mut both = inputs.clone();
            both.files.push(File { name: "again.yaml".into(), text: layer.clone(), package: None });
            let mut workspace = workspace(&both);
            let plan = workspace.plan(&both.plan);
            assert!(plan.actions.is_empty(), "{name}: {layer}{plan:#?}");
            let [one, other] = [&inputs.files, &both.files].map(|it| Side::Files(it.clone()));
            for (before, after) in [(&one, &other), (&other, &one)] {
                let found = compare(&mut workspace, &|_| (), before, after);
                let errors = found.before.errors + found.after.errors;
                let differ = found.resources.len() + found.edges.len() + found.document.len();
                assert_eq!((errors, differ), (0, 0), "{name}: {layer}{found:#?}");
            }
        }
    }
}

/// The merged document as text says the same as the file.
#[test]
fn the_merged_text_reads_the_same() {
    for (name, text) in files().unwrap_or_default() {
        let answers = Outputs::of(&inputs(&name, &text));
        let again = Outputs::of(&inputs(&name, &answers.merged_yaml));
        assert_eq!(json(&answers.merged)["document"], json(&again.merged)["document"], "{name}");
        assert_eq!(answers.merged_yaml, again.merged_yaml, "{name}");
    }
}

/// Each list in brackets over several lines, and each space between words in its texts a line break, all at the margin.
fn at_the_margin(text: &str) -> String {
    let broken = |line: &str| {
        let Some((key, items)) = line.split_once('[').filter(|_| line.ends_with(']') && !line.contains('#'))
        else {
            return line.to_owned();
        };
        let parts = items.split('"').enumerate().map(|(idx, part)| match idx % 2 {
            1 => part.split(' ').collect::<Vec<_>>().join("\n"),
            _ => part.replace(", ", ",\n").replace(']', "\n]"),
        });
        format!("{key}[{}", parts.collect::<Vec<_>>().join("\""))
    };
    text.lines().map(broken).collect::<Vec<_>>().join("\n")
}

/// PyYAML, for which these files were written, ignores the indentation inside quotes and brackets.
#[test]
fn indentation_inside_quotes_and_brackets_changes_nothing() {
    let mut changed = 0;
    for (name, text) in files().unwrap_or_default() {
        let broken = at_the_margin(&text);
        let (before, after) = (Outputs::of(&inputs(&name, &text)), Outputs::of(&inputs(&name, &broken)));
        assert_eq!(json(&before.merged)["document"], json(&after.merged)["document"], "{name}\n{broken}");
        let check = json(&after.check);
        assert!(list(&check["diagnostics"]).iter().all(|it| it["severity"] != "error"), "{name}: {check:#}");
        let warned =
            list(&check["diagnostics"]).iter().any(|it| it["code"] == "syntax/continuation-indentation");
        changed += usize::from(warned);
    }
    assert!(changed > 2 || files().is_none(), "only {changed} files have such lines");
}

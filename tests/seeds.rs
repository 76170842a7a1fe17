//! The examples of five documents that Planloom follows: Golem's application object model, OLM's proposal Deppy, BOSH's links,
//! the COSI runtime and the guide of Goten. They are not part of this repository: they lie in `$PLANLOOM_SHARED/seeds`, or in
//! `../shared/seeds` beside the repository. `seeds/examples.md` has a row for each example.
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

mod document;
mod layout;
mod run;
mod table;

use planloom_tests::outputs::{Outputs, json};
use serde_json::Value as Json;

use document::{Document, documents};
use table::Row;

fn find<'d>(documents: &'d [Document], name: &str) -> &'d Document {
    documents.iter().find(|it| it.name == name).unwrap_or_else(|| panic!("no document is called {name}"))
}

/// The specification of the guide's own service, which names of resources are read with.
const CUSTOM: (usize, usize, &str) = (1024, 1047, "specification without `proto`");

fn outcome(documents: &[Document], row: &Row) -> String {
    let document = find(documents, &row.document);
    if !row.is_run() {
        return String::new();
    }
    if row.form == "names" {
        let custom = run::inputs(document, CUSTOM.0, CUSTOM.1, CUSTOM.2).expect("a specification");
        let lines = document.example(row.first, row.last);
        let names: Vec<&str> = lines.iter().map(|it| it.strip_prefix("- name: ").unwrap_or(it)).collect();
        return run::names(&custom, &names);
    }
    let inputs = run::inputs(document, row.first, row.last, &row.form);
    run::result(&inputs.unwrap_or_else(|| panic!("no example is a {}", row.form)), false)
}

#[test]
fn every_example_is_in_the_table_and_has_its_result() {
    let Some(documents) = documents() else { return };
    let mut rows = table::rows();
    for document in &documents {
        let mine: Vec<&Row> = rows.iter().filter(|it| it.document == document.name).collect();
        let is_covered = |line: &usize| mine.iter().any(|it| (it.first..=it.last).contains(line));
        let left: Vec<String> = document
            .signatures()
            .into_iter()
            .filter(|it| !is_covered(it))
            .map(|it| format!("{it}: {}", document.lines[it - 1]))
            .collect();
        assert!(left.is_empty(), "{} has examples that the table does not have: {left:#?}", document.name);
    }
    for row in &mut rows {
        row.result = outcome(&documents, row);
    }
    let count = |is: fn(&Row) -> bool| rows.iter().filter(|it| is(it)).count();
    let counts = format!(
        "There are {} examples. {} are files for Planloom or parts of one, and are run; {} run as they are written and \
         {} more when they are completed, without an error.",
        rows.len(),
        count(Row::is_run),
        count(Row::runs_as_written),
        count(|it| it.runs() && !it.runs_as_written()),
    );
    table::check(&rows, &counts);
}

#[test]
fn golem_the_override_file_gives_the_resulting_file() {
    let Some(documents) = documents() else { return };
    let golem = find(&documents, "golem");
    let part = |first, last, name: &str| {
        let mut inputs = run::inputs(golem, first, last, "descriptor").expect("a descriptor");
        inputs.files[0].name = name.to_owned();
        inputs
    };
    let mut merged = part(74, 87, "base.yaml");
    merged.files.extend(part(89, 94, "override.yaml").files);
    let merged = Outputs::of(&merged);
    let resulting = Outputs::of(&part(96, 111, "resulting.yaml"));
    let plain = |yaml: &str| {
        let mut lines: Vec<String> = yaml.lines().map(|it| it.trim().to_owned()).collect();
        lines.sort();
        lines
    };
    assert_eq!(plain(&merged.merged_yaml), plain(&resulting.merged_yaml));
}

#[test]
fn golem_the_network_comes_first_and_the_database_before_what_refers_to_it() {
    let Some(documents) = documents() else { return };
    let inputs = run::inputs(find(&documents, "golem"), 22, 63, "descriptor").expect("a descriptor");
    let plan = json(&Outputs::of(&inputs).plan);
    let addresses: Vec<&str> =
        plan["actions"].as_array().expect("a list").iter().filter_map(|it| it["address"].as_str()).collect();
    let at = |address: &str| addresses.iter().position(|it| *it == address).expect("it is created");
    assert!(at("networks.default") < at("services.db-service"), "{addresses:?}");
    assert!(at("services.db-service") < at("services.web-server-service"), "{addresses:?}");
}

#[test]
fn goten_names_are_those_that_the_guide_lists() {
    let Some(documents) = documents() else { return };
    let goten = find(&documents, "goten");
    let inputs = run::inputs(goten, 539, 544, "part of a resource").expect("a specification");
    let specification = json(&Outputs::of(&inputs).specification.expect("services"));
    let services = specification["services"].as_array().expect("a list");
    let resources = services.iter().flat_map(|it| it["resources"].as_array().expect("a list"));
    let role = resources.into_iter().find(|it| it["name"] == "RoleBinding").expect("the kind");
    let patterns: Vec<&str> =
        role["patterns"].as_array().expect("a list").iter().filter_map(Json::as_str).collect();
    assert_eq!(patterns.len(), 4);
    let written: Vec<String> =
        goten.example(546, 549).iter().map(|it| it.replace("roleBinding}", "role_binding}")).collect();
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    assert_eq!(sorted(patterns.iter().map(|it| (*it).to_owned()).collect()), sorted(written));
}

#[test]
fn goten_routes_are_those_that_the_guide_shows() {
    let Some(documents) = documents() else { return };
    let goten = find(&documents, "goten");
    for (first, last, form, shown) in [
        (1255, 1260, "part of a resource", 1262..=1267),
        (1345, 1352, "part of a specification", 1354..=1356),
    ] {
        let inputs = run::inputs(goten, first, last, form).expect("a specification");
        let specification = Outputs::of(&inputs).specification.expect("services");
        let lines = goten.example(*shown.start(), *shown.end());
        let paths = lines.iter().filter_map(|it| it.split_once("post : \"")?.1.strip_suffix('"'));
        for path in paths {
            assert!(specification.contains(&format!("\"{path}\"")), "{path} in {}", inputs.files[0].text);
        }
    }
}

#[test]
fn bosh_the_default_for_the_gateway_decides_the_network() {
    let Some(documents) = documents() else { return };
    let bosh = find(&documents, "bosh");
    let inputs = run::inputs(bosh, 295, 310, "part of a manifest").expect("a manifest");
    let links = run::linked(&inputs);
    let text = links.to_string();
    // The comment in the example names the other network; the rule above it decides.
    assert!(text.contains("\"default_network\":\"vip\""), "{text}");
}

#[test]
fn deppy_what_is_required_is_selected_from_the_named_source() {
    let Some(documents) = documents() else { return };
    let inputs = run::inputs(find(&documents, "deppy"), 1, 1, "ActiveResolution").expect("a resolution");
    let selected = run::result(&inputs, false);
    assert!(selected.contains("redhat-operators:odf-operator:3.5.7:stable"), "{selected}");
}

/// The document has no example; its statements are tests of the runtime, which its table names.
#[test]
fn cosi_has_no_example() {
    let Some(documents) = documents() else { return };
    let cosi = find(&documents, "cosi");
    assert_eq!(cosi.signatures(), Vec::<usize>::new());
    assert!(table::rows().iter().all(|it| it.document != "cosi"));
}

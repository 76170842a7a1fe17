//! Runs the examples of the first page.

use crate::run::{Folder, codes};

const README: &str = include_str!("../../../../README.md");

/// The YAML block that holds a text.
fn block(part: &str) -> &'static str {
    let blocks = README.split("```yaml\n").skip(1).filter_map(|it| it.split("```").next());
    blocks.into_iter().find(|it| it.contains(part)).expect("an example")
}

#[test]
fn the_small_descriptor_is_a_right_one() {
    let folder = Folder::new(&[("app.yaml", block("  site:"))]);
    let said = folder.run("check app.yaml");
    assert_eq!((said.code, said.out.as_str()), (0, "1 file, no problems\n"));
}

#[test]
fn kinds_can_be_added_as_it_says() {
    let app = format!("{}{}", block("  site:"), block("  data:"));
    let folder = Folder::new(&[("app.yaml", &app), ("volume.yaml", block("kinds:"))]);
    let plan = folder.run("plan app.yaml --types volume.yaml --format json").json();
    assert!(codes(&plan).is_empty(), "{plan}");
    let actions = plan["actions"].as_array().expect("actions");
    let place = |address: &str| actions.iter().position(|it| it["address"] == address);
    assert!(place("services.db").is_some() && place("services.db") < place("volumes.data"), "{plan}");
    folder.write("app.yaml", app.replace("size_gib: 10", "size_gb: 10").as_bytes());
    let said = folder.run("check app.yaml --types volume.yaml");
    assert!(said.out.contains("did you mean `size_gib`?"), "{}", said.out);
    assert_eq!(codes(&folder.run("check app.yaml --format json").json()), ["lower/unknown-key"]);
}

#[test]
fn tags_do_what_it_says() {
    let base = "payloads: {database: {runtime: vm, constraints: [\"a>1\"], capabilities: [vpn]}}\n\
                services: {db: {payload: database}}\n";
    let folder = Folder::new(&[("base.yaml", base), ("edit.yaml", block("!override"))]);
    let merged = folder.run("merge base.yaml edit.yaml --format json").json();
    let payload = &merged["document"]["payloads"]["database"];
    assert_eq!(payload["constraints"], serde_json::json!(["golem.inf.storage.gib>100"]));
    assert!(payload.get("capabilities").is_none());
}

//! Answers of a workspace about a position in a file. `¦` in a text is the cursor.

use planloom_workspace::{File, PlanOptions, Workspace};

const BASE: &str = "\
payloads:
  db: {runtime: vm, params: {image_hash: aa}}
networks:
  lan: {ip: 10.0.0.0/24}
services:
  db:
    payload: db
    network: lan
  web:
    payload: db
    network: lan
    init: [[\"connect ${services.db.network_node.ip}\"]]
";

/// A workspace of the base and one more file, and the cursor's line and column in that.
fn at(text: &str) -> (Workspace, u32, u32) {
    let before = text.split('¦').next().unwrap_or_default();
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1;
    let mut workspace = Workspace::new();
    let file = |name: &str, text: &str| File { name: name.into(), text: text.into(), package: None };
    workspace.set_files(vec![file("base.yaml", BASE), file("prod.yaml", &text.replace('¦', ""))]);
    (workspace, line, column)
}

#[track_caller]
fn check_hover(text: &str, expected: &str) {
    let (mut workspace, line, column) = at(text);
    let shown = workspace.hover("prod.yaml", line, column, &PlanOptions::default()).map(|it| {
        let origins = it.origins.iter().map(|it| {
            let state = if it.shadowed { " (overridden)" } else { "" };
            format!("{}:{} {} {}{state}", it.location.file, it.location.line, it.rule, it.value)
        });
        let origins = origins.collect::<Vec<_>>().join(", ");
        format!(
            "{} ({}) = {} [{origins}] {}",
            it.title,
            it.shape,
            it.value.unwrap_or_default(),
            it.plan.unwrap_or_default()
        )
    });
    assert_eq!(shown.unwrap_or_default(), expected);
}

#[track_caller]
fn check_definition(text: &str, expected: &str) {
    let (mut workspace, line, column) = at(text);
    let place = workspace.definition("prod.yaml", line, column);
    let shown =
        place.map(|it| format!("{}:{}:{}-{}:{}", it.file, it.line, it.column, it.end_line, it.end_column));
    assert_eq!(shown.unwrap_or_default(), expected);
}

#[track_caller]
fn check_completion(text: &str, expected: &[&str]) {
    let (mut workspace, line, column) = at(text);
    let labels: Vec<String> =
        workspace.complete("prod.yaml", line, column).into_iter().map(|it| it.label).collect();
    assert_eq!(labels, expected);
}

#[track_caller]
fn check_set(text: &str, pointer: &str, yaml: &str, expected: &str) {
    let (mut workspace, ..) = at(text);
    let edits = workspace.set_value("prod.yaml", pointer, yaml).expect("the place can be set");
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for edit in edits.iter().rev() {
        let (start, end) = (&edit.location, &edit.location);
        let head: String = lines[start.line as usize - 1].chars().take(start.column as usize - 1).collect();
        let tail: String =
            lines[end.end_line as usize - 1].chars().skip(end.end_column as usize - 1).collect();
        let new = format!("{head}{}{tail}", edit.new_text);
        lines.splice(start.line as usize - 1..end.end_line as usize, new.split('\n').map(str::to_owned));
    }
    assert_eq!(lines.join("\n"), expected);
}

#[test]
fn hover_tells_the_value_its_writers_and_the_plan() {
    check_hover(
        "payloads: {db: {params: {image_h¦ash: bb}}}",
        "payloads.db.params.image_hash (text) = bb [prod.yaml:1 override bb, base.yaml:2 set aa (overridden)] ",
    );
    check_hover(
        "nodes:\n  web:\n    entry¦point: [[b]]",
        "services.web.init (list of commands) = - - connect ${services.db.network_node.ip}\n- - b \
         [prod.yaml:3 concatenate [[b]], base.yaml:12 concatenate [[\"connect ${services.db.network_node.ip}\"]]] \
         services.web will be created: it is new.",
    );
    check_hover("# ¦", "");
}

#[test]
fn hover_tells_what_a_change_does_to_what_is_deployed() {
    let effect = |text: &str| {
        let (mut workspace, line, column) = at(text);
        let state = r#"{"format": "planloom.state/1", "deployment": "app", "serial": 1, "resources": {
            "networks.lan": {"kind": "network", "phase": "active", "identity": {"id": "1"}, "spec": {"ip": "10.0.0.0/24"}},
            "services.web": {"kind": "service", "phase": "active", "identity": {"id": "2"}, "spec": {}}}}"#;
        let options = PlanOptions { state: Some(state.into()), ..PlanOptions::default() };
        workspace.hover("prod.yaml", line, column, &options).and_then(|it| it.effect)
    };
    assert_eq!(
        effect("payloads: {db: {params: {image_h¦ash: bb}}}").as_deref(),
        Some("A change rebuilds services.web")
    );
    assert_eq!(
        effect("networks: {lan: {i¦p: 10.1.0.0/24}}").as_deref(),
        Some("A change rebuilds networks.lan")
    );
    assert_eq!(effect("services: {db: {netw¦ork: lan}}"), None, "it is not deployed");
}

#[test]
fn a_secret_is_never_shown() {
    let (mut workspace, line, column) = at("payloads: {db: {params: {manifest_s¦ig: s3cret}}}");
    let types = "kinds: {payload: {fields: {params: {fields: {manifest_sig: {sensitive: true}}}}}}";
    workspace.set_types(vec![File { name: "types.yaml".into(), text: types.into(), package: None }]);
    let hover = workspace.hover("prod.yaml", line, column, &PlanOptions::default()).expect("a card");
    let plan = workspace.plan(&PlanOptions::default());
    assert!(!plan.actions.is_empty());
    let shown = serde_json::to_string(&hover).unwrap() + &serde_json::to_string(&plan).unwrap();
    assert!(!shown.contains("s3cret"), "{shown}");
}

#[test]
fn definitions_are_found_through_names_and_references() {
    check_definition("services: {api: {payload: d¦b}}", "base.yaml:2:3-2:5");
    check_definition("services: {api: {payload: db, depends_on: [we¦b]}}", "base.yaml:9:3-9:6");
    check_definition(
        "services: {api: {payload: db, init: [[\"é ${networks.la¦n.ip}\"]]}}",
        "base.yaml:4:3-4:6",
    );
    check_definition("services: {api: {pay¦load: db}}", "");
}

#[test]
fn completion_offers_valid_keys() {
    check_completion("services:\n  api:\n    payload: ¦", &["db"]);
    check_completion("services:\n  api:\n    depends_on: [¦", &["db", "web"]);
    check_completion(
        "services:\n  api:\n    payload: db\n    init: [[\"${services.¦",
        &["services.db", "services.web", "services.api"],
    );
    check_completion(
        "services:\n  api:\n    payload: db\n    init: [[\"${services.db.network_node.¦",
        &["services.db.network_node.node_id", "services.db.network_node.ip"],
    );
    check_completion("# ¦", &[]);
}

#[test]
fn completion_offers_what_links_have_to_tell() {
    let linked = "services:\n  store:\n    payload: db\n    network: lan\n    provides:\n      main: {type: sql, properties: {port: 5432, tls: {on: true}}}\n  api:\n    payload: db\n    network: lan\n    consumes:\n      data:\n        type: sql\n";
    check_completion(&format!("{linked}        from: ¦"), &["main"]);
    check_completion("services:\n  api:\n    consumes:\n      sql:\n        type: ¦", &[]);
    let inside = |text: &str| format!("{linked}    init: [[\"${{{text}¦");
    check_completion(&inside("links."), &["links.data"]);
    check_completion(&inside("links.data."), &["links.data.address", "links.data.properties"]);
    check_completion(
        &inside("links.data.properties."),
        &["links.data.properties.port", "links.data.properties.tls"],
    );
    check_completion(&inside("links.data.properties.tls."), &["links.data.properties.tls.on"]);
    check_completion(&inside("links.other."), &[]);
}

#[test]
fn values_are_set_where_the_file_spells_them() {
    check_set(
        "# mine\nnodes:\n  web: {network: lan}\n",
        "/services/web/network",
        "wan",
        "# mine\nnodes:\n  web: {network: wan}\n",
    );
    check_set("meta: {name: a} # x\n", "/meta/name", "b", "meta: {name: b} # x\n");
}

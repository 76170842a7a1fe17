//! Comparisons of files and states as users have them.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use planloom_comparison::{Side, compare, compare_and_draw};
use workspace::{
    File, Workspace,
    view::{Action, ComparisonView, EdgeKind, StateChange},
};

const BASE: &str = "\
meta: {name: shop}
payloads:
  store: {runtime: vm, capabilities: [vpn], params: {image_hash: s1}}
  page: {runtime: vm, capabilities: [vpn], params: {image_hash: p1}}
networks:
  lan: {ip: 10.0.0.0/24}
services:
  db: {payload: store, network: lan, init: [[start]]}
  web: {payload: page, network: lan, init: [[serve, \"${services.db.network_node.ip}\"]]}
";
const PROD: &str = "\
meta: {owner: operations}
payloads:
  store: {params: {image_hash: s2}}
services:
  cache: {payload: page, network: lan}
  web: {depends_on: [cache]}
";

fn files(texts: &[(&str, &str)]) -> Side {
    let file =
        |(name, text): &(&str, &str)| File { name: (*name).into(), text: (*text).into(), package: None };
    Side::Files(texts.iter().map(file).collect())
}

fn compared(before: &Side, after: &Side) -> ComparisonView {
    compare(&mut Workspace::new(), &|_| (), before, after)
}

fn staging() -> Side {
    files(&[("base.yaml", BASE)])
}

fn production() -> Side {
    files(&[("base.yaml", BASE), ("prod.yaml", PROD)])
}

fn lines(comparison: &ComparisonView) -> Vec<String> {
    let resource = |it: &workspace::view::ResourceDifferenceView| {
        let change = it.change.map_or("-", |it| it.as_str());
        format!("{change} {} {}", it.action.map_or("-", |it| it.as_str()), it.address)
    };
    comparison.resources.iter().map(resource).collect()
}

#[test]
fn the_same_files_do_not_differ() {
    let found = compared(&production(), &production());
    assert!(found.resources.is_empty() && found.edges.is_empty() && found.document.is_empty(), "{found:#?}");
    assert_eq!(found.summary.unchanged, 4);
}

#[test]
fn order_and_comments_are_no_difference() {
    let other = format!(
        "# another text\n{}",
        BASE.replace("{runtime: vm, capabilities: [vpn]", "{capabilities: [ vpn ], runtime: vm")
    );
    let found = compared(&staging(), &files(&[("other.yaml", &other)]));
    assert!(found.resources.is_empty() && found.edges.is_empty() && found.document.is_empty(), "{found:#?}");
}

#[test]
fn resources_differ_with_what_an_apply_does() {
    let found = compared(&staging(), &production());
    let expected = ["added create services.cache", "changed rebuild services.db", "- rebuild services.web"];
    let mut seen = lines(&found);
    seen.sort();
    let mut expected: Vec<String> = expected.map(str::to_owned).into();
    expected.sort();
    assert_eq!(seen, expected);
    let summary = found.summary;
    assert_eq!((summary.added, summary.removed, summary.changed, summary.unchanged), (1, 0, 1, 2));
    assert_eq!(found.plan.expect("a plan").of(Action::Rebuild), 2);
}

#[test]
fn a_value_has_its_place_on_both_sides() {
    let found = compared(&staging(), &production());
    let db = found.resources.iter().find(|it| it.address == "services.db").unwrap();
    let [value] = db.values.as_slice() else { panic!("{db:#?}") };
    assert_eq!(
        (&*value.path, &value.before, &value.after),
        ("/payload/params/image_hash", &"s1".into(), &"s2".into())
    );
    let (before, after) = (value.before_origin.as_ref().unwrap(), value.after_origin.as_ref().unwrap());
    assert_eq!((&*before.location.file, before.location.line), ("base.yaml", 3));
    assert_eq!((&*after.location.file, after.location.line), ("prod.yaml", 3));
    assert!(value.forces_rebuild);
    assert_eq!(db.before.as_ref().map(|it| it.line), Some(8));
}

#[test]
fn dependencies_and_other_values_differ_too() {
    let found = compared(&staging(), &production());
    let edges: Vec<_> = found.edges.iter().map(|it| (&*it.from, &*it.to, it.kind, it.change)).collect();
    assert_eq!(
        edges,
        [
            ("services.web", "services.cache", EdgeKind::DependsOn, StateChange::Added),
            ("services.cache", "networks.lan", EdgeKind::Attachment, StateChange::Added),
        ]
    );
    let document: Vec<_> = found.document.iter().map(|it| (&*it.path, &it.after)).collect();
    assert_eq!(document, [("/meta/owner", &"operations".into())]);
}

#[test]
fn the_other_way_round_what_was_added_is_removed() {
    let found = compared(&production(), &staging());
    assert!(lines(&found).contains(&"removed destroy services.cache".to_owned()), "{:?}", lines(&found));
    assert_eq!(found.edges.iter().filter(|it| it.change == StateChange::Removed).count(), 2);
}

#[test]
fn everything_is_removed_where_nothing_is_described() {
    let nothing = files(&[("empty.yaml", "meta: {name: shop}\n")]);
    let found = compared(&staging(), &nothing);
    assert_eq!(found.summary.removed, 3, "{found:#?}");
    assert_eq!(compared(&nothing, &staging()).summary.added, 3);
}

#[test]
fn environments_with_other_names_are_compared() {
    let other = files(&[("base.yaml", BASE), ("name.yaml", "meta: {name: shop-staging}\n")]);
    let found = compared(&staging(), &other);
    assert!(found.resources.is_empty(), "{found:#?}");
    assert_eq!((&*found.before.deployment, &*found.after.deployment), ("shop", "shop-staging"));
    assert_eq!(found.document.first().map(|it| &*it.path), Some("/meta/name"));
}

#[test]
fn secrets_differ_without_being_shown() {
    let with = |secret: &str| {
        let text = BASE.replace("image_hash: s1", &format!("image_hash: s1, password: {secret}"));
        files(&[("base.yaml", &text)])
    };
    let found = compared(&with("hunter2"), &with("hunter3"));
    let text = serde_json::to_string(&found).unwrap();
    assert!(!text.contains("hunter"), "{text}");
    let secret = found.resources.iter().flat_map(|it| &it.values).find(|it| it.sensitive);
    assert_eq!(secret.map(|it| &*it.path), Some("/payload/params/password"), "{found:#?}");
    assert!(compared(&with("hunter2"), &with("hunter2")).resources.is_empty());
}

#[test]
fn errors_on_a_side_are_counted() {
    let found = compared(&files(&[("base.yaml", "services: [")]), &staging());
    assert!(found.before.errors > 0 && found.after.errors == 0 && found.resources.is_empty());
    assert_eq!(compared(&Side::State("no".into()), &staging()).before.errors, 1);
}

#[test]
fn files_are_compared_with_a_state() {
    let state = r#"{"format":"planloom.state/1","deployment":"elsewhere","serial":4,"resources":{"services.old":
        {"kind":"service","phase":"active","identity":{"id":"1"},"spec":{},"outputs":{},"depends_on":[]}}}"#;
    let found = compared(&Side::State(state.into()), &staging());
    assert_eq!((found.summary.added, found.summary.removed), (3, 1));
    let back = compared(&staging(), &Side::State(state.into()));
    assert_eq!((back.summary.added, back.summary.removed), (1, 3));
    assert!(back.plan.is_none() && back.resources.iter().all(|it| it.action.is_none()));
}

#[test]
fn a_workspace_keeps_its_files() {
    let mut workspace = Workspace::new();
    workspace.set_files(vec![File { name: "base.yaml".into(), text: BASE.into(), package: None }]);
    let found = compare(&mut workspace, &|_| (), &production(), &Side::Current);
    assert_eq!(found.summary.removed, 1);
    assert_eq!(workspace.texts().len(), 1);
    assert_eq!(workspace.graph().nodes.len(), 3);
}

/// Nodes and edges with the sign of what differs: `+services.cache`, `services.web > services.db`.
fn drawn(before: &Side, after: &Side) -> (Vec<String>, Vec<String>) {
    let graph = compare_and_draw(&mut Workspace::new(), &|_| (), before, after).graph;
    let sign = |change: Option<StateChange>| change.map_or("", StateChange::symbol);
    let name = |at: usize| graph.nodes.get(at).unwrap().address.trim_start_matches("services.");
    let edges =
        graph.edges.iter().map(|it| format!("{}{} > {}", sign(it.change), name(it.from), name(it.to)));
    (graph.nodes.iter().map(|it| format!("{}{}", sign(it.change), it.address)).collect(), edges.collect())
}

#[test]
fn both_graphs_are_drawn_as_one() {
    let (nodes, edges) = drawn(&staging(), &production());
    assert_eq!(nodes, ["networks.lan", "~services.db", "services.web", "+services.cache"]);
    assert_eq!(edges, ["db > networks.lan", "web > db", "+web > cache", "+cache > networks.lan"]);
    let (nodes, edges) = drawn(&production(), &staging());
    assert_eq!(nodes, ["networks.lan", "~services.db", "services.web", "−services.cache"]);
    assert_eq!(edges, ["db > networks.lan", "web > db", "−web > cache", "−cache > networks.lan"]);
}

#[test]
fn a_dependency_that_others_imply_is_no_difference() {
    let direct =
        "services:\n  web: {depends_on: [cache]}\n  cache: {payload: page, network: lan, depends_on: [db]}\n";
    let (_, edges) = drawn(&staging(), &files(&[("base.yaml", BASE), ("more.yaml", direct)]));
    // That of web on db is implied now, and is there all the same.
    assert!(edges.iter().all(|it| !it.starts_with('−')), "{edges:?}");
}

#[test]
fn what_was_moved_is_drawn_once() {
    let renamed = BASE.replace("  db:", "  store:").replace("services.db", "services.store")
        + "moved: [{from: services.db, to: services.store}]\n";
    let (nodes, edges) = drawn(&staging(), &files(&[("base.yaml", &renamed)]));
    assert_eq!(nodes, ["networks.lan", "~services.store", "services.web"]);
    assert!(edges.iter().all(|it| !it.starts_with(['+', '−'])), "{edges:?}");
}

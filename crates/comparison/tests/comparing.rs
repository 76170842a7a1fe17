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

/// Two payloads, of which nothing uses the second.
const SPARE: &str = "\
meta: {name: shop}
payloads:
  page: {runtime: vm, capabilities: [vpn, inet], params: {image_hash: p1, min_mem_gib: 2, sizes: [1, 2]}}
  spare: {runtime: vm, capabilities: [vpn, inet], params: {image_hash: q1, min_mem_gib: 2}}
networks:
  lan: {ip: 10.0.0.0/24}
services:
  web: {payload: page, network: lan}
";

#[test]
fn another_notation_is_no_difference() {
    let other = "\
x-note: {by: nobody}
meta: {name: shop, x-owner: a, description: null}
payloads:
  page:
    runtime: vm
    x-ticket: 7
    capabilities: [inet, vpn, inet]
    params: {image_hash: p1, min_mem_gib: 2.0, sizes: [1, 2], note: null, l: [], deep: {x: null}, dev_mode: false}
  spare:
    {runtime: vm, capabilities: [inet, vpn], constraints: [], params: {image_hash: q1, min_mem_gib: 2.0, min_cpu_threads: 1}}
networks:
  lan: {ip: 10.0.0.9/24, mask: 255.255.255.0}
services:
  web: {payload: page, network: lan, labels: {}, init: []}
link_types: {}
moved: []
";
    let (one, other) = (files(&[("one.yaml", SPARE)]), files(&[("other.yaml", other)]));
    for (before, after) in [(&one, &other), (&other, &one)] {
        let found = compared(before, after);
        assert!(found.before.errors + found.after.errors == 0, "{found:#?}");
        assert!(found.resources.is_empty() && found.edges.is_empty(), "{found:#?}");
        assert!(found.document.is_empty(), "{:#?}", found.document);
    }
}

/// The differences beside the resources: the path, and both values.
fn others(before: &str, after: &str) -> Vec<String> {
    let found = compared(&files(&[("before.yaml", before)]), &files(&[("after.yaml", after)]));
    assert!(found.before.errors + found.after.errors == 0, "{found:#?}");
    found.document.iter().map(|it| format!("{}: {} > {}", it.path, it.before, it.after)).collect()
}

#[test]
fn what_differs_in_a_set_is_all_that_is_listed() {
    let after = SPARE.replace("[vpn, inet], params: {image_hash: q1", "[inet, gpu], params: {image_hash: q1");
    assert_eq!(
        others(SPARE, &after),
        ["/payloads/spare/capabilities/0: \"vpn\" > null", "/payloads/spare/capabilities/1: null > \"gpu\""]
    );
}

/// It is among the differences of the service that uses it, at the place of the whole set.
#[test]
fn what_a_resource_shows_is_not_listed_again() {
    let used =
        SPARE.replace("[vpn, inet], params: {image_hash: p1", "[gpu, vpn, inet], params: {image_hash: p1");
    let found = compared(&files(&[("app.yaml", SPARE)]), &files(&[("app.yaml", &used)]));
    let paths: Vec<_> = found.resources.iter().flat_map(|it| &it.values).map(|it| &*it.path).collect();
    assert_eq!(paths, ["/payload/capabilities"], "{found:#?}");
    assert!(found.document.is_empty(), "{:#?}", found.document);
}

/// The same place of the other side's file of that name holds something else.
#[test]
fn places_of_one_side_do_not_hide_values_of_the_other() {
    let service = |label: &str| format!("services: {{a: {{payload: p, labels: {{x: {label}}}}}}}\n");
    let before = format!("meta: {{name: shop}}\npayloads: {{p: {{runtime: vm}}}}\n{}", service("one"));
    let after = format!(
        "payloads: {{p: {{runtime: vm}}}}\n{}meta: {{name: shop, author:             ada}}\n",
        service("two")
    );
    let column = |text: &str, value: &str| text.lines().nth(2).and_then(|it| it.find(value));
    assert_eq!(column(&before, "one"), column(&after, "ada"));
    let found = compared(&files(&[("app.yaml", &before)]), &files(&[("app.yaml", &after)]));
    let others: Vec<_> = found.document.iter().map(|it| (&*it.path, &it.after)).collect();
    assert_eq!(others, [("/meta/author", &"ada".into())]);
}

#[test]
fn lists_have_an_order_and_names_count() {
    let listed = SPARE.replace("image_hash: q1", "image_hash: q1, sizes: [1, 2]");
    assert_eq!(
        others(&listed, &listed.replace("q1, sizes: [1, 2]", "q1, sizes: [2, 1]")),
        ["/payloads/spare/params/sizes/0: 1 > 2", "/payloads/spare/params/sizes/1: 2 > 1"]
    );
    let typed = format!("{SPARE}link_types: {{sql: {{}}}}\n");
    assert_eq!(others(SPARE, &typed), ["/link_types/sql: null > {}"]);
}

#[test]
fn states_are_compared_by_what_they_mean() {
    let state = |spec: &str| {
        let of = |kind: &str, spec: &str| {
            format!(
                r#"{{"kind":"{kind}","phase":"active","identity":{{"id":"1"}},"template":{spec},"spec":{spec}}}"#
            )
        };
        let (lan, web) = spec.split_once('\n').unwrap();
        Side::State(format!(
            r#"{{"format":"planloom.state/1","deployment":"shop","serial":4,"resources":{{"networks.lan":{},"services.web":{}}}}}"#,
            of("network", lan),
            of("service", web)
        ))
    };
    let one = state(
        "{\"ip\":\"10.0.0.0/24\"}\n\
         {\"payload\":{\"runtime\":\"vm\",\"capabilities\":[\"inet\",\"vpn\"],\"params\":{\"min_mem_gib\":2}}}",
    );
    let earlier = state(
        "{\"ip\":\"10.0.0.9/24\",\"mask\":\"255.255.255.0\",\"x-owner\":\"a\",\"gateway\":null}\n\
         {\"payload\":{\"runtime\":\"vm\",\"capabilities\":[\"vpn\",\"inet\"],\"params\":{\"min_mem_gib\":2.0,\"note\":null}},\"init\":[]}",
    );
    for (before, after) in [(&one, &earlier), (&earlier, &one)] {
        let found = compared(before, after);
        assert_eq!(
            (found.before.errors, found.after.errors, found.summary.unchanged),
            (0, 0, 2),
            "{found:#?}"
        );
        assert!(found.resources.is_empty(), "{found:#?}");
    }
    let other = state(
        "{\"ip\":\"10.0.1.0/24\"}\n\
         {\"payload\":{\"runtime\":\"vm\",\"capabilities\":[\"vpn\",\"inet\"],\"params\":{\"min_mem_gib\":2}}}",
    );
    let found = compared(&one, &other);
    let paths: Vec<&str> = found.resources.iter().flat_map(|it| &it.values).map(|it| &*it.path).collect();
    assert_eq!(paths, ["/spec/ip", "/template/ip"], "{found:#?}");
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

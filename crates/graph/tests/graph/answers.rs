//! The answers of graphs of small deployments.

use crate::deployment;
use diag::Severity;
use planloom_graph::Graph;

fn build(text: &str) -> Graph {
    Graph::build(&deployment::desired(text)).0
}

fn names(graph: &Graph, nodes: impl IntoIterator<Item = usize>) -> String {
    nodes.into_iter().map(|node| &*graph.nodes[node].address.name).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check_order(text: &str, order: &str, waves: &[&str]) {
    let graph = build(text);
    assert_eq!(names(&graph, graph.order()), order);
    assert_eq!(graph.waves().into_iter().map(|wave| names(&graph, wave)).collect::<Vec<_>>(), waves);
}

#[test]
fn order_and_waves() {
    check_order("", "", &[]);
    check_order("web: +api\napi: +db\ndb:", "db api web", &["db", "api", "web"]);
    check_order("c:\na:\nb:", "c a b", &["c a b"]);
    check_order("d: +b +c\nb: +a\nc: +a\na:", "a b c d", &["a", "b c", "d"]);
    check_order("web: @lan\nlan:", "lan web", &["lan", "web"]);
    check_order("web: +gone ~db\ndb:", "db web", &["db", "web"]);
}

#[test]
fn a_cycle_spoils_neither_order_nor_waves_of_the_rest() {
    check_order("z: +b\na: +b\nb: ~a +c\nc:\nd: +c", "a c b z d", &["a c", "b d", "z"]);
    check_order("a: +a", "a", &["a"]);
}

/// Edges as `from kind to`.
fn edges(graph: &Graph, edges: impl IntoIterator<Item = usize>) -> Vec<String> {
    let name = |node: usize| &graph.nodes[node].address.name;
    edges
        .into_iter()
        .map(|edge| &graph.edges[edge])
        .map(|edge| format!("{} {} {}", name(edge.from), edge.kind.as_str(), name(edge.to)))
        .collect()
}

#[test]
fn two_nodes_have_one_edge_of_each_kind() {
    let text = "web: +db +db ~db ~db\ndb:";
    let graph = build(text);
    assert_eq!(edges(&graph, 0..graph.edges.len()), ["web depends_on db", "web reference db"]);
    assert_eq!(graph.edges[0].path.as_str(), "/needs/0");
    assert_eq!(&text[graph.edges[1].span.start as usize..][..3], "~db");
    assert_eq!(edges(&graph, graph.reduction()), ["web reference db"]);
}

#[track_caller]
fn check_reduction(text: &str, expected: &[&str]) {
    let graph = build(text);
    assert_eq!(edges(&graph, graph.reduction()), expected);
}

#[test]
fn only_edges_that_say_something_new_are_drawn() {
    check_reduction("a: +b +c\nb: +c\nc:", &["a depends_on b", "b depends_on c"]);
    check_reduction("a: +b @b\nb:", &["a attachment b"]);
    check_reduction(
        "a: +b\nb: +a +c\nc: +d\nd: +c\ne: +a +d",
        &[
            "a depends_on b",
            "b depends_on a",
            "b depends_on c",
            "c depends_on d",
            "d depends_on c",
            "e depends_on a",
        ],
    );
}

#[test]
fn impact_is_in_order() {
    let graph = build("web: +api\ncron: +db\napi: +db\ndb:\nother:");
    let node = |name: &str| graph.nodes.iter().position(|node| &*node.address.name == name).unwrap();
    assert_eq!(names(&graph, graph.dependents(node("db"))), "cron api web");
    assert_eq!(names(&graph, graph.dependencies(node("web"))), "db api");
    assert_eq!(names(&graph, graph.dependents(node("other"))), "");
    assert_eq!(graph.find(&"services.api".parse().unwrap()), Some(2));
    assert_eq!(graph.find(&"services.zz".parse().unwrap()), None);
}

#[test]
fn a_member_of_a_cycle_is_no_dependent_of_itself() {
    let graph = build("a: +b\nb: +a");
    assert_eq!(names(&graph, graph.dependents(0)), "b");
}

/// The messages with, for each, the words its labels point at.
#[track_caller]
fn check_cycles(text: &str, expected: &[(&str, &[&str], &str)]) {
    let (_, diagnostics) = Graph::build(&deployment::desired(text));
    let found: Vec<_> = diagnostics
        .iter()
        .map(|it| {
            let words =
                it.related.iter().map(|label| &text[label.span.start as usize..label.span.end as usize]);
            (it.message.as_str(), words.collect::<Vec<_>>(), it.help.as_deref().unwrap_or_default())
        })
        .collect();
    let expected: Vec<_> =
        expected.iter().map(|(message, words, help)| (*message, words.to_vec(), *help)).collect();
    assert_eq!(found, expected);
    for it in &diagnostics {
        assert_eq!(
            (it.code.as_str(), it.severity, it.span),
            ("graph/cycle", Severity::Error, Some(it.related[0].span))
        );
    }
}

#[test]
fn a_cycle_is_reported_in_full() {
    check_cycles(
        "a: +b\nb: +c\nc: +a",
        &[(
            "dependency cycle: services.a → services.b → services.c → services.a",
            &["+b", "+c", "+a"],
            "remove services.b from `depends_on` of services.a, or services.c from `depends_on` of services.b, \
             or services.a from `depends_on` of services.c",
        )],
    );
    check_cycles(
        "a: +b\nb: ~a",
        &[(
            "dependency cycle: services.a → services.b → services.a",
            &["+b", "~a"],
            "remove services.b from `depends_on` of services.a",
        )],
    );
    check_cycles(
        "a: ~b +b\nb: ~a",
        &[(
            "dependency cycle: services.a → services.b → services.a",
            &["~b", "+b", "~a"],
            "write one of these values instead of referring to it, or move it to a resource that both \
             depend on",
        )],
    );
}

#[test]
fn a_node_that_needs_itself_is_a_cycle_of_one_edge() {
    check_cycles(
        "a: +a",
        &[(
            "dependency cycle: services.a → services.a",
            &["+a"],
            "remove services.a from its own `depends_on`",
        )],
    );
    check_cycles(
        "a: ~a +b\nb: +a",
        &[(
            "dependency cycle: services.a → services.a",
            &["~a"],
            "services.a cannot refer to its own value, which exists only after services.a does: write the \
             value instead",
        )],
    );
}

#[test]
fn each_knot_has_one_cycle() {
    let (_, diagnostics) = Graph::build(&deployment::desired("d: +c\nc: +d\na: +b +d\nb: +a +e\ne: +a\nf:"));
    let messages: Vec<_> = diagnostics.iter().map(|it| &it.message[18..]).collect();
    assert_eq!(messages, ["services.d → services.c → services.d", "services.a → services.b → services.a"]);
}

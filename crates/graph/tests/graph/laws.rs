//! Laws of graphs, against what one would compute by hand on small ones.

use crate::deployment;
use diag::Span;
use model::{Address, EdgeKind, Pointer};
use planloom_graph::{Edge, Graph, Node};
use proptest::prelude::*;

const KINDS: [EdgeKind; 3] = [EdgeKind::DependsOn, EdgeKind::Reference, EdgeKind::Attachment];

type Edges = Vec<(usize, usize, EdgeKind)>;

fn any_graph(acyclic: bool) -> impl Strategy<Value = (usize, Edges)> {
    (1_usize..12).prop_flat_map(move |count| {
        let edge = (0..count, 0..count, 0..3_usize).prop_map(move |(a, b, kind)| {
            let (from, to) = if acyclic { (a.max(b), a.min(b)) } else { (a, b) };
            (from, to, KINDS[kind])
        });
        let edge =
            edge.prop_filter("a node does not need itself", move |(from, to, _)| !acyclic || from != to);
        (Just(count), prop::collection::vec(edge, 0..if count == 1 && acyclic { 1 } else { 30 }))
    })
}

/// Declared in an order that has nothing to do with the edges.
fn shuffled() -> impl Strategy<Value = (usize, Edges)> {
    any_graph(true).prop_flat_map(|(count, edges)| {
        Just((0..count).collect::<Vec<_>>()).prop_shuffle().prop_map(move |names| {
            (count, edges.iter().map(|(from, to, kind)| (names[*from], names[*to], *kind)).collect())
        })
    })
}

/// Shortest lengths of ways of at least one edge.
fn distances(count: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<Option<usize>>> {
    let mut ways = vec![vec![None; count]; count];
    for (from, to) in edges {
        ways[from][to] = Some(1);
    }
    for over in 0..count {
        for from in 0..count {
            for to in 0..count {
                if let (Some(a), Some(b)) = (ways[from][over], ways[over][to])
                    && ways[from][to].is_none_or(|known| a + b < known)
                {
                    ways[from][to] = Some(a + b);
                }
            }
        }
    }
    ways
}

fn all_distances(graph: &Graph) -> Vec<Vec<Option<usize>>> {
    distances(graph.nodes.len(), graph.edges.iter().map(|edge| (edge.from, edge.to)))
}

/// The order one finds by looking, again and again, for the first declared node whose needs are met.
fn order_by_hand(count: usize, edges: &Edges) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < count {
        let ready = |node: &usize| {
            !order.contains(node) && edges.iter().all(|(from, to, _)| from != node || order.contains(to))
        };
        order.extend((0..count).find(ready));
    }
    order
}

proptest! {
    #[test]
    fn order_puts_needs_first_and_keeps_declaration_order((count, edges) in shuffled()) {
        let (graph, diagnostics) = Graph::build(&deployment::numbered(count, &edges));
        prop_assert!(diagnostics.is_empty());
        prop_assert_eq!(graph.order(), order_by_hand(count, &edges));
        for edge in &graph.edges {
            prop_assert!(graph.nodes[edge.from].wave > graph.nodes[edge.to].wave);
        }
    }

    #[test]
    fn a_wave_is_the_longest_way_down((count, edges) in shuffled()) {
        let (graph, _) = Graph::build(&deployment::numbered(count, &edges));
        for (idx, node) in graph.nodes.iter().enumerate() {
            let below = graph.needs(idx).iter().map(|edge| graph.nodes[graph.edges[*edge].to].wave + 1).max();
            prop_assert_eq!(node.wave, below.unwrap_or(0));
        }
    }

    #[test]
    fn order_holds_every_node_once_and_outside_cycles_needs_come_first((count, edges) in any_graph(false)) {
        let (graph, _) = Graph::build(&deployment::numbered(count, &edges));
        let mut rank = vec![usize::MAX; count];
        for (at, node) in graph.order().into_iter().enumerate() {
            prop_assert_eq!(rank[node], usize::MAX);
            rank[node] = at;
        }
        let ways = all_distances(&graph);
        for edge in graph.edges.iter().filter(|edge| ways[edge.to][edge.from].is_none()) {
            prop_assert!(rank[edge.to] < rank[edge.from]);
            prop_assert!(graph.nodes[edge.to].wave < graph.nodes[edge.from].wave);
        }
    }

    #[test]
    fn a_cycle_is_closed_and_none_in_its_knot_is_shorter((count, edges) in any_graph(false)) {
        let (graph, diagnostics) = Graph::build(&deployment::numbered(count, &edges));
        let ways = all_distances(&graph);
        let cycles = graph.cycles();
        prop_assert_eq!(diagnostics.len(), cycles.len());
        let mut reported = vec![false; count];
        for cycle in &cycles {
            let edges: Vec<_> = cycle.edges.iter().map(|edge| &graph.edges[*edge]).collect();
            for (at, edge) in edges.iter().enumerate() {
                prop_assert_eq!(edge.to, edges[(at + 1) % edges.len()].from);
            }
            let first = edges[0].from;
            let knot = |node: &usize| ways[first][*node].is_some() && ways[*node][first].is_some();
            let shortest = (0..count).filter(knot).filter_map(|node| ways[node][node]).min();
            prop_assert_eq!(Some(edges.len()), shortest);
            for node in (0..count).filter(knot) {
                prop_assert!(!std::mem::replace(&mut reported[node], true), "two cycles in one knot");
            }
        }
        let in_circles: Vec<_> = ways.iter().enumerate().map(|(node, row)| row[node].is_some()).collect();
        prop_assert_eq!(reported, in_circles);
    }

    #[test]
    fn a_knot_holds_those_that_need_each_other((count, edges) in any_graph(false)) {
        let (graph, _) = Graph::build(&deployment::numbered(count, &edges));
        let ways = all_distances(&graph);
        for (a, b) in (0..=count).flat_map(|a| (0..=count).map(move |b| (a, b))) {
            let both = a < count && b < count && (a == b || ways[a][b].is_some() && ways[b][a].is_some());
            prop_assert_eq!(graph.in_same_cycle(a, b), both);
        }
    }

    #[test]
    fn reduction_reaches_what_all_edges_reach((count, edges) in any_graph(false)) {
        let (graph, _) = Graph::build(&deployment::numbered(count, &edges));
        let drawn = graph.reduction();
        let ends = |edge: &usize| (graph.edges[*edge].from, graph.edges[*edge].to);
        let reduced = distances(count, drawn.iter().map(ends));
        let ways = all_distances(&graph);
        for from in 0..count {
            for to in 0..count {
                prop_assert_eq!(ways[from][to].is_some(), reduced[from][to].is_some());
            }
        }
    }

    #[test]
    fn reduction_draws_no_edge_too_many((count, edges) in shuffled()) {
        let (graph, _) = Graph::build(&deployment::numbered(count, &edges));
        let drawn = graph.reduction();
        for left_out in &drawn {
            let others = drawn.iter().filter(|edge| *edge != left_out);
            let ways = distances(count, others.map(|edge| (graph.edges[*edge].from, graph.edges[*edge].to)));
            prop_assert_eq!(ways[graph.edges[*left_out].from][graph.edges[*left_out].to], None);
        }
    }

    #[test]
    fn dependents_are_those_with_a_way_down((count, edges) in any_graph(false)) {
        let (graph, _) = Graph::build(&deployment::numbered(count, &edges));
        let ways = all_distances(&graph);
        for node in 0..count {
            let mut dependents = graph.dependents(node);
            dependents.sort_unstable();
            let above = ways.iter().enumerate().filter(|(it, row)| *it != node && row[node].is_some());
            let expected: Vec<_> = above.map(|(it, _)| it).collect();
            prop_assert_eq!(dependents, expected);
        }
    }
}

fn numbered_nodes(count: usize) -> Vec<Node> {
    let node = |n: usize| Node {
        address: Address::new("services", n.to_string()),
        kind: "service".into(),
        wave: 0,
        declared: Span::default(),
    };
    (0..count).map(node).collect()
}

fn plain_edge(from: usize, to: usize) -> Edge {
    Edge { from, to, kind: EdgeKind::DependsOn, path: Pointer::root(), span: Span::default() }
}

/// Deep and wide graphs end neither the stack nor the patience, and passes of the reduction meet.
#[test]
fn a_long_chain_with_shortcuts_reduces_to_the_chain() {
    let count = 5_000;
    let chain = (1..count).map(|n| plain_edge(n, n - 1));
    let shortcuts = (0..count - 1_500).map(|n| plain_edge(n + 1_500, n));
    let graph = Graph::from_parts(numbered_nodes(count), shortcuts.chain(chain).collect());
    let drawn = graph.reduction();
    assert_eq!(drawn.len(), count - 1);
    assert!(drawn.iter().all(|edge| graph.edges[*edge].from == graph.edges[*edge].to + 1));
    assert_eq!(graph.nodes[count - 1].wave as usize, count - 1);
}

#[test]
fn a_ring_of_thousands_is_one_cycle() {
    let count = 20_000;
    let graph = Graph::from_parts(
        numbered_nodes(count),
        (0..count).map(|n| plain_edge(n, (n + 1) % count)).collect(),
    );
    let cycles = graph.cycles();
    assert_eq!(cycles.len(), 1);
    assert_eq!(cycles[0].edges, (0..count).collect::<Vec<_>>());
}

#[test]
fn parts_that_do_not_fit_are_left_out() {
    let edges = vec![
        plain_edge(1, 0),
        plain_edge(1, 0),
        plain_edge(0, 7),
        plain_edge(9, 0),
        plain_edge(0, 2),
        plain_edge(2, 0),
    ];
    let graph = Graph::from_parts(numbered_nodes(2), edges);
    assert_eq!(graph.edges, [plain_edge(1, 0)]);
}

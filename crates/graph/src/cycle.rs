use std::collections::VecDeque;

use diag::{Diagnostic, order};
use model::EdgeKind;
use petgraph::{algo::kosaraju_scc, graph::DiGraph};

use crate::{Cycle, Edge, Graph, codes};

/// Edges a search for the shortest cycle of one knot may follow. Knots of real descriptors need a few hundred; in a
/// tangle of thousands the cycle found so far is short already.
const SEARCH: usize = 4_000_000;

/// The knot of each node, numbered so that a knot comes after all knots it needs.
///
/// Kosaraju's algorithm because petgraph's Tarjan recurses once a node: a chain of 100,000 would end the stack.
pub(crate) fn knots(nodes: usize, edges: &[Edge]) -> Vec<usize> {
    let mut graph = DiGraph::<(), (), usize>::with_capacity(nodes, edges.len());
    for _ in 0..nodes {
        graph.add_node(());
    }
    for edge in edges {
        graph.add_edge(edge.from.into(), edge.to.into(), ());
    }
    let mut knots = vec![0; nodes];
    for (knot, members) in kosaraju_scc(&graph).iter().enumerate() {
        for node in members {
            knots[node.index()] = knot;
        }
    }
    knots
}

impl Graph {
    /// True if two nodes need each other, directly or not. A node is in a knot with itself.
    pub fn in_same_cycle(&self, a: usize, b: usize) -> bool {
        self.knots.get(a).is_some_and(|knot| self.knots.get(b) == Some(knot))
    }

    /// One shortest cycle for each knot of nodes that need each other, by the first declared node of each cycle.
    /// It starts there.
    pub fn cycles(&self) -> Vec<Cycle> {
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (node, knot) in self.knots.iter().enumerate() {
            members[*knot].push(node);
        }
        let mut cycles: Vec<Cycle> = members.iter().filter_map(|members| self.shortest(members)).collect();
        order::by_key(&mut cycles, |cycle| self.edges[cycle.edges[0]].from);
        cycles
    }

    fn shortest(&self, members: &[usize]) -> Option<Cycle> {
        let inside = |edge: &&usize| {
            let edge = &self.edges[**edge];
            self.knots[edge.from] == self.knots[edge.to]
        };
        let first = *members.first()?;
        if members.len() == 1 {
            let own = *self.needs(first).iter().find(inside)?;
            return Some(Cycle { edges: vec![own] });
        }
        Some(self.rotated(self.search(members, SEARCH)))
    }

    /// The edges of a short cycle through some of the members of a knot.
    fn search(&self, members: &[usize], limit: usize) -> Vec<usize> {
        let mut search = Search::new(self, members, limit);
        for start in members {
            search.through(*start);
            search.leave_out(*start);
        }
        search.best
    }

    /// The same cycle, beginning at its first declared node.
    fn rotated(&self, mut edges: Vec<usize>) -> Cycle {
        let first = (0..edges.len()).min_by_key(|at| self.edges[edges[*at]].from).unwrap_or(0);
        edges.rotate_left(first);
        Cycle { edges }
    }
}

/// Breadth-first searches through one knot, one for each start node, each for a shorter cycle than the best so far.
/// Invariant: all cycles through a node that is not `alive` have been considered, so later searches omit it. The searches
/// are quadratic in the size of the knot in the worst case, so `limit` ends them; then the cycle may not be the shortest.
struct Search<'a> {
    graph: &'a Graph,
    best: Vec<usize>,
    /// True for each node that can still be part of a cycle that was not considered.
    alive: Vec<bool>,
    /// The edge by which a search reached a node, and which search that was.
    reached: Vec<(usize, usize)>,
    /// Edges of living nodes to and from living nodes.
    degrees: Vec<[usize; 2]>,
    /// Edges that were followed, and after how many of them no other search begins.
    followed: usize,
    limit: usize,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, members: &[usize], limit: usize) -> Self {
        let count = graph.nodes.len();
        let mut alive = vec![false; count];
        for node in members {
            alive[*node] = true;
        }
        let mut degrees = vec![[0, 0]; count];
        for node in members {
            let needs = graph.needs(*node).iter().filter(|edge| alive[graph.edges[**edge].to]);
            let needed_by = graph.needed_by(*node).iter().filter(|edge| alive[graph.edges[**edge].from]);
            degrees[*node] = [needs.count(), needed_by.count()];
        }
        let reached = vec![(0, usize::MAX); count];
        Self { graph, best: Vec::new(), alive, reached, degrees, followed: 0, limit }
    }

    /// Finds the shortest cycle through `start` if it is shorter than the best.
    fn through(&mut self, start: usize) {
        // The first search finds a cycle, because all members need each other.
        if !self.alive[start] || self.followed > self.limit {
            return;
        }
        let mut waiting = VecDeque::from([(start, 1)]);
        while let Some((node, length)) = waiting.pop_front() {
            if !self.best.is_empty() && length >= self.best.len() {
                return;
            }
            for edge in self.graph.needs(node) {
                self.followed += 1;
                let to = self.graph.edges[*edge].to;
                if to == start {
                    self.best = self.way(start, *edge);
                    return;
                }
                if self.alive[to] && self.reached[to].1 != start {
                    self.reached[to] = (*edge, start);
                    waiting.push_back((to, length + 1));
                }
            }
        }
    }

    /// The edges from `start` up to `last`, which closes the cycle.
    fn way(&self, start: usize, last: usize) -> Vec<usize> {
        let mut edges = vec![last];
        let mut node = self.graph.edges[last].from;
        while node != start {
            let edge = self.reached[node].0;
            edges.push(edge);
            node = self.graph.edges[edge].from;
        }
        edges.reverse();
        edges
    }

    /// All cycles through `node` are known; with it go the nodes that no other cycle can pass.
    fn leave_out(&mut self, node: usize) {
        let mut leaving = vec![node];
        while let Some(node) = leaving.pop() {
            if !std::mem::replace(&mut self.alive[node], false) {
                continue;
            }
            let targets = self.graph.needs(node).iter().map(|edge| (self.graph.edges[*edge].to, 1));
            let sources = self.graph.needed_by(node).iter().map(|edge| (self.graph.edges[*edge].from, 0));
            for (other, side) in targets.chain(sources) {
                if self.alive[other] {
                    self.degrees[other][side] -= 1;
                    if self.degrees[other][side] == 0 {
                        leaving.push(other);
                    }
                }
            }
        }
    }
}

/// The diagnostic of a cycle: all of its nodes, and the place of every edge.
pub(crate) fn diagnostic(graph: &Graph, cycle: &Cycle) -> Diagnostic {
    let hops: Vec<&Edge> = cycle.edges.iter().map(|edge| &graph.edges[*edge]).collect();
    let mut circle: Vec<String> =
        hops.iter().map(|edge| graph.nodes[edge.from].address.to_string()).collect();
    circle.push(circle[0].clone());
    let message = format!("dependency cycle: {}", circle.join(" → "));
    let mut diagnostic = Diagnostic::error(codes::CYCLE, hops[0].span, message);
    for edge in hops.iter().flat_map(|hop| between(graph, hop)) {
        diagnostic = diagnostic.related(edge.span, says(graph, edge));
    }
    diagnostic.help(way_out(graph, &hops))
}

/// All edges from the one end of an edge to the other.
fn between<'a>(graph: &'a Graph, hop: &Edge) -> impl Iterator<Item = &'a Edge> {
    let (from, to) = (hop.from, hop.to);
    graph.needs(from).iter().map(|edge| &graph.edges[*edge]).filter(move |edge| edge.to == to)
}

fn says(graph: &Graph, edge: &Edge) -> String {
    let (from, to) = (&graph.nodes[edge.from].address, &graph.nodes[edge.to].address);
    match edge.kind {
        EdgeKind::DependsOn => format!("{from} names {to} in `depends_on` (explicit)"),
        EdgeKind::Reference => format!("{from} takes a value of {to} (reference)"),
        EdgeKind::Attachment => format!("{from} is attached to {to} (attachment)"),
        EdgeKind::Link => format!("{from} has a link to {to} (link)"),
        EdgeKind::Version => format!("{from} needs a version of {to} (version)"),
    }
}

/// Names the explicit dependencies whose removal alone breaks the cycle, if there are any.
fn way_out(graph: &Graph, hops: &[&Edge]) -> String {
    if let [only] = hops {
        let address = &graph.nodes[only.from].address;
        return match only.kind {
            EdgeKind::DependsOn => format!("remove {address} from its own `depends_on`"),
            EdgeKind::Reference => {
                format!(
                    "{address} cannot refer to its own value, which exists only after {address} does: \
                         write the value instead"
                )
            }
            EdgeKind::Attachment | EdgeKind::Link | EdgeKind::Version => {
                format!("{address} cannot be attached to itself: name another one")
            }
        };
    }
    let removable: Vec<String> = hops
        .iter()
        .filter(|hop| between(graph, hop).all(|edge| edge.kind == EdgeKind::DependsOn))
        .map(|hop| {
            format!("{} from `depends_on` of {}", graph.nodes[hop.to].address, graph.nodes[hop.from].address)
        })
        .collect();
    match &removable[..] {
        [] => "write one of these values instead of referring to it, or move it to a resource that both \
               depend on"
            .into(),
        _ => format!("remove {}", removable.join(", or ")),
    }
}

#[cfg(test)]
mod tests {
    use diag::Span;
    use model::{Address, Pointer};

    use super::*;
    use crate::Node;

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        let node = |idx: usize| Node {
            address: Address::new("service", format!("s{idx}")),
            kind: "service".into(),
            wave: 0,
            declared: Span::default(),
        };
        let edge = |(from, to): &(usize, usize)| Edge {
            from: *from,
            to: *to,
            kind: EdgeKind::DependsOn,
            path: Pointer::default(),
            span: Span::default(),
        };
        Graph::from_parts((0..nodes).map(node).collect(), edges.iter().map(edge).collect())
    }

    #[test]
    fn after_so_many_edges_the_cycle_found_so_far_has_to_do() {
        // 0 → 1 → 2 → 0 is found first, with three edges; 3 → 4 → 3 is shorter.
        let graph = graph(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (4, 0)]);
        for (limit, length) in [(0, 3), (2, 3), (3, 2), (SEARCH, 2)] {
            assert_eq!(graph.search(&[0, 1, 2, 3, 4], limit).len(), length, "after {limit} edges");
        }
    }
}

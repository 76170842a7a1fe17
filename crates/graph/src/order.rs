use std::{cmp::Reverse, collections::BinaryHeap};

use crate::Graph;

impl Graph {
    /// The nodes in an order in which each comes after what it needs; ties in declaration order. Edges that close a
    /// cycle are passed over.
    pub fn order(&self) -> Vec<usize> {
        self.order.clone()
    }

    /// The nodes by wave, each wave in declaration order.
    pub fn waves(&self) -> Vec<Vec<usize>> {
        let count = self.nodes.iter().map(|node| node.wave as usize + 1).max().unwrap_or(0);
        let mut waves = vec![Vec::new(); count];
        for (idx, node) in self.nodes.iter().enumerate() {
            waves[node.wave as usize].push(idx);
        }
        waves
    }
}

/// A topological order by Kahn's algorithm (1962), with a heap instead of a queue: of the nodes whose dependencies are
/// placed, the first declared is next. Without cycles, the result does not depend on the order of edges.
pub(crate) fn order(graph: &Graph) -> Vec<usize> {
    let closing = closing_edges(graph);
    let mut unmet = vec![0_usize; graph.nodes.len()];
    for (idx, edge) in graph.edges.iter().enumerate() {
        unmet[edge.from] += usize::from(!closing[idx]);
    }
    let mut ready: BinaryHeap<_> = (0..unmet.len()).filter(|node| unmet[*node] == 0).map(Reverse).collect();
    let mut order = Vec::with_capacity(unmet.len());
    while let Some(Reverse(node)) = ready.pop() {
        order.push(node);
        for edge in graph.needed_by(node).iter().filter(|edge| !closing[**edge]) {
            let dependent = graph.edges[*edge].from;
            unmet[dependent] -= 1;
            if unmet[dependent] == 0 {
                ready.push(Reverse(dependent));
            }
        }
    }
    order
}

/// The back edges of a depth-first search in declaration order. The graph without them has no cycle. The search is
/// iterative, because chains can be longer than the call stack permits.
fn closing_edges(graph: &Graph) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        OnTheWay,
        Done,
    }
    let mut closing = vec![false; graph.edges.len()];
    let mut states = vec![State::New; graph.nodes.len()];
    let mut way: Vec<(usize, usize)> = Vec::new();
    for root in 0..graph.nodes.len() {
        if states[root] != State::New {
            continue;
        }
        states[root] = State::OnTheWay;
        way.push((root, 0));
        while let Some((node, next)) = way.last_mut() {
            let Some(&edge) = graph.needs(*node).get(*next) else {
                states[*node] = State::Done;
                way.pop();
                continue;
            };
            *next += 1;
            let to = graph.edges[edge].to;
            match states[to] {
                State::New => {
                    states[to] = State::OnTheWay;
                    way.push((to, 0));
                }
                State::OnTheWay => closing[edge] = true,
                State::Done => {}
            }
        }
    }
    closing
}

/// The wave of a node is the length of the longest path of the condensation that starts at it (longest path layering);
/// edges inside a knot do not count. [`order`] omits the closing edges, so a node may precede a dependency of its knot
/// there. Waves are therefore computed in the order of the knots.
pub(crate) fn set_waves(graph: &mut Graph) {
    let mut by_knot: Vec<usize> = (0..graph.nodes.len()).collect();
    diag::order::by_key(&mut by_knot, |node| graph.knots[*node]);
    for node in by_knot {
        let outside = graph.needs(node).iter().map(|edge| graph.edges[*edge].to);
        let outside = outside.filter(|to| graph.knots[*to] != graph.knots[node]);
        graph.nodes[node].wave = outside.map(|to| graph.nodes[to].wave + 1).max().unwrap_or(0);
    }
}

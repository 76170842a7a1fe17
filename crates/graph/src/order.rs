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

/// Of the nodes whose needs are met, the first declared comes next.
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

/// Which edges lead back into the way by which a search in declaration order came: without them no cycle is left.
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

/// Edges inside a knot do not count. The order visits a knot's outside needs before any of its nodes only along the
/// edges it kept, so waves are counted along their own order: that of the knots.
pub(crate) fn set_waves(graph: &mut Graph) {
    let mut by_knot: Vec<usize> = (0..graph.nodes.len()).collect();
    diag::order::by_key(&mut by_knot, |node| graph.knots[*node]);
    for node in by_knot {
        let outside = graph.needs(node).iter().map(|edge| graph.edges[*edge].to);
        let outside = outside.filter(|to| graph.knots[*to] != graph.knots[node]);
        graph.nodes[node].wave = outside.map(|to| graph.nodes[to].wave + 1).max().unwrap_or(0);
    }
}

//! The connected components of a graph, and the edges to reverse so that it has no cycles.

use std::collections::HashMap;

/// A graph as the pieces that do not hang together, each without cycles.
#[derive(Debug)]
pub(super) struct Components {
    /// By first node.
    pub(super) pieces: Vec<Piece>,
}

/// Nodes that hang together, renumbered: index in `nodes`.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// The nodes' indices in the input, ascending.
    pub(super) nodes: Vec<usize>,
    /// Each pair of connected nodes once, from left to right.
    pub(super) arcs: Vec<Arc>,
    /// The edges of the input that belong to it.
    pub(super) edges: Vec<LayoutEdge>,
}

/// From a node to one that is to stand further right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arc {
    pub(super) left: usize,
    pub(super) right: usize,
    /// The number of edges that it stands for.
    pub(super) weight: i64,
}

/// An edge of the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayoutEdge {
    /// Its index in the input.
    pub(super) edge: usize,
    pub(super) way: EdgeRoute,
}

/// The way in which an edge is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) enum EdgeRoute {
    /// Along an arc.
    Along(usize),
    /// Against an arc, because it closes a cycle.
    Against(usize),
    /// From a node to itself.
    Around(usize),
}

/// Takes a graph apart. `edges` lead from dependent to dependency.
pub(super) fn split(nodes: usize, edges: &[(usize, usize)]) -> Components {
    let is_there = |(from, to): &(usize, usize)| *from < nodes && *to < nodes;
    let piece_of = connected(nodes, edges.iter().filter(|edge| is_there(edge)));
    let mut pieces: Vec<Piece> = Vec::new();
    let mut local = vec![0; nodes];
    for node in 0..nodes {
        if piece_of[node] == pieces.len() {
            pieces.push(Piece::default());
        }
        let own = &mut pieces[piece_of[node]].nodes;
        local[node] = own.len();
        own.push(node);
    }
    let backward = backward(nodes, edges);
    let mut arcs: HashMap<(usize, usize), usize> = HashMap::new();
    for (edge, (from, to)) in edges.iter().enumerate().filter(|(_, edge)| is_there(edge)) {
        let piece = &mut pieces[piece_of[*from]];
        let (left, right) = if backward[edge] { (*from, *to) } else { (*to, *from) };
        let way = if from == to {
            EdgeRoute::Around(local[*from])
        } else {
            let arc = *arcs.entry((left, right)).or_insert_with(|| {
                piece.arcs.push(Arc { left: local[left], right: local[right], weight: 0 });
                piece.arcs.len() - 1
            });
            piece.arcs[arc].weight += 1;
            if backward[edge] { EdgeRoute::Against(arc) } else { EdgeRoute::Along(arc) }
        };
        piece.edges.push(LayoutEdge { edge, way });
    }
    Components { pieces }
}

/// The component of each node, numbered by first node: union-find with path halving (Tarjan and van Leeuwen 1984). Unions
/// are by the smaller index instead of by rank, so that a root is the first node of its component.
fn connected<'a>(nodes: usize, edges: impl Iterator<Item = &'a (usize, usize)>) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..nodes).collect();
    let find = |parents: &mut Vec<usize>, mut node: usize| {
        while parents[node] != node {
            parents[node] = parents[parents[node]];
            node = parents[node];
        }
        node
    };
    for (from, to) in edges {
        let (one, other) = (find(&mut parents, *from), find(&mut parents, *to));
        parents[one.max(other)] = one.min(other);
    }
    // The first node of a piece is its root, so a root is always met before its members.
    let mut numbers = vec![0; nodes];
    let mut count = 0;
    for node in 0..nodes {
        let root = find(&mut parents, node);
        if root == node {
            numbers[node] = count;
            count += 1;
        } else {
            numbers[node] = numbers[root];
        }
    }
    numbers
}

/// The edges to reverse: the back edges of a depth-first search. It starts from nodes that no other node needs. Each of
/// these edges closes a cycle, but there may be smaller sets: a minimum feedback arc set is NP-hard (Karp 1972).
fn backward(nodes: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut needs = vec![Vec::new(); nodes];
    let mut needed = vec![false; nodes];
    for (edge, (from, to)) in edges.iter().enumerate() {
        if from != to && *from < nodes && *to < nodes {
            needs[*from].push(edge);
            needed[*to] = true;
        }
    }
    let mut backward = vec![false; edges.len()];
    let (mut seen, mut on_the_way) = (vec![false; nodes], vec![false; nodes]);
    let roots = (0..nodes).filter(|node| !needed[*node]).chain(0..nodes);
    for root in roots {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        on_the_way[root] = true;
        let mut way = vec![(root, 0)];
        while let Some((node, next)) = way.last_mut() {
            let Some(&edge) = needs[*node].get(*next) else {
                on_the_way[*node] = false;
                way.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge].1;
            backward[edge] = on_the_way[to];
            if !std::mem::replace(&mut seen[to], true) {
                on_the_way[to] = true;
                way.push((to, 0));
            }
        }
    }
    backward
}

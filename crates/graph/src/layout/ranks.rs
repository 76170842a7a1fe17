//! The column of each node: so that the edges are as short as they can be in total.
//!
//! This is a linear programme over a graph, solved by the network simplex method (Gansner, Koutsofios, North, Vo: "A
//! technique for drawing directed graphs", 1993): a spanning tree of edges of length one, of which edges that are
//! longer than they pay for are exchanged for others until none is left.

use super::pieces::Arc;

/// Arcs considered before the ranks found so far have to do.
const WORK: usize = 40_000_000;

/// Candidates considered to choose a good edge to exchange.
const CHOICE: usize = 30;

const NONE: usize = usize::MAX;

/// The column of each node, from 0, each arc leading at least one column to the right. The arcs have no cycle and
/// connect all nodes.
pub(super) fn ranks(nodes: usize, arcs: &[Arc]) -> Vec<usize> {
    if arcs.is_empty() {
        return vec![0; nodes];
    }
    let mut simplex = Simplex::new(nodes, arcs);
    simplex.build_tree();
    simplex.number(0, 0);
    simplex.weigh();
    while let Some(leaving) = simplex.leaving() {
        let Some(entering) = simplex.entering(leaving) else { break };
        simplex.exchange(leaving, entering);
        if simplex.work > WORK {
            break;
        }
    }
    simplex.normalise();
    simplex.balance();
    simplex.ranks.iter().map(|rank| *rank as usize).collect()
}

/// The column of each node, from 0: the one behind the last that leads to it (longest path layering, in the topological
/// order of Kahn 1962). The arcs have no cycle.
pub(super) fn waves(nodes: usize, arcs: &[Arc]) -> Vec<usize> {
    let mut behind: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    let mut open = vec![0_usize; nodes];
    for arc in arcs {
        behind[arc.left].push(arc.right);
        open[arc.right] += 1;
    }
    let mut ranks = vec![0; nodes];
    let mut ready: Vec<usize> = (0..nodes).filter(|node| open[*node] == 0).collect();
    while let Some(left) = ready.pop() {
        for right in std::mem::take(&mut behind[left]) {
            ranks[right] = ranks[right].max(ranks[left] + 1);
            open[right] -= 1;
            if open[right] == 0 {
                ready.push(right);
            }
        }
    }
    ranks
}

/// Invariants between exchanges:
///
/// - The tree spans all nodes, and its arcs have no slack, so the tree determines the ranks up to a constant.
/// - `first` and `last` are numbers of a postorder walk of the tree: a node is below another one if its `last` is within
///   the range `first..=last` of the other one.
/// - `cuts` has the cut value of each tree arc, and 0 for the other arcs. An exchange changes only those on the cycle that
///   the entering arc closes.
struct Simplex<'a> {
    arcs: &'a [Arc],
    /// The arcs of each node.
    incident: Vec<Vec<usize>>,
    ranks: Vec<i64>,
    in_tree: Vec<bool>,
    /// The tree arcs of each node.
    tree: Vec<Vec<usize>>,
    /// The tree arc that leads towards the tree's root.
    parents: Vec<usize>,
    /// Nodes by their number in a walk of the tree that numbers a node after all below it.
    walk: Vec<usize>,
    /// Each node's number, and the least number below it.
    last: Vec<usize>,
    first: Vec<usize>,
    /// The cut values of the tree arcs: the saving if an arc is shortened by one; negative if lengthening it saves.
    cuts: Vec<i64>,
    next: usize,
    work: usize,
}

impl<'a> Simplex<'a> {
    fn new(nodes: usize, arcs: &'a [Arc]) -> Self {
        let mut incident = vec![Vec::new(); nodes];
        for (idx, arc) in arcs.iter().enumerate() {
            incident[arc.left].push(idx);
            incident[arc.right].push(idx);
        }
        let ranks = longest_ways(arcs, &incident);
        Self {
            arcs,
            incident,
            ranks,
            in_tree: vec![false; arcs.len()],
            tree: vec![Vec::new(); nodes],
            parents: vec![NONE; nodes],
            walk: vec![0; nodes],
            last: vec![0; nodes],
            first: vec![0; nodes],
            cuts: vec![0; arcs.len()],
            next: 0,
            work: 0,
        }
    }

    /// The excess of the length of an arc over the necessary length.
    fn slack(&self, arc: usize) -> i64 {
        let Arc { left, right, .. } = self.arcs[arc];
        self.ranks[right] - self.ranks[left] - 1
    }

    fn other_end(&self, arc: usize, node: usize) -> usize {
        let Arc { left, right, .. } = self.arcs[arc];
        if left == node { right } else { left }
    }

    /// Spans the nodes with arcs of length one, moving what is reached so far where none is left.
    fn build_tree(&mut self) {
        let mut reached = vec![false; self.ranks.len()];
        let mut members = Vec::with_capacity(reached.len());
        self.grow(0, &mut reached, &mut members);
        while members.len() < reached.len() {
            let leaves = |arc: &usize| reached[self.arcs[*arc].left] != reached[self.arcs[*arc].right];
            let Some(shortest) = (0..self.arcs.len()).filter(leaves).min_by_key(|arc| self.slack(*arc))
            else {
                return;
            };
            let slack = self.slack(shortest);
            let Arc { left, right, .. } = self.arcs[shortest];
            let (shift, next) = if reached[left] { (slack, right) } else { (-slack, left) };
            for member in &members {
                self.ranks[*member] += shift;
            }
            self.add_to_tree(shortest);
            self.grow(next, &mut reached, &mut members);
        }
    }

    /// Adds `from` and what arcs of length one reach from there.
    fn grow(&mut self, from: usize, reached: &mut [bool], members: &mut Vec<usize>) {
        reached[from] = true;
        members.push(from);
        let mut at = members.len() - 1;
        while let Some(&node) = members.get(at) {
            at += 1;
            for idx in 0..self.incident[node].len() {
                let arc = self.incident[node][idx];
                let other = self.other_end(arc, node);
                if !reached[other] && self.slack(arc) == 0 {
                    reached[other] = true;
                    members.push(other);
                    self.add_to_tree(arc);
                }
            }
        }
    }

    fn add_to_tree(&mut self, arc: usize) {
        self.in_tree[arc] = true;
        self.tree[self.arcs[arc].left].push(arc);
        self.tree[self.arcs[arc].right].push(arc);
    }

    fn remove_from_tree(&mut self, arc: usize) {
        self.in_tree[arc] = false;
        for node in [self.arcs[arc].left, self.arcs[arc].right] {
            self.tree[node].retain(|it| *it != arc);
        }
    }

    /// Numbers `root` and all below it, from `number` on. Its own parent stays. After an exchange only the subtree in which
    /// the cycle closes has to be numbered again, with the same range of numbers.
    fn number(&mut self, root: usize, number: usize) {
        let mut number = number;
        let mut way = vec![(root, 0)];
        self.first[root] = number;
        while let Some((node, next)) = way.last_mut() {
            let node = *node;
            if let Some(&arc) = self.tree[node].get(*next) {
                *next += 1;
                if arc != self.parents[node] {
                    let child = self.other_end(arc, node);
                    self.parents[child] = arc;
                    self.first[child] = number;
                    way.push((child, 0));
                }
                continue;
            }
            self.last[node] = number;
            self.walk[number] = node;
            number += 1;
            self.work += 1;
            way.pop();
        }
    }

    /// Computes all cuts, those further from the root first.
    fn weigh(&mut self) {
        for number in 0..self.walk.len() - 1 {
            let node = self.walk[number];
            let parent = self.parents[node];
            let leads_up = self.arcs[parent].left == node;
            let mut cut = self.arcs[parent].weight;
            for &arc in self.incident[node].iter().filter(|arc| **arc != parent) {
                let same = (self.arcs[arc].left == node) == leads_up;
                let below = if self.in_tree[arc] { self.cuts[arc] } else { 0 };
                cut += if same { self.arcs[arc].weight - below } else { below - self.arcs[arc].weight };
            }
            self.cuts[parent] = cut;
        }
    }

    /// A tree arc with a negative cut value: the least of the next few, in a cyclic scan. The method may cycle in degenerate
    /// cases, which [`WORK`] ends.
    fn leaving(&mut self) -> Option<usize> {
        let (mut best, mut found) = (None, 0);
        for _ in 0..self.arcs.len() {
            let arc = self.next;
            self.next = (self.next + 1) % self.arcs.len();
            self.work += 1;
            if self.in_tree[arc] && self.cuts[arc] < 0 {
                if best.is_none_or(|best: usize| self.cuts[arc] < self.cuts[best]) {
                    best = Some(arc);
                }
                found += 1;
                if found == CHOICE {
                    break;
                }
            }
        }
        best
    }

    /// The lower end of a tree arc: all below it hangs on the tree by this arc.
    fn lower_end(&self, arc: usize) -> usize {
        let Arc { left, right, .. } = self.arcs[arc];
        if self.last[left] < self.last[right] { left } else { right }
    }

    /// The shortest arc that leads the other way across the cut that `leaving` leaves behind.
    fn entering(&mut self, leaving: usize) -> Option<usize> {
        let top = self.lower_end(leaving);
        let below = self.first[top]..=self.last[top];
        let outward = self.arcs[leaving].right == top;
        let mut best: Option<(i64, usize)> = None;
        for number in below.clone() {
            let node = self.walk[number];
            for &arc in &self.incident[node] {
                self.work += 1;
                let (own, other) = match self.arcs[arc] {
                    Arc { left, right, .. } if outward => (left, right),
                    Arc { left, right, .. } => (right, left),
                };
                if own == node && !below.contains(&self.last[other]) {
                    let slack = self.slack(arc);
                    if best.is_none_or(|(least, _)| slack < least) {
                        best = Some((slack, arc));
                    }
                }
            }
        }
        best.map(|(_, arc)| arc)
    }

    fn exchange(&mut self, leaving: usize, entering: usize) {
        let top = self.lower_end(leaving);
        let shift = self.slack(entering);
        let shift = if self.arcs[leaving].right == top { shift } else { -shift };
        for number in self.first[top]..=self.last[top] {
            self.ranks[self.walk[number]] += shift;
        }
        let cut = self.cuts[leaving];
        let Arc { left, right, .. } = self.arcs[entering];
        let meeting = self.reweigh(left, right, cut);
        self.reweigh(right, left, -cut);
        self.cuts[entering] = -cut;
        self.cuts[leaving] = 0;
        self.remove_from_tree(leaving);
        self.add_to_tree(entering);
        self.number(meeting, self.first[meeting]);
    }

    /// Adds `cut` to the arcs on the way from `node` up to where the way from `other` joins; that node.
    fn reweigh(&mut self, node: usize, other: usize, cut: i64) -> usize {
        let mut node = node;
        while !(self.first[node]..=self.last[node]).contains(&self.last[other]) {
            let parent = self.parents[node];
            self.cuts[parent] += if self.arcs[parent].left == node { cut } else { -cut };
            node = self.other_end(parent, node);
            self.work += 1;
        }
        node
    }

    fn normalise(&mut self) {
        let least = self.ranks.iter().copied().min().unwrap_or(0);
        for rank in &mut self.ranks {
            *rank -= least;
        }
    }

    /// Moves nodes that may as well stand elsewhere to columns with fewer nodes.
    fn balance(&mut self) {
        let columns = self.ranks.iter().copied().max().unwrap_or(0) as usize + 1;
        let mut crowd = vec![0; columns];
        for rank in &self.ranks {
            crowd[*rank as usize] += 1;
        }
        for node in 0..self.ranks.len() {
            let (mut pull, mut least, mut most) = (0, 0, i64::MAX);
            for arc in &self.incident[node] {
                let arc = self.arcs[*arc];
                if arc.right == node {
                    pull -= arc.weight;
                    least = least.max(self.ranks[arc.left] + 1);
                } else {
                    pull += arc.weight;
                    most = most.min(self.ranks[arc.right] - 1);
                }
            }
            // There is an arc, so equal pulls have one on each side.
            if pull == 0 {
                let best = (least..=most).min_by_key(|rank| crowd[*rank as usize]).unwrap_or(least);
                let old = self.ranks[node];
                if crowd[best as usize] + 1 < crowd[old as usize] {
                    crowd[old as usize] -= 1;
                    crowd[best as usize] += 1;
                    self.ranks[node] = best;
                }
            }
        }
    }
}

/// Ranks by the longest way from the left.
fn longest_ways(arcs: &[Arc], incident: &[Vec<usize>]) -> Vec<i64> {
    let mut ranks = vec![0; incident.len()];
    let mut unmet = vec![0; incident.len()];
    for arc in arcs {
        unmet[arc.right] += 1;
    }
    let mut ready: Vec<usize> = (0..unmet.len()).filter(|node| unmet[*node] == 0).collect();
    while let Some(node) = ready.pop() {
        for arc in incident[node].iter().map(|arc| arcs[*arc]).filter(|arc| arc.left == node) {
            ranks[arc.right] = ranks[arc.right].max(ranks[node] + 1);
            unmet[arc.right] -= 1;
            if unmet[arc.right] == 0 {
                ready.push(arc.right);
            }
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn length(ranks: &[usize], arcs: &[Arc]) -> i64 {
        arcs.iter().map(|arc| arc.weight * (ranks[arc.right] as i64 - ranks[arc.left] as i64)).sum()
    }

    fn fits(ranks: &[usize], arcs: &[Arc]) -> bool {
        arcs.iter().all(|arc| ranks[arc.right] > ranks[arc.left])
    }

    /// True if some of the nodes can move one column to the right so that the edges get shorter. If none can, these are
    /// the best columns of all: the length is convex, and all columns are reached by such moves.
    fn can_be_shorter(ranks: &[usize], arcs: &[Arc]) -> bool {
        let movings = (0..1_usize << ranks.len()).map(|moving| {
            let moved = ranks.iter().enumerate().map(|(node, rank)| rank + (moving >> node & 1));
            moved.collect::<Vec<_>>()
        });
        movings.into_iter().any(|moved| fits(&moved, arcs) && length(&moved, arcs) < length(ranks, arcs))
    }

    proptest! {
        #[test]
        fn no_other_ranks_make_edges_shorter(
            links in prop::collection::vec((0_usize..8, 1_i64..4), 7),
            more in prop::collection::vec((0_usize..8, 0_usize..8, 1_i64..4), 0..8),
        ) {
            // Each node but the first is linked to one before it, so that all hang together.
            let links = links.iter().enumerate().map(|(n, (to, weight))| (n + 1, to % (n + 1), *weight));
            let more = more.iter().filter(|(a, b, _)| a != b).copied();
            // Arcs lead up in this order, so that they make no cycle.
            let order = [3, 0, 5, 1, 7, 4, 2, 6];
            let arcs: Vec<Arc> = links
                .chain(more)
                .map(|(a, b, weight)| {
                    let (left, right) = if order[a] < order[b] { (a, b) } else { (b, a) };
                    Arc { left, right, weight }
                })
                .collect();
            let ranks = ranks(8, &arcs);
            prop_assert!(fits(&ranks, &arcs));
            prop_assert_eq!(ranks.iter().min(), Some(&0));
            prop_assert!(!can_be_shorter(&ranks, &arcs), "{:?}", ranks);
        }
    }

    /// A chain of `0..chain`, and each of the others between two nodes of it.
    #[track_caller]
    fn check_beside_chain(chain: usize, others: &[(usize, usize)], expected: &[usize]) {
        let arc = |left, right| Arc { left, right, weight: 1 };
        let mut arcs: Vec<Arc> = (1..chain).map(|node| arc(node - 1, node)).collect();
        for (other, (left, right)) in others.iter().enumerate() {
            arcs.extend([arc(*left, chain + other), arc(chain + other, *right)]);
        }
        let ranks = ranks(chain + others.len(), &arcs);
        assert_eq!(ranks[..chain], (0..chain).collect::<Vec<_>>());
        assert_eq!(ranks[chain..], *expected);
    }

    #[test]
    fn nodes_that_may_stand_in_several_columns_even_them_out() {
        check_beside_chain(4, &[(0, 3)], &[1]);
        check_beside_chain(4, &[(0, 3), (0, 3)], &[2, 1]);
        check_beside_chain(4, &[(0, 3); 4], &[2, 2, 1, 1]);
        check_beside_chain(6, &[(0, 5); 3], &[2, 3, 1]);
        // The column that the first one keeps to is as full as theirs would be.
        check_beside_chain(4, &[(1, 3), (0, 3), (0, 3)], &[2, 1, 1]);
    }
}

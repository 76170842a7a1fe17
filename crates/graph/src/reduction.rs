use diag::order;
use model::EdgeKind;

use crate::Graph;

/// Nodes considered in one pass: a row of this many bits for each knot.
const COLUMNS: usize = 1024;
const WORDS: usize = COLUMNS / 64;

impl Graph {
    /// The edges (indices) to draw: one for each pair of nodes, and none where a longer path implies it.
    ///
    /// Of several edges of a pair the most telling one: a reference, else an attachment, else `depends_on`. Edges
    /// inside a knot are all drawn, and so are all direct ones between two knots: a cycle is to be seen as it is.
    /// A node can be reached along these edges exactly if it can be reached along all.
    pub fn reduction(&self) -> Vec<usize> {
        let mut redundant = vec![false; self.edges.len()];
        let mut members: Vec<usize> = (0..self.nodes.len()).collect();
        order::by_key(&mut members, |node| self.knots[*node]);
        for first in (0..self.nodes.len()).step_by(COLUMNS) {
            self.mark_redundant(&members, first, &mut redundant);
        }
        let drawn = self.one_per_pair();
        (0..self.edges.len()).filter(|edge| drawn[*edge] && !redundant[*edge]).collect()
    }

    /// Marks the edges into the knots `first..first + COLUMNS` that a way through a third knot makes redundant: the
    /// transitive reduction of the condensation (Aho, Garey and Ullman 1972), by the transitive closure in rows of bits.
    ///
    /// Invariant: knots are numbered in topological order, dependencies first, so in one pass the rows of all dependencies
    /// are complete before they are used. The closure is computed for a block of [`COLUMNS`] knots at a time, which limits
    /// the memory to a fixed number of bytes per node.
    fn mark_redundant(&self, members: &[usize], first: usize, redundant: &mut [bool]) {
        let mut reach = vec![[0_u64; WORDS]; self.nodes.len()];
        for group in members.chunk_by(|a, b| self.knots[*a] == self.knots[*b]) {
            let own = self.knots[group[0]];
            let outward = || {
                let edges = group.iter().flat_map(|node| self.needs(*node));
                edges.map(|edge| (*edge, self.knots[self.edges[*edge].to])).filter(|(_, knot)| *knot != own)
            };
            let mut row = [0_u64; WORDS];
            for (_, knot) in outward() {
                for (word, other) in row.iter_mut().zip(&reach[knot]) {
                    *word |= other;
                }
            }
            let mut direct = row;
            for (edge, knot) in outward().filter(|(_, knot)| (first..first + COLUMNS).contains(knot)) {
                let (word, bit) = ((knot - first) / 64, 1 << ((knot - first) % 64));
                redundant[edge] = row[word] & bit != 0;
                direct[word] |= bit;
            }
            reach[own] = direct;
        }
    }

    fn one_per_pair(&self) -> Vec<bool> {
        let mut drawn = vec![false; self.edges.len()];
        let mut best: Vec<Option<usize>> = vec![None; self.nodes.len()];
        for node in 0..self.nodes.len() {
            for edge in self.needs(node) {
                let best = &mut best[self.edges[*edge].to];
                let better = best.is_none_or(|other| self.telling(*edge) > self.telling(other));
                if better {
                    *best = Some(*edge);
                }
            }
            for edge in self.needs(node) {
                if let Some(edge) = best[self.edges[*edge].to].take() {
                    drawn[edge] = true;
                }
            }
        }
        drawn
    }

    fn telling(&self, edge: usize) -> u8 {
        match self.edges[edge].kind {
            EdgeKind::DependsOn => 0,
            EdgeKind::Attachment => 1,
            EdgeKind::Reference => 2,
            EdgeKind::Link => 3,
            EdgeKind::Version => 4,
        }
    }
}

//! The dependency graph: typed edges, order, waves, minimal cycles, impact; places to draw it at; and the output of graphs for
//! Graphviz and Mermaid, this one and others.
//!
//! An edge leads *from* the dependent *to* what it needs. Between two nodes there may be several edges (an explicit
//! `depends_on` and a reference), each with the byte it was written at; one kind of edge stands at most once between
//! two nodes.
//!
//! An order of the nodes gives waves, which can be created at the same time. Cycles are found as strongly connected
//! components; of each, one shortest cycle is reported, because it is what a user has to break. Pictures show the transitive
//! reduction. The [`layout`] is layered, with few crossings: the search for them ends after a number of steps that depends on
//! the size of the graph, and not after a time, so that the same graph has the same drawing on each machine.
//!
//! Everything here is a function of the declarations and their order: no hashing shows in any answer.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod codes;
pub mod dot;
pub mod layout;
pub mod mermaid;

mod adjacency;
mod build;
mod cycle;
mod order;
mod reduction;

use std::{collections::HashMap, sync::Arc};

use diag::Span;
use model::{Address, EdgeKind, Pointer};

use adjacency::Adjacency;

pub use {dot::Dot, mermaid::Mermaid};

/// The dependency graph of one deployment.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The resources, in the order they are declared.
    pub nodes: Vec<Node>,
    /// The edges, by dependent in that order, then as written.
    pub edges: Vec<Edge>,
    /// The links from consumers to their providers, in the same order. Links order nothing, so they are no part of `edges`, and
    /// neither waves nor cycles contain them.
    pub links: Vec<Edge>,
    index: HashMap<Address, usize>,
    /// Edge indices by `from`, then by `to`.
    needs: Adjacency,
    needed_by: Adjacency,
    /// The knot (strongly connected component) of each node.
    knots: Vec<usize>,
    order: Vec<usize>,
}

/// One resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub address: Address,
    /// Its kind.
    pub kind: Arc<str>,
    /// The step of a parallel creation it belongs to, from 0: one more than the last of what it needs.
    /// Nodes of a cycle, and what needs them, count as if the cycle's own edges were not there.
    pub wave: u32,
    /// The place where it is declared.
    pub declared: Span,
}

/// One reason why `from` needs `to`; indices into [`Graph::nodes`].
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The dependent.
    pub from: usize,
    /// The node that it depends on.
    pub to: usize,
    /// The kind of the connection.
    pub kind: EdgeKind,
    /// The attribute of `from` that says so.
    pub path: Pointer,
    /// The place where that is written.
    pub span: Span,
}

/// A shortest circle of edges: each one's `to` is the next one's `from`, the last one's `to` the first one's `from`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cycle {
    /// Indices into [`Graph::edges`].
    pub edges: Vec<usize>,
}

impl Graph {
    /// The index of a node.
    pub fn find(&self, address: &Address) -> Option<usize> {
        self.index.get(address).copied()
    }

    /// The edges (indices) to the nodes that `node` needs, as written.
    pub fn needs(&self, node: usize) -> &[usize] {
        self.needs.of(node)
    }

    /// The edges (indices) from the nodes that need `node`, by dependent.
    pub fn needed_by(&self, node: usize) -> &[usize] {
        self.needed_by.of(node)
    }

    /// Everything that directly or not needs `node`, in order; never `node` itself.
    pub fn dependents(&self, node: usize) -> Vec<usize> {
        self.reached(node, |at| self.needed_by(at).iter().map(|edge| self.edges[*edge].from).collect())
    }

    /// Everything that `node` directly or not needs, in order; never `node` itself.
    pub fn dependencies(&self, node: usize) -> Vec<usize> {
        self.reached(node, |at| self.needs(at).iter().map(|edge| self.edges[*edge].to).collect())
    }

    fn reached(&self, start: usize, next: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let mut waiting = vec![start];
        while let Some(node) = waiting.pop() {
            for other in next(node) {
                if !std::mem::replace(&mut seen[other], true) {
                    waiting.push(other);
                }
            }
        }
        self.order.iter().copied().filter(|node| seen[*node] && *node != start).collect()
    }
}

//! Who needs whom: typed edges, order, waves, minimal cycles, impact; and where to draw it.
//!
//! An edge leads *from* the dependent *to* what it needs. Between two nodes there may be several edges (an explicit
//! `depends_on` and a reference), each with the byte it was written at.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod layout;

use std::sync::Arc;

use diag::{Diagnostics, Span};
use model::{Address, Desired, EdgeKind, Pointer};

/// The dependency graph of one deployment.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The resources, in the order they are declared.
    pub nodes: Vec<Node>,
    /// The edges, by dependent in that order, then as written.
    pub edges: Vec<Edge>,
    // the implementation adds private indices (adjacency, address → index)
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
    /// Where it is declared.
    pub declared: Span,
}

/// One reason why `from` needs `to`; indices into [`Graph::nodes`].
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The dependent.
    pub from: usize,
    /// What it needs.
    pub to: usize,
    /// How they are connected.
    pub kind: EdgeKind,
    /// The attribute of `from` that says so.
    pub path: Pointer,
    /// Where that is written.
    pub span: Span,
}

/// A shortest circle of edges: each one's `to` is the next one's `from`, the last one's `to` the first one's `from`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cycle {
    /// Indices into [`Graph::edges`].
    pub edges: Vec<usize>,
}

impl Graph {
    /// The graph of what the descriptors ask for, and a diagnostic `graph/cycle` for each minimal cycle.
    /// Edges to addresses that are not in `desired` are left out (lowering has reported them).
    pub fn build(desired: &Desired) -> (Self, Diagnostics) {
        let _ = desired;
        todo!()
    }

    /// The index of a node.
    pub fn find(&self, address: &Address) -> Option<usize> {
        let _ = address;
        todo!()
    }

    /// The nodes in an order in which each comes after what it needs; ties in declaration order. Edges that close a
    /// cycle are passed over.
    pub fn order(&self) -> Vec<usize> {
        todo!()
    }

    /// One shortest cycle for each knot of nodes that need each other.
    pub fn cycles(&self) -> Vec<Cycle> {
        todo!()
    }

    /// Everything that directly or not needs `node`, in order.
    pub fn dependents(&self, node: usize) -> Vec<usize> {
        let _ = node;
        todo!()
    }

    /// The edges (indices) to draw: one for each pair of nodes, and none where a longer way says the same.
    pub fn reduction(&self) -> Vec<usize> {
        todo!()
    }
}

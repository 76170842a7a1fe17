//! Merges layers to one tree, and records who wrote each node and by which rule.
//!
//! Left to right: maps deep, a later scalar wins, lists concatenate, as the Golem application model says; a type definition
//! may say otherwise for a field, `!reset` and `!override` for one node. Other spellings of keys (`nodes`) become the ones
//! of the type definitions (`services`) before merging, with a hint. The tree's nodes keep the spans of the files they came
//! from, so only what was *not* simply written once is recorded in [`Merged::history`]: the rule that decided, and the
//! values that it shadowed.
//!
//! Never fails. Where two layers disagree about the kind of a node, nothing of the later one is applied there.
//!
//! Invariants of the result: the root is a map; no node has a tag; a key and its value come from one layer; a node that only
//! one layer wrote is shared with that layer's tree, not copied.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod codes;
mod discard;
mod fold;
mod groups;
mod history;
mod list;
mod map;
mod merge;
mod package;
mod report;
mod rule;
mod source;
mod spelling;

use std::sync::Arc;

use syntax::Node;

pub use history::{History, Merged, NodeOrigin, Shadowed};
pub use merge::merge;
pub use rule::Rule;

/// One file's tree.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Its content; `None` when it has none.
    pub root: Option<Node>,
    /// The zip package it came from: among layers of one package there is no order, so they must not disagree.
    pub package: Option<Arc<str>>,
    /// True if some node has a tag, as [`Node::has_tags`] says; a caller that merges a tree often keeps it. Nodes of a
    /// layer without tags can be taken as they are.
    pub has_tags: bool,
}

impl Layer {
    /// A layer of that content.
    pub fn new(root: Option<Node>, package: Option<Arc<str>>) -> Self {
        let has_tags = root.as_ref().is_some_and(Node::has_tags);
        Self { root, package, has_tags }
    }
}

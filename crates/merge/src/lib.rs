//! Layers to one tree, remembering who wrote each node and by which rule.
//!
//! Left to right: maps deep, a later scalar wins, lists concatenate (GAP-16); a type definition may say otherwise for
//! a field, `!reset` and `!override` for one node. Other spellings of keys (`nodes`) become the ones of the type
//! definitions (`services`) before merging, with a hint. The tree's nodes keep the spans of the files they came
//! from, so only what was *not* simply written once is recorded in [`Merged::history`].
//!
//! Never fails. Where two layers disagree about the kind of a node, nothing of the later one is applied there.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

use std::{collections::BTreeMap, sync::Arc};

use diag::{Diagnostics, Span};
use model::Pointer;
use syntax::Node;
use types::Types;

/// One file's tree.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Its content; `None` when it has none.
    pub root: Option<Node>,
    /// The zip package it came from: among layers of one package there is no order, so they must not disagree.
    pub package: Option<Arc<str>>,
}

/// All layers as one tree.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The tree; an empty map when no layer has content.
    pub root: Node,
    /// How the nodes came about that more than one layer wrote, by their place in `root`.
    pub history: BTreeMap<Pointer, History>,
}

/// How one node came about.
#[derive(Clone, Debug)]
pub struct History {
    /// The rule that decided.
    pub rule: Rule,
    /// What earlier layers had written there, latest first.
    pub shadowed: Vec<Shadowed>,
}

/// A value that a later layer replaced or removed.
#[derive(Clone, Debug)]
pub struct Shadowed {
    /// The value.
    pub value: Node,
    /// The rule that had put it there.
    pub rule: Rule,
}

/// The rule by which a node came to hold what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Only one layer wrote it.
    Set,
    /// Maps were merged key by key.
    Deep,
    /// A later scalar won.
    Override,
    /// Lists were put behind each other.
    Concatenate,
    /// The field's definition, or the tag `!override`, says that the later one replaces.
    Replace,
    /// Lists were put behind each other without repeating an item.
    Unique,
    /// Items were merged by their key.
    ByKey,
    /// `!reset` removed it.
    Reset,
}

impl Rule {
    /// `set`, `deep`, `override`, `concatenate`, `replace`, `unique`, `by_key`, `reset`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Deep => "deep",
            Self::Override => "override",
            Self::Concatenate => "concatenate",
            Self::Replace => "replace",
            Self::Unique => "unique",
            Self::ByKey => "by_key",
            Self::Reset => "reset",
        }
    }
}

/// Where a merged node came from.
#[derive(Clone, Debug)]
pub struct NodeOrigin<'a> {
    /// The bytes of the value that won.
    pub span: Span,
    /// The rule by which it won.
    pub rule: Rule,
    /// What it replaced, latest first.
    pub shadowed: &'a [Shadowed],
}

impl Merged {
    /// The node at a place.
    pub fn at(&self, pointer: &Pointer) -> Option<&Node> {
        let _ = pointer;
        todo!()
    }

    /// Where the node at a place came from; `None` where nothing is.
    pub fn origin(&self, pointer: &Pointer) -> Option<NodeOrigin<'_>> {
        let _ = pointer;
        todo!()
    }
}

/// Merges layers, first to last.
pub fn merge(layers: &[Layer], types: &Types) -> (Merged, Diagnostics) {
    let _ = (layers, types);
    todo!()
}

use std::sync::Arc;

use diag::{Span, TextEdit};
use resolve::RuleKind;

/// The result of a request.
#[derive(Clone, Debug)]
pub enum Resolution {
    /// All requirements are met.
    Solved(Vec<Selected>),
    /// There is no solution.
    Unsolvable {
        /// Conflicts that are independent of each other, each irreducible.
        conflicts: Vec<Conflict>,
        /// Changes that resolve conflicts, each verified, the smallest first.
        fixes: Vec<Fix>,
    },
    /// It was cancelled.
    Stopped,
}

/// A bundle that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    /// `catalog:package:version:channel`.
    pub id: Arc<str>,
    /// The catalog's name; empty for an installed bundle that no catalog has any more.
    pub catalog: Arc<str>,
    /// The package's name.
    pub package: Arc<str>,
    /// The version, with its release if it has one.
    pub version: Arc<str>,
    /// The channel that it was taken from.
    pub channel: Arc<str>,
    /// The bundle's name.
    pub bundle: Arc<str>,
    /// The image with its content.
    pub image: Arc<str>,
    /// The requirements that it was selected for: names of requirements and ids of selected bundles.
    pub wanted_by: Vec<Arc<str>>,
    /// True if it was installed already.
    pub is_installed: bool,
    /// The installed version that it replaces.
    pub previous: Option<Arc<str>>,
    /// The upgrade that leads from that version to this one; `None` if the catalog has no such upgrade.
    pub upgrade: Option<Fact>,
    /// The candidates in order of preference up to this one, and what ruled each out ("why this version").
    pub considered: Vec<ConsideredCandidate>,
    /// The place where it is declared, in its catalog.
    pub origin: Option<Span>,
}

/// A candidate of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsideredCandidate {
    /// Its id.
    pub id: Arc<str>,
    /// Its version.
    pub version: Arc<str>,
    /// The facts that ruled it out; empty for the chosen one.
    pub ruled_out_by: Vec<Fact>,
    /// The place where it is declared.
    pub origin: Option<Span>,
}

/// Facts that cannot all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// One sentence for the whole.
    pub summary: String,
    /// The facts, in an order in which they can be read.
    pub facts: Vec<Fact>,
}

/// A statement for users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The sentence.
    pub text: Arc<str>,
    /// The variable that it is about.
    pub subject: Arc<str>,
    /// The kind of its constraint.
    pub kind: RuleKind,
    /// The place where it was written.
    pub origin: Option<Span>,
}

/// A change that makes a solution possible. It was verified.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// The label of the change.
    pub title: String,
    /// The text edits that make the change, if the places are known.
    pub edits: Vec<TextEdit>,
    /// The ids of what would be selected then; if there are several conflicts, without what the others are
    /// about.
    pub selection: Vec<Arc<str>>,
    /// The index of the conflict that it resolves.
    pub conflict: usize,
}

use std::sync::Arc;

use diag::{Span, TextEdit};
use resolve::RuleKind;

/// The result of a request.
#[derive(Clone, Debug)]
pub enum Resolution {
    /// Everything is met.
    Solved(Vec<Selected>),
    /// It can't be done.
    Unsolvable {
        /// Conflicts that have nothing to do with each other, each irreducible.
        conflicts: Vec<Conflict>,
        /// What would help, each tried, the smallest first.
        fixes: Vec<Fix>,
    },
    /// It was broken off.
    Stopped,
}

/// A bundle that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    /// `catalog:package:version:channel`.
    pub id: Arc<str>,
    /// The catalog's name; empty for what is installed and in no catalog any more.
    pub catalog: Arc<str>,
    /// The package's name.
    pub package: Arc<str>,
    /// The version, with its release where it has one.
    pub version: Arc<str>,
    /// The channel that it was taken from.
    pub channel: Arc<str>,
    /// The bundle's name.
    pub bundle: Arc<str>,
    /// Where its content is.
    pub image: Arc<str>,
    /// Who asked for it: names of requirements and ids of selected bundles.
    pub wanted_by: Vec<Arc<str>>,
    /// It was there already.
    pub is_installed: bool,
    /// The installed version that it takes the place of.
    pub previous: Option<Arc<str>>,
    /// The upgrade that leads from that version to this one; none where that is no upgrade of the catalog.
    pub upgrade: Option<Fact>,
    /// The candidates in order of preference up to this one, and what ruled each out ("why this version").
    pub considered: Vec<ConsideredCandidate>,
    /// Where it is declared, in its catalog.
    pub origin: Option<Span>,
}

/// A candidate of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsideredCandidate {
    /// Its id.
    pub id: Arc<str>,
    /// Its version.
    pub version: Arc<str>,
    /// What ruled it out; none for the chosen one.
    pub ruled_out_by: Vec<Fact>,
    /// Where it is declared.
    pub origin: Option<Span>,
}

/// Facts that can't all be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// One sentence for the whole.
    pub summary: String,
    /// The facts, in an order in which they can be read.
    pub facts: Vec<Fact>,
}

/// Something that holds, in the words of users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The sentence.
    pub text: Arc<str>,
    /// The variable that it is said of.
    pub subject: Arc<str>,
    /// What kind of constraint it is.
    pub kind: RuleKind,
    /// Where it was written.
    pub origin: Option<Span>,
}

/// A change that would make it possible. It was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// What to do.
    pub title: String,
    /// The edits of texts that do it, where they are known.
    pub edits: Vec<TextEdit>,
    /// What would be selected then, by id; of several conflicts, without what the others are about.
    pub selection: Vec<Arc<str>>,
    /// The place of the conflict that it takes away.
    pub conflict: usize,
}

use std::sync::Arc;

use diag::Span;

use crate::Id;

/// A constraint, as stated on a variable, its subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// The rule.
    pub rule: Rule,
    /// A text for people; the rule's own sentence if there is none.
    pub text: Option<Arc<str>>,
    /// The place where it was written.
    pub origin: Option<Span>,
}

/// The rule of a constraint (source: deppy's constraints, deppy's compound constraints).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The subject is selected.
    Mandatory,
    /// The subject is not selected.
    Prohibited,
    /// Not both the subject and the other one.
    Conflict(Id),
    /// If the subject is selected, at least one of these is; earlier ones are preferred. If the list is
    /// empty, the subject cannot be selected.
    Dependency(Vec<Id>),
    /// At most so many of these, whether the subject is selected or not. One that is listed twice counts
    /// once.
    AtMost {
        /// The limit.
        n: usize,
        /// The variables to count.
        of: Vec<Id>,
    },
    /// All of these; an empty list always holds.
    And(Vec<Rule>),
    /// At least one of these; an empty list never holds.
    Or(Vec<Rule>),
    /// The negation of a rule.
    Not(Box<Rule>),
}

impl Constraint {
    /// A constraint without a text or a place.
    pub const fn new(rule: Rule) -> Self {
        Self { rule, text: None, origin: None }
    }

    /// Sets the text.
    #[must_use]
    pub fn text(mut self, text: impl Into<Arc<str>>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// Sets the place where it was written.
    #[must_use]
    pub fn origin(mut self, origin: impl Into<Option<Span>>) -> Self {
        self.origin = origin.into();
        self
    }
}

impl From<Rule> for Constraint {
    fn from(rule: Rule) -> Self {
        Self::new(rule)
    }
}

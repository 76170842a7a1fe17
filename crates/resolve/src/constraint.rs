use std::sync::Arc;

use diag::Span;

use crate::Id;

/// A constraint, as stated on a variable, its subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// The rule.
    pub rule: Rule,
    /// How it is told to people; the rule's own words where there is none.
    pub text: Option<Arc<str>>,
    /// Where it was written.
    pub origin: Option<Span>,
}

/// The rule of a constraint (notes/deppy §1.1, §1.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The subject is chosen.
    Mandatory,
    /// The subject is not chosen.
    Prohibited,
    /// Not both the subject and the other.
    Conflict(Id),
    /// With the subject, at least one of these; earlier ones are preferred. Of none, the subject cannot be chosen.
    Dependency(Vec<Id>),
    /// No more than so many of these, whether the subject is chosen or not. One that is listed twice counts once.
    AtMost {
        /// How many.
        n: usize,
        /// Of which.
        of: Vec<Id>,
    },
    /// All of these; none asks for nothing.
    And(Vec<Rule>),
    /// At least one of these; none cannot be met.
    Or(Vec<Rule>),
    /// This is not so.
    Not(Box<Rule>),
}

impl Constraint {
    /// A rule without words of its own or a place.
    pub const fn new(rule: Rule) -> Self {
        Self { rule, text: None, origin: None }
    }

    /// With words of its own.
    #[must_use]
    pub fn text(mut self, text: impl Into<Arc<str>>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// With the place where it was written.
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

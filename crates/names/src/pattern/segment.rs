use std::{fmt, sync::Arc};

use crate::IdPattern;

/// A part of a pattern: a collection and the id that follows it, `secrets/{secret}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Segment {
    /// The plural in lower camel case: `roleBindings`.
    pub collection: Arc<str>,
    /// The variable for the id in patterns, in snake case in what is generated: `role_binding`.
    pub variable: Arc<str>,
    /// The pattern that the id has to match.
    pub id: IdPattern,
}

impl Segment {
    /// A segment whose texts a [`Pattern`](crate::Pattern) checks.
    pub fn new(collection: impl Into<Arc<str>>, variable: impl Into<Arc<str>>, id: IdPattern) -> Self {
        Self { collection: collection.into(), variable: variable.into(), id }
    }

    /// The part of generated regular expressions: `secrets/(?P<secret_id>-|ID)`.
    pub fn regex_text(&self) -> String {
        format!("{}/(?P<{}_id>-|{})", self.collection, self.variable, self.id)
    }

    /// True if this is an id of the segment or the wildcard.
    pub(crate) fn admits(&self, id: &str) -> bool {
        id == crate::WILDCARD || self.id.matches(id)
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{{{}}}", self.collection, self.variable)
    }
}

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Glob, Labels, Resource, number::quantity};

/// A selection of resources of a kind. The default is all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Query {
    /// Conditions on labels: all terms of one of these groups must hold. Without groups there is no
    /// condition.
    pub terms: Vec<Vec<Term>>,
    /// A pattern for the id.
    pub id: Option<Glob>,
    /// A condition on the owner.
    pub owner: Option<OwnedBy>,
}

/// A condition on the owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnedBy {
    /// The user.
    User,
    /// This owner.
    Owner(Arc<str>),
}

/// A condition on one label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The label's name.
    pub label: Arc<str>,
    /// The operator.
    pub op: Op,
    /// True if the condition is negated. A comparison that cannot be made (no such label, not a number) holds
    /// neither way; the other operators hold when negated for a missing label.
    #[serde(default)]
    pub invert: bool,
}

/// The operator of a label's condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// The label exists.
    Exists,
    /// It is equal to this.
    Equal(Arc<str>),
    /// It is one of these.
    In(Vec<Arc<str>>),
    /// It comes before this, in bytewise order.
    Lt(Arc<str>),
    /// It comes before this or is equal, in bytewise order.
    Lte(Arc<str>),
    /// It is a smaller quantity: integers with or without a unit, `10kg`, `5GiB`.
    LtNumeric(Arc<str>),
    /// It is a smaller or equal quantity.
    LteNumeric(Arc<str>),
}

impl Query {
    /// All resources of the kind.
    pub fn all() -> Self {
        Self::default()
    }

    /// The resources with this value of a label.
    pub fn label(name: impl Into<Arc<str>>, value: impl Into<Arc<str>>) -> Self {
        Self::term(Term::new(name, Op::Equal(value.into())))
    }

    /// The resources for which a term holds.
    pub fn term(term: Term) -> Self {
        Self { terms: vec![vec![term]], ..Self::default() }
    }

    /// The resources whose id matches a pattern.
    pub fn id(pattern: Glob) -> Self {
        Self { id: Some(pattern), ..Self::default() }
    }

    /// The resources of an owner.
    pub fn owner(owner: impl Into<Arc<str>>) -> Self {
        Self { owner: Some(OwnedBy::Owner(owner.into())), ..Self::default() }
    }

    /// Adds a term to each group.
    #[must_use]
    pub fn and(mut self, term: Term) -> Self {
        if self.terms.is_empty() {
            self.terms.push(Vec::new());
        }
        self.terms.iter_mut().for_each(|group| group.push(term.clone()));
        self
    }

    /// Adds the groups of `other` as alternatives. Its id and owner are ignored.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        self.terms.extend(other.terms);
        self
    }

    /// True if it selects all resources.
    pub fn is_all(&self) -> bool {
        self.id.is_none() && self.owner.is_none() && self.terms.is_empty()
    }

    /// True if a resource is selected. Its kind is not checked.
    pub fn matches(&self, resource: &Resource) -> bool {
        let metadata = &resource.metadata;
        self.id.as_ref().is_none_or(|glob| glob.matches(&metadata.key.id))
            && self.owner.as_ref().is_none_or(|by| by.is(metadata.owner.as_ref()))
            && self.labels_match(&metadata.labels)
    }

    fn labels_match(&self, labels: &Labels) -> bool {
        let holds = |group: &Vec<Term>| group.iter().all(|term| term.matches(labels));
        self.terms.is_empty() || self.terms.iter().any(holds)
    }
}

impl OwnedBy {
    fn is(&self, owner: Option<&Arc<str>>) -> bool {
        match self {
            Self::User => owner.is_none(),
            Self::Owner(name) => owner == Some(name),
        }
    }
}

impl Term {
    /// A term.
    pub fn new(label: impl Into<Arc<str>>, op: Op) -> Self {
        Self { label: label.into(), op, invert: false }
    }

    /// The negated term.
    #[must_use]
    pub fn inverted(mut self) -> Self {
        self.invert = !self.invert;
        self
    }

    /// True if it holds.
    pub fn matches(&self, labels: &Labels) -> bool {
        let value = labels.get(&self.label);
        let holds = match &self.op {
            Op::Exists => Some(value.is_some()),
            Op::Equal(expected) => Some(value == Some(expected)),
            Op::In(expected) => Some(value.is_some_and(|value| expected.contains(value))),
            Op::Lt(limit) => value.map(|value| value < limit),
            Op::Lte(limit) => value.map(|value| value <= limit),
            Op::LtNumeric(limit) => value.and_then(|value| Some(quantity(value)? < quantity(limit)?)),
            Op::LteNumeric(limit) => value.and_then(|value| Some(quantity(value)? <= quantity(limit)?)),
        };
        holds.is_some_and(|holds| holds != self.invert)
    }
}

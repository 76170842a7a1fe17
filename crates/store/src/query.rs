use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Glob, Labels, Resource, number::quantity};

/// Which resources of a kind are meant. The default is all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Query {
    /// What labels say: one of these groups holds with all its terms. No group at all: whatever they say.
    pub terms: Vec<Vec<Term>>,
    /// What the id looks like.
    pub id: Option<Glob>,
    /// Whose they are.
    pub owner: Option<OwnedBy>,
}

/// Whose a resource is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnedBy {
    /// Nobody's but the user's.
    User,
    /// This owner's.
    Owner(Arc<str>),
}

/// A condition on one label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// Its name.
    pub label: Arc<str>,
    /// What is asked.
    pub op: Op,
    /// Whether the contrary is meant. A comparison that cannot be made (no such label, no number) holds neither way;
    /// the others of a label that is not there hold this way.
    #[serde(default)]
    pub invert: bool,
}

/// The operator of a label's condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// It is there.
    Exists,
    /// It is this.
    Equal(Arc<str>),
    /// It is one of these.
    In(Vec<Arc<str>>),
    /// It comes before this, bytewise.
    Lt(Arc<str>),
    /// It comes before this or is it.
    Lte(Arc<str>),
    /// It is a smaller quantity: integers with or without a unit, `10kg`, `5GiB`.
    LtNumeric(Arc<str>),
    /// It is a smaller quantity or the same.
    LteNumeric(Arc<str>),
}

impl Query {
    /// All of the kind.
    pub fn all() -> Self {
        Self::default()
    }

    /// Those whose label says this.
    pub fn label(name: impl Into<Arc<str>>, value: impl Into<Arc<str>>) -> Self {
        Self::term(Term::new(name, Op::Equal(value.into())))
    }

    /// Those for which this holds.
    pub fn term(term: Term) -> Self {
        Self { terms: vec![vec![term]], ..Self::default() }
    }

    /// Those whose id looks like this.
    pub fn id(pattern: Glob) -> Self {
        Self { id: Some(pattern), ..Self::default() }
    }

    /// Those of this owner.
    pub fn owner(owner: impl Into<Arc<str>>) -> Self {
        Self { owner: Some(OwnedBy::Owner(owner.into())), ..Self::default() }
    }

    /// And this must hold: one more term in each group.
    #[must_use]
    pub fn and(mut self, term: Term) -> Self {
        if self.terms.is_empty() {
            self.terms.push(Vec::new());
        }
        self.terms.iter_mut().for_each(|group| group.push(term.clone()));
        self
    }

    /// Or what labels say there. Of `other`, id and owner do not count.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        self.terms.extend(other.terms);
        self
    }

    /// Whether it asks nothing.
    pub fn is_all(&self) -> bool {
        self.id.is_none() && self.owner.is_none() && self.terms.is_empty()
    }

    /// Whether this resource is meant. Its kind is not looked at.
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
    /// This is asked.
    pub fn new(label: impl Into<Arc<str>>, op: Op) -> Self {
        Self { label: label.into(), op, invert: false }
    }

    /// The contrary.
    #[must_use]
    pub fn inverted(mut self) -> Self {
        self.invert = !self.invert;
        self
    }

    /// Whether it holds.
    pub fn matches(&self, labels: &Labels) -> bool {
        let value = labels.get(&self.label);
        let holds = match &self.op {
            Op::Exists => Some(value.is_some()),
            Op::Equal(wanted) => Some(value == Some(wanted)),
            Op::In(wanted) => Some(value.is_some_and(|value| wanted.contains(value))),
            Op::Lt(limit) => value.map(|value| value < limit),
            Op::Lte(limit) => value.map(|value| value <= limit),
            Op::LtNumeric(limit) => value.and_then(|value| Some(quantity(value)? < quantity(limit)?)),
            Op::LteNumeric(limit) => value.and_then(|value| Some(quantity(value)? <= quantity(limit)?)),
        };
        holds.is_some_and(|holds| holds != self.invert)
    }
}

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

use crate::{FullName, NameError, Pattern, Segment, ServiceName, WILDCARD};

/// A name that was read with its pattern: `projects/p1/secrets/s`.
///
/// Cheap to clone. Names are equal if their collections and ids are, whatever their patterns say about ids; so they are ordered
/// and hashed by their text. The kind of a name follows from its [`FullName`], or from the field that has it.
#[derive(Clone)]
pub struct Name {
    pattern: Pattern,
    text: Arc<str>,
    /// The byte at which the id of each segment ends. Its beginning follows from the length of the collection.
    ends: Arc<[u32]>,
}

impl Name {
    /// The text follows the pattern with these ends.
    pub(crate) fn from_parts(pattern: Pattern, text: &str, ends: Box<[u32]>) -> Self {
        Self { pattern, text: text.into(), ends: ends.into() }
    }

    /// The text that the name was read from and is written as.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The pattern that it follows.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Its ids in order; `-` is a wildcard.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len()).map(|index| self.id_at(index).1)
    }

    /// The segments of its pattern with their ids.
    pub fn segments(&self) -> impl ExactSizeIterator<Item = (&Segment, &str)> {
        self.pattern.segments().iter().zip(self.ids())
    }

    /// The id that the pattern calls so: `project` in `projects/{project}`.
    pub fn id(&self, variable: &str) -> Option<&str> {
        self.segments().find(|(segment, _)| &*segment.variable == variable).map(|(_, id)| id)
    }

    /// The ids with the names that they have in generated code: `project_id`.
    pub fn id_parts(&self) -> impl ExactSizeIterator<Item = (String, &str)> {
        self.segments().map(|(segment, id)| (format!("{}_id", segment.variable), id))
    }

    /// The id with this name in generated code, `project_id`.
    pub fn id_part(&self, part: &str) -> Option<&str> {
        self.id(part.strip_suffix("_id")?)
    }

    /// The id of the resource itself.
    pub fn last_id(&self) -> &str {
        self.id_at(self.ends.len().saturating_sub(1)).1
    }

    /// The name of what contains it, scope attributes included; `None` if that is the root.
    pub fn parent(&self) -> Option<Self> {
        self.prefix(self.ends.len().checked_sub(1)?)
    }

    /// The name of its first `count` segments; `None` if there are not so many, or `count` is 0.
    pub fn prefix(&self, count: usize) -> Option<Self> {
        let mut pattern = self.pattern.clone();
        while pattern.segments().len() > count {
            pattern = pattern.parent()?;
        }
        let ends = self.ends.get(..count)?;
        let end = usize::try_from(*ends.last()?).ok()?;
        Some(Self { pattern, text: self.text.get(..end)?.into(), ends: ends.into() })
    }

    /// True if an id is a wildcard.
    pub fn is_wildcard(&self) -> bool {
        self.ids().any(|id| id == WILDCARD)
    }

    /// The name itself if it is that of one resource.
    ///
    /// # Errors
    ///
    /// If an id is a wildcard.
    pub fn concrete(self) -> Result<Self, NameError> {
        let wildcard = (0..self.ends.len()).map(|it| self.id_at(it)).find(|(_, id)| *id == WILDCARD);
        match wildcard {
            Some((at, _)) => Err(NameError::wildcard(&self.pattern, at)),
            None => Ok(self),
        }
    }

    /// True if it covers the other name: both have the same collections, and each of its ids is the other's or a wildcard.
    /// Every name matches itself; what matches a name that matches a third matches the third.
    pub fn matches(&self, other: &Self) -> bool {
        self.pattern.has_collections_of(&other.pattern)
            && self.ids().zip(other.ids()).all(|(own, id)| own == WILDCARD || own == id)
    }

    /// The name with another id for a variable.
    ///
    /// # Errors
    ///
    /// If its pattern has no such variable, and as [`Pattern::name`].
    pub fn with_id(&self, variable: &str, id: &str) -> Result<Self, NameError> {
        let Some(index) = self.pattern.segments().iter().position(|it| &*it.variable == variable) else {
            return Err(NameError::variable(&self.pattern, variable));
        };
        let mut ids: Vec<_> = self.ids().collect();
        if let Some(own) = ids.get_mut(index) {
            *own = id;
        }
        self.pattern.name(&ids)
    }

    /// The name with the service that it belongs to: `//secrets.edgelq.com/projects/p1/secrets/s`.
    ///
    /// # Errors
    ///
    /// If an id is a wildcard: full names are of one resource.
    pub fn full(&self, service: &ServiceName) -> Result<FullName, NameError> {
        let name = self.clone().concrete()?;
        Ok(FullName::new(service.clone(), name.into()))
    }

    /// The byte at which an id begins, and the id.
    fn id_at(&self, index: usize) -> (usize, &str) {
        let end_of = |index: usize| self.ends.get(index).map_or(0, |end| *end as usize);
        let collection = self.pattern.segments().get(index).map_or(0, |it| it.collection.len());
        let before = index.checked_sub(1).map_or(0, |it| end_of(it) + 1);
        let start = before + collection + 1;
        (start, self.text.get(start..end_of(index)).unwrap_or_default())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.text)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Name").field("text", &self.text).field("pattern", &self.pattern).finish()
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text).then_with(|| self.ends.cmp(&other.ends))
    }
}

use super::diagnose::diagnose;
use crate::{Name, NameError, ParentName, Pattern};

/// The patterns of a kind in the order in which names are tried with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patterns(pub Vec<Pattern>);

impl Patterns {
    /// The name that a text is, by the first pattern that it follows. Ids may be the wildcard `-`.
    ///
    /// # Errors
    ///
    /// If it follows none; the error is about the pattern that it follows furthest.
    pub fn parse(&self, text: &str) -> Result<Name, NameError> {
        self.0.iter().find_map(|it| it.parse(text)).ok_or_else(|| diagnose(&self.0, text))
    }

    /// As [`Patterns::parse`], for names of one resource.
    ///
    /// # Errors
    ///
    /// Also if an id is a wildcard.
    pub fn parse_concrete(&self, text: &str) -> Result<Name, NameError> {
        self.parse(text).and_then(Name::concrete)
    }

    /// The name of what contains resources of the kind. It is `""` where a pattern has no parent.
    ///
    /// # Errors
    ///
    /// If the text follows the parent of no pattern.
    pub fn parse_parent(&self, text: &str) -> Result<ParentName, NameError> {
        self.0.iter().find_map(|it| parent(it, text)).ok_or_else(|| {
            let parents: Vec<_> = self.0.iter().filter_map(Pattern::parent).collect();
            diagnose(&parents, text)
        })
    }

    /// The name with these ids by the pattern with this index.
    ///
    /// # Errors
    ///
    /// As [`Pattern::name`], and if an earlier pattern would read the name, or there is no such pattern. So what this
    /// returns is equal to what [`Patterns::parse`] returns for its text.
    pub fn name<T: AsRef<str>>(&self, pattern: usize, ids: &[T]) -> Result<Name, NameError> {
        let Some(own) = self.0.get(pattern) else { return Err(diagnose(&self.0, "")) };
        let name = own.name(ids)?;
        let other = self.0.iter().take(pattern).find_map(|it| it.parse(name.as_str()));
        match other.filter(|it| *it != name) {
            Some(other) => Err(NameError::ambiguous(&other)),
            None => Ok(name),
        }
    }

    /// Pairs of patterns, as indices, that have the same collections: the later one of a pair is never reached by names
    /// that both allow. A kind must have none.
    pub fn ambiguous(&self) -> Vec<(usize, usize)> {
        let later = |(index, pattern)| {
            let others = (0..).zip(&self.0).skip(index + 1);
            others
                .filter(move |(_, it): &(usize, &Pattern)| it.has_collections_of(pattern))
                .map(move |it| (index, it.0))
        };
        (0..).zip(&self.0).flat_map(later).collect()
    }

    /// True if a pattern has no parent, so that resources of the kind can be at the root.
    pub fn has_root(&self) -> bool {
        self.0.iter().any(|it| it.parent().is_none())
    }
}

fn parent(child: &Pattern, text: &str) -> Option<ParentName> {
    match child.parent() {
        Some(parent) => Some(ParentName::new(child.clone(), Some(parent.parse(text)?))),
        None => text.is_empty().then(|| ParentName::new(child.clone(), None)),
    }
}

impl From<Pattern> for Patterns {
    fn from(pattern: Pattern) -> Self {
        Self(vec![pattern])
    }
}

use std::fmt;

use crate::{Name, NameError, Pattern};

/// The name of what contains resources of a kind, and the pattern that names of resources in it follow. The root is `""`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParentName {
    child: Pattern,
    name: Option<Name>,
}

impl ParentName {
    /// The name follows the parent of the pattern; it is `None` if the pattern has no parent.
    pub(crate) fn new(child: Pattern, name: Option<Name>) -> Self {
        Self { child, name }
    }

    /// The name; `None` for the root.
    pub fn name(&self) -> Option<&Name> {
        self.name.as_ref()
    }

    /// The pattern of names of resources in it.
    pub fn child_pattern(&self) -> &Pattern {
        &self.child
    }

    /// `""` for the root.
    pub fn as_str(&self) -> &str {
        self.name.as_ref().map_or("", Name::as_str)
    }

    /// True if an id is a wildcard.
    pub fn is_wildcard(&self) -> bool {
        self.name.as_ref().is_some_and(Name::is_wildcard)
    }

    /// The name of the resource with this id in it.
    ///
    /// # Errors
    ///
    /// As [`Pattern::name`].
    pub fn child(&self, id: &str) -> Result<Name, NameError> {
        let ids: Vec<_> = self.name.iter().flat_map(Name::ids).chain([id]).collect();
        self.child.name(&ids)
    }

    /// True if a resource with this name is in it, wildcards considered: what a list of it has.
    pub fn contains(&self, name: &Name) -> bool {
        self.child.has_collections_of(name.pattern())
            && match (&self.name, name.parent()) {
                (Some(own), Some(parent)) => own.matches(&parent),
                (own, parent) => own.is_none() && parent.is_none(),
            }
    }
}

impl fmt::Display for ParentName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

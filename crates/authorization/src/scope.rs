use std::{fmt, sync::Arc};

/// The scope of a binding: everywhere, or one resource and what is below it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope(Option<Arc<str>>);

impl Scope {
    /// Everywhere.
    pub const fn everywhere() -> Self {
        Self(None)
    }

    /// A resource by its name, and what is below it.
    pub fn resource(name: impl Into<Arc<str>>) -> Self {
        Self(Some(name.into()))
    }

    /// True if a resource is in it, given its name, or the name of the parent of a collection. The root, whose name is empty,
    /// and names with `-` in the place of what the scope names are only in the scope that is everywhere.
    pub fn contains(&self, name: &str) -> bool {
        let Some(scope) = self.0.as_deref() else { return true };
        name.strip_prefix(scope).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_deref().unwrap_or_default())
    }
}

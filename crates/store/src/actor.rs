use std::sync::Arc;

/// The identity of a writer: it may only write resources that belong to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actor {
    /// The owner of what it creates; `None` is the user.
    pub owner: Option<Arc<str>>,
    /// Earlier names of the same owner, whose resources it may write too.
    pub aliases: Vec<Arc<str>>,
}

impl Actor {
    /// The user.
    pub fn user() -> Self {
        Self::default()
    }

    /// An owner.
    pub fn named(owner: impl Into<Arc<str>>) -> Self {
        Self { owner: Some(owner.into()), aliases: Vec::new() }
    }

    /// Also under an earlier name.
    #[must_use]
    pub fn with_alias(mut self, alias: impl Into<Arc<str>>) -> Self {
        self.aliases.push(alias.into());
        self
    }

    /// True if it may write what belongs to `owner`.
    pub fn is(&self, owner: Option<&Arc<str>>) -> bool {
        self.owner.as_ref() == owner || owner.is_some_and(|owner| self.aliases.contains(owner))
    }
}

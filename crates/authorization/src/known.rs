use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};

use crate::Role;

/// The permissions, roles and names of the served services, which a policy refers to.
#[derive(Clone, Default)]
pub struct Known<'a> {
    /// All permissions in full.
    pub permissions: BTreeSet<Arc<str>>,
    /// The roles that need not be written, by their full names.
    pub roles: BTreeMap<Arc<str>, Role>,
    /// The test whether a text is the name of a resource, without wildcards.
    pub is_name: Option<&'a dyn Fn(&str) -> bool>,
}

impl Known<'_> {
    /// Permissions in full that end with a text after `permissions/`, or are that text.
    pub(crate) fn permissions_named(&self, text: &str) -> Vec<&Arc<str>> {
        named(self.permissions.iter(), text, "/permissions/")
    }

    /// Roles that have a name, or end with it after `roles/`.
    pub(crate) fn roles_named(&self, text: &str) -> Vec<&Arc<str>> {
        named(self.roles.keys(), text, "/roles/")
    }

    pub(crate) fn is_name(&self, text: &str) -> bool {
        self.is_name.is_none_or(|it| it(text))
    }
}

fn named<'a>(all: impl Iterator<Item = &'a Arc<str>>, text: &str, before: &str) -> Vec<&'a Arc<str>> {
    let is_named = |it: &&Arc<str>| {
        let short = it.strip_suffix(text).is_some_and(|rest| rest.ends_with(before));
        short || &***it == text
    };
    all.filter(is_named).collect()
}

impl fmt::Debug for Known<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { permissions, roles, is_name: _ } = self;
        f.debug_struct("Known")
            .field("permissions", permissions)
            .field("roles", roles)
            .finish_non_exhaustive()
    }
}

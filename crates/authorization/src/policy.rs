use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{Scope, TokenSource};

/// An access policy: users, and which roles they have where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// The users, in the order of the file.
    pub users: Vec<User>,
    /// The roles, by name.
    pub roles: BTreeMap<Arc<str>, Role>,
    /// The bindings of users to roles, in the order of the file.
    pub bindings: Vec<Binding>,
}

/// A user who sends requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The name, which logs have.
    pub name: Arc<str>,
    /// The source of the token.
    pub token: TokenSource,
}

/// The permissions of a role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Role {
    /// Permissions in full: `services/library.example.com/permissions/books.get`.
    pub permissions: BTreeSet<Arc<str>>,
}

/// Users who have a role in a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The name of the role.
    pub role: Arc<str>,
    /// The names of the users.
    pub members: BTreeSet<Arc<str>>,
    /// The scope in which they have it.
    pub scope: Scope,
}

impl Policy {
    /// True if a user has a permission for a resource: for itself, or for a collection by the name of its parent, which is
    /// empty at the root. The permission is written in full.
    pub fn allows(&self, user: &str, permission: &str, resource: &str) -> bool {
        self.bindings.iter().any(|it| {
            it.members.contains(user) && it.scope.contains(resource) && self.grants(&it.role, permission)
        })
    }

    fn grants(&self, role: &str, permission: &str) -> bool {
        self.roles.get(role).is_some_and(|it| it.permissions.contains(permission))
    }
}

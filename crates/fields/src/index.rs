//! The indices of a database for the lists of a kind (`goten.annotations.indices`), as a plan; there is no database here.

mod plan;
mod scope;

use std::sync::Arc;

pub(crate) use scope::with_last_wildcard;

pub use plan::{CompositeIndex, IndexPlan, SingleIndex, check_database, plan_indices};

use crate::FieldPath;

/// A database that stores resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DatabaseAdapter {
    /// Firestore: about 200 composite indices for all kinds of a database together.
    Firestore,
    /// MongoDB: 64 indices for each kind.
    Mongo,
}

impl DatabaseAdapter {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Firestore, Self::Mongo];

    /// Its name in `db_adapters`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Firestore => "firestore",
            Self::Mongo => "mongo",
        }
    }

    /// The adapter of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }

    /// The most indices: of a database for Firestore, of a kind for MongoDB.
    pub const fn limit(self) -> u64 {
        match self {
            Self::Firestore => 200,
            Self::Mongo => 64,
        }
    }
}

/// The indices that a kind declares. An empty list of adapters means all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IndexSpec {
    /// The orders of lists.
    pub sorting_groups: Vec<SortingGroup>,
    /// The fields by which ordered lists are filtered.
    pub filters: Vec<IndexFilter>,
    /// The fields with an index of their own.
    pub single: Vec<SingleFieldSpec>,
}

/// An order of lists.
#[derive(Clone, Debug, PartialEq)]
pub struct SortingGroup {
    /// Its name, by which filters are restricted to it.
    pub name: Arc<str>,
    /// The field; `name` is added as the second one.
    pub order_by: FieldPath,
    /// The names by which such lists are filtered, `projects/{project}/devices/-`; without any, each pattern of the kind
    /// with a wildcard at its end.
    pub scopes: Vec<Arc<str>>,
    /// The most filters that are not required in one index; 0 is no limit.
    pub max_filter_fields: usize,
    /// The databases.
    pub adapters: Vec<DatabaseAdapter>,
}

/// A field by which ordered lists are filtered.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexFilter {
    /// The field.
    pub path: FieldPath,
    /// It is in every index of its groups, instead of in every second one.
    pub required: bool,
    /// The groups that it is for; all if there are none.
    pub sorting_groups: Vec<Arc<str>>,
    /// For names: the patterns that filters have. They do not multiply the indices.
    pub reference_patterns: Vec<Arc<str>>,
    /// The databases.
    pub adapters: Vec<DatabaseAdapter>,
}

/// A field with an index of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleFieldSpec {
    /// The field.
    pub path: FieldPath,
    /// All fields below it too; MongoDB only.
    pub wildcard: bool,
    /// For names: the patterns that filters have.
    pub reference_patterns: Vec<Arc<str>>,
    /// The databases.
    pub adapters: Vec<DatabaseAdapter>,
}

/// True if a list of adapters has one.
pub(crate) fn is_for(adapters: &[DatabaseAdapter], adapter: DatabaseAdapter) -> bool {
    adapters.is_empty() || adapters.contains(&adapter)
}

#[cfg(test)]
mod tests;

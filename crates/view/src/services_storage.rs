//! Storage of resources of services: indices of databases, and caches.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::closed_set::closed_set;

closed_set! {
    /// A database that stores resources.
    DatabaseAdapter {
        /// Firestore, with about 200 composite indices for all kinds of a database together.
        Firestore = "firestore",
        /// MongoDB, with 64 indices for each kind.
        Mongo = "mongo",
    }
}

closed_set! {
    /// The direction of all fields of an index.
    IndexDirection {
        /// The least first.
        Ascending = "asc",
        /// The greatest first.
        Descending = "desc",
    }
}

/// The indices that databases need for the lists of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Indices"))]
pub struct IndicesView {
    /// Those of several fields, by database, sorting group, filters, scope and direction. Of a sorting group with very many
    /// only the first ones; a diagnostic says so.
    pub composite: Vec<CompositeIndexView>,
    /// Those of one field.
    pub single: Vec<SingleIndexView>,
}

/// An index for lists that are filtered by some fields and ordered by others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "CompositeIndex"))]
pub struct CompositeIndexView {
    /// The database.
    pub adapter: DatabaseAdapter,
    /// The sorting group.
    pub group: String,
    /// The fields that are filtered by; ids in names are `name.projectId`.
    pub filters: Vec<String>,
    /// The fields that are ordered by.
    pub order: Vec<String>,
    /// The direction of all of them.
    pub direction: IndexDirection,
}

/// An index of one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SingleIndex"))]
pub struct SingleIndexView {
    /// The database.
    pub adapter: DatabaseAdapter,
    /// The field.
    pub field: String,
    /// True if all fields below it are indexed, too.
    pub is_wildcard: bool,
}

/// The lists of a kind that are cached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "CachePlan"))]
pub struct CacheView {
    /// True if single resources are cached by their names.
    pub by_name: bool,
    /// The least that the filter of a cached list contains: for each field, a pattern of names, or null for any value.
    pub groups: Vec<BTreeMap<String, Option<String>>>,
}

/// A list or a written resource, to be compared with the cached lists. A list has no `resource`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "CacheQuestion"))]
pub struct CacheQuestion {
    /// The kind, with its service: `library.example.com/Book`.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "typescript", ts(rename = "type"))]
    pub type_name: String,
    /// The parent of a list, with `-` for any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub parent: Option<String>,
    /// The filter of a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub filter: Option<String>,
    /// A resource that is created or deleted; for an update, the old and the new resource are two questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "unknown"))]
    pub resource: Option<serde_json::Value>,
}

/// The cache entries of a list, or those that a write deletes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "CacheAnswer"))]
pub struct CacheAnswer {
    /// The groups that a list belongs to, by their places among the groups of the kind; of a write, none.
    pub groups: Vec<u32>,
    /// Sets of cached lists, by the values that they are filtered by: the set in which the list is filed, none if it is not
    /// cached; or the sets that the write deletes.
    pub sets: Vec<BTreeMap<String, String>>,
    /// The reason why there is no answer; null if there is one.
    pub problem: Option<String>,
}

//! `goten.annotations.search`, `indices` and `cache`: how resources are found.

mod read;

use std::sync::Arc;

use serde::Serialize;

pub(crate) use self::read::{cache, indices, search};
use crate::resource::is_default;

/// The fields for searches (`goten.annotations.SearchSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Search {
    /// Fields whose words are found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fully_searchable: Vec<Arc<str>>,
    /// Fields that filters may use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filterable_only: Vec<Arc<str>>,
    /// Fields that orders may use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sortable: Vec<Arc<str>>,
}

/// Indices of the store (`goten.annotations.IndicesSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Indices {
    /// Indices of several fields.
    #[serde(skip_serializing_if = "is_default")]
    pub composite: Composite,
    /// Indices of one field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub single: Vec<SingleIndex>,
}

/// Orders and filters, of which each combination has an index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Composite {
    /// The orders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sorting_groups: Vec<SortingGroup>,
    /// The filters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<IndexFilter>,
}

/// An order with its scopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SortingGroup {
    /// Its name.
    pub name: Arc<str>,
    /// The field.
    pub order_by: Arc<str>,
    /// Patterns of the names among which a query searches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Arc<str>>,
    /// The maximum number of filters of an index; 0 for any number.
    #[serde(skip_serializing_if = "is_default")]
    pub max_filter_fields: i32,
    /// The databases that it is for; none for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub db_adapters: Vec<Arc<str>>,
}

/// A filter of composite indices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IndexFilter {
    /// The field.
    pub field_path: Arc<str>,
    /// Each index has it.
    #[serde(skip_serializing_if = "is_default")]
    pub required: bool,
    /// The orders that it is combined with; none for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub restricted_sorting_groups: Vec<Arc<str>>,
    /// Patterns of the names that it compares with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reference_patterns: Vec<Arc<str>>,
    /// The databases that it is for; none for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub db_adapters: Vec<Arc<str>>,
}

/// An index of one field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SingleIndex {
    /// The field.
    pub field_path: Arc<str>,
    /// The fields below it have indices, too.
    #[serde(skip_serializing_if = "is_default")]
    pub is_wildcard: bool,
    /// Patterns of the names that it compares with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reference_patterns: Vec<Arc<str>>,
    /// The databases that it is for; none for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub db_adapters: Vec<Arc<str>>,
}

/// The queries that are cached (`goten.annotations.CacheSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cache {
    /// Resources are not cached by their names.
    #[serde(skip_serializing_if = "is_default")]
    pub disable_caching_by_name: bool,
    /// Sets of fields; a query that has all of one is cached.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<CacheQuery>,
    /// The required exactness of names in these fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub query_reference_patterns: Vec<QueryPatterns>,
}

/// A set of fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CacheQuery {
    /// Fields that are compared with `=` or `IN`.
    pub eq_field_paths: Vec<Arc<str>>,
}

/// The required exactness of the names in a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QueryPatterns {
    /// The field.
    pub field_path: Arc<str>,
    /// Patterns of which a name has to be at least as exact as one.
    pub patterns: Vec<Arc<str>>,
}

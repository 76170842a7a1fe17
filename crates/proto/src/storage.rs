//! `goten.annotations.search`, `indices` and `cache`: how resources are found.

use std::sync::Arc;

use serde::Serialize;

use crate::{aggregate::Entry, decode::Decoder, option::Options, path_use::PathUses, resource::is_default};

/// What can be searched (`goten.annotations.SearchSpec`).
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
    /// Patterns of names in which a query looks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Arc<str>>,
    /// How many filters an index has at most; 0 for any number.
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

/// What is cached (`goten.annotations.CacheSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cache {
    /// Resources are not cached by their names.
    #[serde(skip_serializing_if = "is_default")]
    pub disable_caching_by_name: bool,
    /// Sets of fields; a query that has all of one is cached.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<CacheQuery>,
    /// How exact names in these fields have to be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub query_reference_patterns: Vec<QueryPatterns>,
}

/// A set of fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CacheQuery {
    /// Fields that are compared with `=` or `IN`.
    pub eq_field_paths: Vec<Arc<str>>,
}

/// How exact the names in a field have to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QueryPatterns {
    /// The field.
    pub field_path: Arc<str>,
    /// Patterns of which a name has to be at least as exact as one.
    pub patterns: Vec<Arc<str>>,
}

const SORTING_GROUP: [&str; 5] = ["name", "order_by", "scopes", "max_filter_fields", "db_adapters"];

const FILTER: [&str; 5] =
    ["field_path", "required", "restricted_sorting_groups", "reference_patterns", "db_adapters"];

const SINGLE: [&str; 4] = ["field_path", "is_wildcard", "reference_patterns", "db_adapters"];

/// Reads what can be searched.
pub(crate) fn search(options: &Options, decoder: &mut Decoder<'_>, uses: &mut PathUses) -> Search {
    let mut search = Search::default();
    let option = options.get("goten.annotations.search");
    for field in option.map(|it| decoder.body(it)).unwrap_or_default() {
        match &*field.name {
            "fully_searchable" => uses.push(field, &mut search.fully_searchable, decoder),
            "filterable_only" => uses.push(field, &mut search.filterable_only, decoder),
            "sortable" => uses.push(field, &mut search.sortable, decoder),
            _ => decoder.unknown(
                field,
                "goten.annotations.search",
                &["fully_searchable", "filterable_only", "sortable"],
            ),
        }
    }
    search
}

/// Reads indices.
pub(crate) fn indices(options: &Options, decoder: &mut Decoder<'_>, uses: &mut PathUses) -> Indices {
    let mut indices = Indices::default();
    let option = options.get("goten.annotations.indices");
    for field in option.map(|it| decoder.body(it)).unwrap_or_default() {
        match &*field.name {
            "composite" => composite(field, &mut indices.composite, decoder, uses),
            "single" => indices.single.push(single(field, decoder, uses)),
            _ => decoder.unknown(field, "goten.annotations.indices", &["composite", "single"]),
        }
    }
    indices
}

fn composite(option: &Entry, composite: &mut Composite, decoder: &mut Decoder<'_>, uses: &mut PathUses) {
    for field in decoder.body(option) {
        match &*field.name {
            "sorting_groups" => composite.sorting_groups.push(sorting_group(field, decoder, uses)),
            "filters" => composite.filters.push(filter(field, decoder, uses)),
            _ => decoder.unknown(field, "composite", &["sorting_groups", "filters"]),
        }
    }
}

fn sorting_group(option: &Entry, decoder: &mut Decoder<'_>, uses: &mut PathUses) -> SortingGroup {
    let mut group = SortingGroup::default();
    for field in decoder.body(option) {
        match &*field.name {
            "name" => decoder.set(field, &mut group.name),
            "order_by" => uses.set(field, &mut group.order_by, decoder),
            "scopes" => decoder.push(field, &mut group.scopes),
            "max_filter_fields" => group.max_filter_fields = decoder.int(field).unwrap_or_default(),
            "db_adapters" => decoder.push(field, &mut group.db_adapters),
            _ => decoder.unknown(field, "sorting_groups", &SORTING_GROUP),
        }
    }
    group
}

fn filter(option: &Entry, decoder: &mut Decoder<'_>, uses: &mut PathUses) -> IndexFilter {
    let mut filter = IndexFilter::default();
    for field in decoder.body(option) {
        match &*field.name {
            "field_path" => uses.set(field, &mut filter.field_path, decoder),
            "required" => filter.required = decoder.flag(field),
            "restricted_sorting_groups" => decoder.push(field, &mut filter.restricted_sorting_groups),
            "reference_patterns" => decoder.push(field, &mut filter.reference_patterns),
            "db_adapters" => decoder.push(field, &mut filter.db_adapters),
            _ => decoder.unknown(field, "filters", &FILTER),
        }
    }
    filter
}

fn single(option: &Entry, decoder: &mut Decoder<'_>, uses: &mut PathUses) -> SingleIndex {
    let mut single = SingleIndex::default();
    for field in decoder.body(option) {
        match &*field.name {
            "field_path" => uses.set(field, &mut single.field_path, decoder),
            "is_wildcard" => single.is_wildcard = decoder.flag(field),
            "reference_patterns" => decoder.push(field, &mut single.reference_patterns),
            "db_adapters" => decoder.push(field, &mut single.db_adapters),
            _ => decoder.unknown(field, "single", &SINGLE),
        }
    }
    single
}

/// Reads what is cached.
pub(crate) fn cache(options: &Options, decoder: &mut Decoder<'_>, uses: &mut PathUses) -> Cache {
    let mut cache = Cache::default();
    let option = options.get("goten.annotations.cache");
    for field in option.map(|it| decoder.body(it)).unwrap_or_default() {
        match &*field.name {
            "disable_caching_by_name" => cache.disable_caching_by_name = decoder.flag(field),
            "queries" => cache.queries.push(query(field, decoder, uses)),
            "query_reference_patterns" => {
                cache.query_reference_patterns.push(patterns(field, decoder, uses));
            }
            _ => decoder.unknown(
                field,
                "goten.annotations.cache",
                &["disable_caching_by_name", "queries", "query_reference_patterns"],
            ),
        }
    }
    cache
}

fn query(option: &Entry, decoder: &mut Decoder<'_>, uses: &mut PathUses) -> CacheQuery {
    let mut query = CacheQuery::default();
    for field in decoder.body(option) {
        match &*field.name {
            "eq_field_paths" => uses.push(field, &mut query.eq_field_paths, decoder),
            _ => decoder.unknown(field, "queries", &["eq_field_paths"]),
        }
    }
    query
}

fn patterns(option: &Entry, decoder: &mut Decoder<'_>, uses: &mut PathUses) -> QueryPatterns {
    let mut patterns = QueryPatterns::default();
    for field in decoder.body(option) {
        match &*field.name {
            "field_path" => uses.set(field, &mut patterns.field_path, decoder),
            "patterns" => decoder.push(field, &mut patterns.patterns),
            _ => decoder.unknown(field, "query_reference_patterns", &["field_path", "patterns"]),
        }
    }
    patterns
}

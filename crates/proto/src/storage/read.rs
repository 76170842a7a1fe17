//! Reading of `goten.annotations.search`, `indices` and `cache`.

use super::{
    Cache, CacheQuery, Composite, IndexFilter, Indices, QueryPatterns, Search, SingleIndex, SortingGroup,
};
use crate::{aggregate::Entry, decode::Decoder, option::Options, path_use::PathUses};

const SORTING_GROUP: [&str; 5] = ["name", "order_by", "scopes", "max_filter_fields", "db_adapters"];

const FILTER: [&str; 5] =
    ["field_path", "required", "restricted_sorting_groups", "reference_patterns", "db_adapters"];

const SINGLE: [&str; 4] = ["field_path", "is_wildcard", "reference_patterns", "db_adapters"];

/// Reads the fields for searches.
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

/// Reads the queries that are cached.
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

//! Options that say how resources are found: indices and caches.

use std::sync::Arc;

use fields::{
    cache::CacheSpec,
    index::{DatabaseAdapter, IndexSpec},
};

use super::aggregate::Aggregate;

pub(super) fn indices(indices: &IndexSpec) -> Aggregate {
    let mut composite = Aggregate::default();
    for group in &indices.sorting_groups {
        let mut own = Aggregate::default();
        own.text("name", &group.name);
        own.text("order_by", &group.order_by.to_string());
        own.texts("scopes", texts(&group.scopes));
        if group.max_filter_fields > 0 {
            own.word("max_filter_fields", &group.max_filter_fields.to_string());
        }
        own.texts("db_adapters", adapters(&group.adapters));
        composite.message("sorting_groups", own);
    }
    for filter in &indices.filters {
        let mut own = Aggregate::default();
        own.text("field_path", &filter.path.to_string());
        own.flag("required", filter.required);
        own.texts("restricted_sorting_groups", texts(&filter.sorting_groups));
        own.texts("reference_patterns", texts(&filter.reference_patterns));
        own.texts("db_adapters", adapters(&filter.adapters));
        composite.message("filters", own);
    }
    let mut all = Aggregate::default();
    if !composite.is_empty() {
        all.message("composite", composite);
    }
    for single in &indices.single {
        let mut own = Aggregate::default();
        own.text("field_path", &single.path.to_string());
        own.flag("is_wildcard", single.wildcard);
        own.texts("reference_patterns", texts(&single.reference_patterns));
        own.texts("db_adapters", adapters(&single.adapters));
        all.message("single", own);
    }
    all
}

pub(super) fn cache(cache: &CacheSpec) -> Aggregate {
    let mut all = Aggregate::default();
    all.flag("disable_caching_by_name", cache.disable_by_name);
    for query in &cache.queries {
        let paths: Vec<String> = query.iter().map(ToString::to_string).collect();
        let mut own = Aggregate::default();
        own.texts("eq_field_paths", paths.iter().map(|it| &**it));
        all.message("queries", own);
    }
    for (path, patterns) in &cache.reference_patterns {
        let mut own = Aggregate::default();
        own.text("field_path", &path.to_string());
        own.texts("patterns", texts(patterns));
        all.message("query_reference_patterns", own);
    }
    all
}

fn texts(all: &[Arc<str>]) -> impl Iterator<Item = &str> {
    all.iter().map(|it| &**it)
}

fn adapters(all: &[DatabaseAdapter]) -> impl Iterator<Item = &'static str> {
    all.iter().map(|it| it.as_str())
}

//! The storage of resources: the indices of databases and the lists that are cached (`goten.annotations.indices` and `cache`).

use std::sync::Arc;

use ::fields::{
    FieldPath,
    cache::CacheSpec,
    index::{DatabaseAdapter, IndexFilter, IndexSpec, SingleFieldSpec, SortingGroup},
};
use diag::Diagnostic;

use super::keys::{Keys, unknown_value};
use crate::{Spanned, codes::FIELD_PATH, skeleton::Text};

pub(super) fn read_indices(mut keys: Keys<'_>) -> Spanned<IndexSpec> {
    let (mut indices, span) = (IndexSpec::default(), keys.span);
    if let Some(mut composite) = keys.map("composite") {
        let groups = composite.list("sortingGroups").into_iter();
        indices.sorting_groups = groups.filter_map(sorting_group).collect();
        indices.filters = composite.list("filters").into_iter().filter_map(filter).collect();
        composite.finish("`composite`");
    }
    indices.single = keys.list("single").into_iter().filter_map(single).collect();
    keys.finish("`indices`");
    Spanned::new(indices, span)
}

fn sorting_group(mut keys: Keys<'_>) -> Option<SortingGroup> {
    let name = keys.required("name", "a sorting group");
    let order_by = required_path(&mut keys, "orderBy", "a sorting group");
    let scopes = values(keys.texts("scopes"));
    let max_filter_fields = keys.count("maxFilterFields").and_then(|it| usize::try_from(it).ok());
    let adapters = adapters(&mut keys);
    keys.finish("a sorting group");
    Some(SortingGroup {
        name: name?.value,
        order_by: order_by?,
        scopes,
        max_filter_fields: max_filter_fields.unwrap_or_default(),
        adapters,
    })
}

fn filter(mut keys: Keys<'_>) -> Option<IndexFilter> {
    let path = required_path(&mut keys, "fieldPath", "a filter of indices");
    let required = keys.is_set("required");
    let sorting_groups = values(keys.texts("restrictedSortingGroups"));
    let reference_patterns = values(keys.texts("referencePatterns"));
    let adapters = adapters(&mut keys);
    keys.finish("a filter of indices");
    Some(IndexFilter { path: path?, required, sorting_groups, reference_patterns, adapters })
}

fn single(mut keys: Keys<'_>) -> Option<SingleFieldSpec> {
    let path = required_path(&mut keys, "fieldPath", "an index");
    let wildcard = keys.is_set("isWildcard");
    let reference_patterns = values(keys.texts("referencePatterns"));
    let adapters = adapters(&mut keys);
    keys.finish("an index");
    Some(SingleFieldSpec { path: path?, wildcard, reference_patterns, adapters })
}

pub(super) fn read_cache(mut keys: Keys<'_>) -> Spanned<CacheSpec> {
    let mut cache =
        CacheSpec { disable_by_name: keys.is_set("disableCachingByName"), ..CacheSpec::default() };
    for query in keys.lists_of_texts("queries") {
        cache.queries.push(query.iter().filter_map(|it| path(&keys, it)).collect());
    }
    for mut patterns in keys.list("queryReferencePatterns") {
        let path = required_path(&mut patterns, "fieldPath", "`queryReferencePatterns`");
        let values = values(patterns.texts("patterns"));
        patterns.finish("`queryReferencePatterns`");
        cache.reference_patterns.extend(path.map(|it| (it, values)));
    }
    let span = keys.span;
    keys.finish("`cache`");
    Spanned::new(cache, span)
}

fn values(texts: Vec<Text>) -> Vec<Arc<str>> {
    texts.into_iter().map(|it| it.value).collect()
}

fn required_path(keys: &mut Keys<'_>, key: &'static str, what: &str) -> Option<FieldPath> {
    let text = keys.required(key, what)?;
    path(keys, &text)
}

fn path(keys: &Keys<'_>, text: &Text) -> Option<FieldPath> {
    match FieldPath::parse(&text.value) {
        Ok(path) => Some(path),
        Err(error) => {
            let message = format!("`{}` is not a path of a field: {}", text.value, error.message);
            keys.add(Diagnostic::error(FIELD_PATH, text.span, message).help(error.help));
            None
        }
    }
}

fn adapters(keys: &mut Keys<'_>) -> Vec<DatabaseAdapter> {
    let texts = keys.texts("dbAdapters");
    let adapter = |text: Text| {
        let adapter = DatabaseAdapter::named(&text.value);
        if adapter.is_none() {
            keys.add(unknown_value(
                "dbAdapters",
                &text,
                DatabaseAdapter::ALL.map(DatabaseAdapter::as_str).into_iter(),
            ));
        }
        adapter
    };
    texts.into_iter().filter_map(adapter).collect()
}

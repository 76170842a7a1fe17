//! Views, indices and caches of real specifications, which are read from the folder `shared` next to the checkout.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "reads the specifications, and says what is skipped"
)]

use std::{collections::BTreeMap, path::Path, sync::Arc};

use planloom_fields::{
    FieldMask, FieldPath, Filter,
    cache::{CachePlan, CacheSpec},
    index::{DatabaseAdapter, IndexFilter, IndexSpec, SingleFieldSpec, SortingGroup, plan_indices},
};
use serde_json::{Value, json};

/// All resources; `None` if the folder does not exist.
fn resources() -> Option<Vec<Value>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/goten/expected");
    let Ok(files) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: there is no {}", folder.display());
        return None;
    };
    let services =
        files.map(|it| serde_json::from_slice::<Value>(&std::fs::read(it.unwrap().path()).unwrap()).unwrap());
    Some(services.flat_map(|it| it["resources"].as_array().unwrap().clone()).collect())
}

fn path(text: &Value) -> FieldPath {
    FieldPath::parse(text.as_str().unwrap()).unwrap()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn texts(value: &Value) -> Vec<Arc<str>> {
    list(value).iter().map(|it| it.as_str().unwrap().into()).collect()
}

fn adapters(value: &Value) -> Vec<DatabaseAdapter> {
    texts(&value["db_adapters"]).iter().map(|it| DatabaseAdapter::named(it).unwrap()).collect()
}

fn indices(value: &Value) -> IndexSpec {
    let group = |it: &Value| SortingGroup {
        name: it["name"].as_str().unwrap().into(),
        order_by: path(&it["order_by"]),
        scopes: texts(&it["scopes"]),
        max_filter_fields: usize::try_from(it["max_filter_fields"].as_u64().unwrap_or(0)).unwrap(),
        adapters: adapters(it),
    };
    let filter = |it: &Value| IndexFilter {
        path: path(&it["field_path"]),
        required: it["required"] == true,
        sorting_groups: texts(&it["restricted_sorting_groups"]),
        reference_patterns: texts(&it["reference_patterns"]),
        adapters: adapters(it),
    };
    let single = |it: &Value| SingleFieldSpec {
        path: path(&it["field_path"]),
        wildcard: it["is_wildcard"] == true,
        reference_patterns: texts(&it["reference_patterns"]),
        adapters: adapters(it),
    };
    let composite = &value["composite"];
    IndexSpec {
        sorting_groups: list(&composite["sorting_groups"]).iter().map(group).collect(),
        filters: list(&composite["filters"]).iter().map(filter).collect(),
        single: list(&value["single"]).iter().map(single).collect(),
    }
}

/// The number of composite indices by the rule of the guide: sets of filters are tried one by one.
fn by_rule(spec: &IndexSpec, patterns: usize, adapter: DatabaseAdapter) -> u64 {
    let is_for = |adapters: &[DatabaseAdapter]| adapters.is_empty() || adapters.contains(&adapter);
    let count = |group: &SortingGroup| {
        let is_optional = |it: &&IndexFilter| {
            let is_in_group = it.sorting_groups.is_empty() || it.sorting_groups.contains(&group.name);
            !it.required && is_for(&it.adapters) && is_in_group
        };
        let optional = spec.filters.iter().filter(is_optional).count();
        let most = if group.max_filter_fields == 0 { 64 } else { group.max_filter_fields };
        let sets = (0..1_u64 << optional).filter(|it| it.count_ones() as usize <= most).count();
        let scopes = if group.scopes.is_empty() { patterns } else { group.scopes.len() };
        2 * (scopes * sets) as u64
    };
    spec.sorting_groups.iter().filter(|it| is_for(&it.adapters)).map(count).sum()
}

#[test]
fn indices_are_as_many_as_the_rule_says() {
    let Some(resources) = resources() else { return };
    let mut understood = 0;
    for resource in resources.iter().filter(|it| it["indices"].as_object().is_some_and(|it| !it.is_empty())) {
        let (spec, patterns) = (indices(&resource["indices"]), texts(&resource["patterns"]));
        let patterns: Vec<&str> = patterns.iter().map(|it| &**it).collect();
        let plan = plan_indices(&spec, &patterns);
        assert_eq!(plan.problems, [], "{}", resource["name"]);
        for adapter in DatabaseAdapter::ALL {
            let listed = plan.composite.iter().filter(|it| it.adapter == adapter).count() as u64;
            assert_eq!(plan.counts.get(&adapter).copied().unwrap_or(0), listed);
            assert_eq!(listed, by_rule(&spec, patterns.len(), adapter), "{}", resource["name"]);
        }
        understood += 1;
    }
    assert!(understood >= 30, "{understood}");
}

#[test]
fn views_are_masks_that_are_read_back() {
    let Some(resources) = resources() else { return };
    let mut views = 0;
    for (view, paths) in resources.iter().filter_map(|it| it["views"].as_object()).flatten() {
        let mask = FieldMask::new(list(paths).iter().map(path)).unwrap();
        assert_eq!(FieldMask::parse_json(&mask.to_json()).as_ref(), Ok(&mask), "{view}");
        assert!(list(paths).iter().all(|it| mask.covers(&path(it))));
        views += 1;
    }
    assert!(views >= 30, "{views}");
}

#[test]
fn lists_of_a_parent_are_cached_and_invalidated() {
    let Some(resources) = resources() else { return };
    let mut cached = 0;
    for resource in resources.iter().filter(|it| !list(&it["cache"]["queries"]).is_empty()) {
        let queries = list(&resource["cache"]["queries"]);
        let queries =
            queries.iter().map(|it| list(&it["eq_field_paths"]).iter().map(path).collect()).collect();
        let patterns = texts(&resource["patterns"]);
        let spec = CacheSpec { queries, ..CacheSpec::default() };
        let plan = CachePlan::new(&spec, &patterns, &BTreeMap::new());
        for pattern in &patterns {
            let name: String = pattern.replace(['{', '}'], "");
            let parent = name.rsplitn(3, '/').nth(2).unwrap_or_default();
            let query = plan.classify(Some(parent), &Filter::default());
            let invalidated = plan.invalidated(&json!({"name": name}));
            assert!(!query.sets.is_empty() && query.sets.is_subset(&invalidated), "{name}");
            cached += 1;
        }
    }
    assert!(cached >= 60, "{cached}");
}

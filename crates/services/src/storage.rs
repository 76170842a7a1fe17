//! The storage of resources: plans of indices and of caches.

use std::{collections::BTreeMap, sync::Arc};

use diag::{Code, Diagnostic, Diagnostics, Severity, Span};
use fields::{
    Direction, FieldPath, Filter, Violation,
    cache::{CachePlan, CacheSpec, QuerySet},
    codes::{INDEX_LIMIT, INDEX_LISTED},
    index::{
        self, IndexFilter, IndexPlan, IndexSpec, SingleFieldSpec, SortingGroup, check_database, plan_indices,
    },
    schema::Schema,
};
use spec::{Kind, KindId, Services};
use workspace::view::{
    CacheAnswer, CacheQuestion, CacheView, CompositeIndexView, DatabaseAdapter, IndexDirection, IndicesView,
    SingleIndexView,
};

use crate::{path, reading::Documents};

/// The codes of what is only worth a warning: databases decide what they accept.
const WARNINGS: [Code; 2] = [INDEX_LIMIT, INDEX_LISTED];

/// The problems of indices, and the databases that have too many.
pub(crate) fn check(services: &Services, documents: &Documents) -> Diagnostics {
    let mut report = Diagnostics::new();
    for service in &services.services {
        let plans: Vec<(&Kind, Span, IndexPlan)> =
            service.kinds.iter().filter_map(|it| Some((it, it.indices.as_ref()?.span, plan(it)?))).collect();
        let of_kinds = plans.iter().flat_map(|(_, span, it)| it.problems.iter().map(|it| (it, *span)));
        report.extend(of_kinds.map(|(problem, span)| {
            let document = documents.iter().find(|(id, _)| *id == span.file);
            let root = document.and_then(|(_, it)| it.root.as_ref());
            let place = root.and_then(|it| path::at_pointer(it, span, &problem.pointer));
            diagnostic(problem, place.unwrap_or(span))
        }));
        // Of one kind alone, that is said already.
        if plans.len() > 1 {
            let all = check_database(plans.iter().map(|(kind, _, it)| (&*kind.name, it)));
            let of_database = all.iter().filter(|it| it.pointer.is_empty());
            report.extend(of_database.map(|it| diagnostic(it, service.span)));
        }
    }
    report
}

fn diagnostic(problem: &Violation, span: Span) -> Diagnostic {
    let severity = if WARNINGS.contains(&problem.code) { Severity::Warning } else { Severity::Error };
    let diagnostic =
        Diagnostic::warning(problem.code, span, problem.message.clone()).help(problem.help.clone());
    Diagnostic { severity, ..diagnostic }
}

fn plan(kind: &Kind) -> Option<IndexPlan> {
    let patterns: Vec<&str> = kind.patterns.0.iter().map(names::Pattern::text).collect();
    Some(plan_indices(kind.indices.as_ref()?, &patterns))
}

/// The indices of a kind, if it declares any.
pub(crate) fn index_plan(kind: &Kind) -> Option<IndicesView> {
    let plan = plan(kind)?;
    let composite = |it: index::CompositeIndex| CompositeIndexView {
        adapter: adapter(it.adapter),
        group: it.group.to_string(),
        filters: it.filters,
        order: it.order,
        direction: match it.direction {
            Direction::Ascending => IndexDirection::Ascending,
            Direction::Descending => IndexDirection::Descending,
        },
    };
    let single = |it: index::SingleIndex| SingleIndexView {
        adapter: adapter(it.adapter),
        field: it.path.to_string(),
        is_wildcard: it.wildcard,
    };
    Some(IndicesView {
        composite: plan.composite.into_iter().map(composite).collect(),
        single: plan.single.into_iter().map(single).collect(),
    })
}

const fn adapter(adapter: index::DatabaseAdapter) -> DatabaseAdapter {
    match adapter {
        index::DatabaseAdapter::Firestore => DatabaseAdapter::Firestore,
        index::DatabaseAdapter::Mongo => DatabaseAdapter::Mongo,
    }
}

/// The lists of a kind that are cached, if it declares that.
pub(crate) fn cache_plan(services: &Services, id: KindId, schema: Option<&Schema>) -> Option<CacheView> {
    let plan = cached(services, id, schema)?;
    let group = |it: &fields::cache::CacheGroup| {
        it.patterns().map(|(path, pattern)| (path.to_string(), pattern)).collect()
    };
    Some(CacheView { by_name: plan.by_name, groups: plan.groups.iter().map(group).collect() })
}

fn cached(services: &Services, id: KindId, schema: Option<&Schema>) -> Option<CachePlan> {
    let kind = services.kind(id)?;
    let patterns: Vec<Arc<str>> = kind.patterns.0.iter().map(|it| it.text().into()).collect();
    let mut references: BTreeMap<FieldPath, Vec<Arc<str>>> = BTreeMap::new();
    for (path, target, _) in schema.map(|it| api::references(services, id, it)).unwrap_or_default() {
        if let (Ok(path), Some(target)) = (FieldPath::parse(&path), services.kind(target)) {
            references.insert(path, target.patterns.0.iter().map(|it| it.text().into()).collect());
        }
    }
    Some(CachePlan::new(kind.cache.as_ref()?, &patterns, &references))
}

/// The sets that are cached of a list, or that a write deletes from the cache.
pub(crate) fn answer(services: &Services, schemas: &[Schema], question: &CacheQuestion) -> CacheAnswer {
    let found = services.kinds().find(|(id, _)| services.type_name(*id) == question.type_name);
    let plan = found.and_then(|(id, _)| cached(services, id, schemas.get(id.service)));
    let Some(plan) = plan else {
        return refused(format!("`{}` is no kind that says what is cached", question.type_name));
    };
    if let Some(resource) = &question.resource {
        let sets = plan.invalidated(resource).iter().map(set).collect();
        return CacheAnswer { sets, ..CacheAnswer::default() };
    }
    match Filter::parse(question.filter.as_deref().unwrap_or_default()) {
        Err(error) => refused(format!("`filter`: {error}")),
        Ok(filter) => {
            let query = plan.classify(question.parent.as_deref(), &filter);
            let groups = query.groups.iter().filter_map(|it| u32::try_from(*it).ok()).collect();
            CacheAnswer { groups, sets: query.sets.iter().map(set).collect(), problem: None }
        }
    }
}

fn refused(problem: String) -> CacheAnswer {
    CacheAnswer { problem: Some(problem), ..CacheAnswer::default() }
}

fn set(set: &QuerySet) -> BTreeMap<String, String> {
    set.0.iter().map(|(path, value)| (path.to_string(), value.clone())).collect()
}

/// Indices as `.proto` files have them. Paths and databases that are none are reported where the files are read.
pub(crate) fn indices(declared: &proto::Indices) -> IndexSpec {
    let groups = declared.composite.sorting_groups.iter();
    let group = |it: &proto::SortingGroup| {
        Some(SortingGroup {
            name: it.name.clone(),
            order_by: FieldPath::parse(&it.order_by).ok()?,
            scopes: it.scopes.clone(),
            max_filter_fields: usize::try_from(it.max_filter_fields).unwrap_or_default(),
            adapters: adapters(&it.db_adapters),
        })
    };
    let filter = |it: &proto::IndexFilter| {
        Some(IndexFilter {
            path: FieldPath::parse(&it.field_path).ok()?,
            required: it.required,
            sorting_groups: it.restricted_sorting_groups.clone(),
            reference_patterns: it.reference_patterns.clone(),
            adapters: adapters(&it.db_adapters),
        })
    };
    let single = |it: &proto::SingleIndex| {
        Some(SingleFieldSpec {
            path: FieldPath::parse(&it.field_path).ok()?,
            wildcard: it.is_wildcard,
            reference_patterns: it.reference_patterns.clone(),
            adapters: adapters(&it.db_adapters),
        })
    };
    IndexSpec {
        sorting_groups: groups.filter_map(group).collect(),
        filters: declared.composite.filters.iter().filter_map(filter).collect(),
        single: declared.single.iter().filter_map(single).collect(),
    }
}

fn adapters(names: &[Arc<str>]) -> Vec<index::DatabaseAdapter> {
    names.iter().filter_map(|it| index::DatabaseAdapter::named(it)).collect()
}

/// Caches as `.proto` files have them.
pub(crate) fn cache(declared: &proto::Cache) -> CacheSpec {
    let paths = |it: &proto::CacheQuery| {
        it.eq_field_paths.iter().filter_map(|it| FieldPath::parse(it).ok()).collect()
    };
    let patterns =
        |it: &proto::QueryPatterns| Some((FieldPath::parse(&it.field_path).ok()?, it.patterns.clone()));
    CacheSpec {
        disable_by_name: declared.disable_caching_by_name,
        queries: declared.queries.iter().map(paths).collect(),
        reference_patterns: declared.query_reference_patterns.iter().filter_map(patterns).collect(),
    }
}

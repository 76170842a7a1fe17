use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{CacheGroup, CachePlan, QuerySet, QuerySets, pattern::Pattern, with_each};
use crate::{
    BySegment, CompareOperator, Condition, FieldPath, Filter, Literal, NameMatcher, path::is_default_value,
};

/// The most sets that one list is filed under.
const MOST: usize = 64;

/// The place of a list in the cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CachedQuery {
    /// The groups, by their places in [`CachePlan::groups`], that its filter satisfies; none if it is not cached.
    pub groups: Vec<usize>,
    /// The sets that it is filed under: of the group with most fields, and of several the first. One for each value of `IN`.
    pub sets: QuerySets,
}

/// The values that a filter requires of fields.
type Conditions = BTreeMap<FieldPath, Vec<String>>;

impl CachePlan {
    /// The place in the cache of a list with this filter and, if it is given, this parent; `-` are wildcards. Only the
    /// conditions of the filter that are joined by `AND` and compare with `=` or `IN` count.
    pub fn classify(&self, parent: Option<&str>, filter: &Filter) -> CachedQuery {
        let conditions = self.conditions(parent, filter);
        let satisfied = self.groups.iter().enumerate().filter(|(_, it)| it.is_satisfied_by(&conditions));
        let satisfied: Vec<(usize, &CacheGroup)> = satisfied.collect();
        let mut largest: Vec<&CacheGroup> = satisfied.iter().map(|(_, it)| *it).collect();
        largest.sort_by_key(|it| std::cmp::Reverse(it.fields.len()));
        CachedQuery {
            groups: satisfied.iter().map(|(index, _)| *index).collect(),
            sets: largest.into_iter().find_map(|it| it.filed(&conditions)).unwrap_or_default(),
        }
    }

    /// The sets that are deleted when a resource is created or deleted; when it is updated, those of it before and after.
    /// Values that are no names count as their normal JSON, which the resource has to have.
    pub fn invalidated(&self, resource: &Value) -> QuerySets {
        self.groups.iter().flat_map(|it| it.sets_of(resource)).collect()
    }

    fn conditions(&self, parent: Option<&str>, filter: &Filter) -> Conditions {
        let mut conditions = Conditions::new();
        collect(filter.condition(), &mut conditions);
        let Some(parent) = parent else {
            return conditions;
        };
        let slash = if parent.is_empty() { "" } else { "/" };
        let implied = format!("{parent}{slash}{}/-", self.collection);
        let name = conditions.entry(FieldPath::of_names(["name"])).or_insert_with(|| vec![implied.clone()]);
        // Resources have to satisfy both; the name in the filter is used where it says more than the parent.
        if !name.iter().all(|it| BySegment.fits(None, &implied, it)) {
            *name = vec![implied];
        }
        conditions
    }
}

fn collect(condition: &Condition, conditions: &mut Conditions) {
    let name = FieldPath::of_names(["name"]);
    match condition {
        Condition::And(all) => all.iter().for_each(|it| collect(it, conditions)),
        Condition::Compare { path, operator: CompareOperator::Equal, value } => {
            conditions.entry(path.clone()).or_insert_with(|| vec![text(value)]);
        }
        Condition::In { path, values, negated: false } if *path != name => {
            conditions.entry(path.clone()).or_insert_with(|| values.iter().map(text).collect());
        }
        _ => {}
    }
}

fn text(literal: &Literal) -> String {
    value_text(&literal.to_json())
}

/// Defaults and absent values are one.
fn value_text(value: &Value) -> String {
    match value {
        _ if is_default_value(value) => String::new(),
        Value::String(text) => text.clone(),
        _ => value.to_string(),
    }
}

impl CacheGroup {
    fn is_satisfied_by(&self, conditions: &Conditions) -> bool {
        self.fields.iter().all(|(path, pattern)| {
            let satisfies = |it: &String| pattern.as_ref().is_none_or(|pattern| pattern.is_satisfied_by(it));
            conditions.get(path).is_some_and(|it| it.iter().all(satisfies))
        })
    }

    /// The sets of a query that satisfies the group; `None` if they are too many.
    fn filed(&self, conditions: &Conditions) -> Option<QuerySets> {
        let values = self.fields.iter().map(|(path, pattern)| {
            let values = conditions.get(path).map(Vec::as_slice).unwrap_or_default();
            let filed =
                |it: &String| pattern.as_ref().map_or_else(|| it.clone(), |pattern| pattern.filed(it));
            (path, values.iter().map(filed).collect::<BTreeSet<_>>().into_iter().collect())
        });
        let values: Vec<(&FieldPath, Vec<String>)> = values.collect();
        let count = values.iter().fold(1_usize, |count, (_, it)| count.saturating_mul(it.len()));
        (count <= MOST).then(|| product(&values))
    }

    fn sets_of(&self, resource: &Value) -> QuerySets {
        let values =
            self.fields.iter().map(|(path, pattern)| (path, variants(path, pattern.as_ref(), resource)));
        product(&values.collect::<Vec<_>>())
    }
}

/// The values that a query may be filed under which selects the resource.
fn variants(path: &FieldPath, pattern: Option<&Pattern>, resource: &Value) -> Vec<String> {
    let found = path.get_all(resource);
    let mut texts: BTreeSet<String> = found.iter().map(|it| value_text(it.value)).collect();
    if texts.is_empty() {
        texts.insert(String::new());
    }
    match pattern {
        Some(pattern) => texts.iter().flat_map(|it| pattern.variants(it)).collect(),
        None => texts.into_iter().collect(),
    }
}

fn product(values: &[(&FieldPath, Vec<String>)]) -> QuerySets {
    let sets =
        values.iter().fold(vec![BTreeMap::new()], |sets, (path, values)| with_each(&sets, path, values));
    sets.into_iter().map(QuerySet).collect()
}

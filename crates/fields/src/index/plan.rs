use std::{collections::BTreeMap, fmt, sync::Arc};

use super::{
    DatabaseAdapter, IndexFilter, IndexSpec, SortingGroup, is_for,
    scope::{Scope, with_last_wildcard},
};
use crate::{Direction, FieldPath, Violation, codes, error::quoted};

/// The most composite indices of a group and an adapter that are listed; all are counted.
const MOST: usize = 1024;

/// The indices of a kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IndexPlan {
    /// The composite indices, by adapter, sorting group, filters, scope and direction.
    pub composite: Vec<CompositeIndex>,
    /// The indices of single fields.
    pub single: Vec<SingleIndex>,
    /// The number of composite indices of each adapter, also of those that are not listed.
    pub counts: BTreeMap<DatabaseAdapter, u64>,
    /// The problems of the specification, and warnings of limits. Pointers are those of `IndicesSpec` in JSON.
    pub problems: Vec<Violation>,
}

/// An index for lists that are filtered by some fields and ordered by others.
#[derive(Clone, Debug, PartialEq)]
pub struct CompositeIndex {
    /// The database.
    pub adapter: DatabaseAdapter,
    /// The sorting group.
    pub group: Arc<str>,
    /// The fields that are filtered by; ids in names are `name.projectId`.
    pub filters: Vec<String>,
    /// The fields that are ordered by.
    pub order: Vec<String>,
    /// The direction of all of them.
    pub direction: Direction,
}

/// An index of one field.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleIndex {
    /// The database.
    pub adapter: DatabaseAdapter,
    /// The field.
    pub path: FieldPath,
    /// All fields below it too.
    pub wildcard: bool,
}

/// `filter (name.projectId) orderBy (display_name ASC, name.deviceId ASC)`
impl fmt::Display for CompositeIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = if self.direction == Direction::Ascending { "ASC" } else { "DESC" };
        let order: Vec<String> = self.order.iter().map(|it| format!("{it} {direction}")).collect();
        write!(f, "filter ({}) orderBy ({})", self.filters.join(", "), order.join(", "))
    }
}

/// The indices that a specification gives for a kind with these name patterns: for each sorting group, both directions of
/// each scope, with each set of the filters that are not required. `max_filter_fields` limits the size of these sets.
///
/// Problems: `fields/index-limit` (a warning) where an adapter has more indices than its database allows,
/// `fields/index-scope` for a scope that is not a name of the kind, `fields/index-group` for a group that is not defined,
/// `fields/index-wildcard` for one outside MongoDB, `fields/index-listed` where not all are listed.
pub fn plan_indices(spec: &IndexSpec, patterns: &[&str]) -> IndexPlan {
    let mut plan = IndexPlan::default();
    plan.check_groups(spec);
    for adapter in DatabaseAdapter::ALL {
        for (at, group) in
            spec.sorting_groups.iter().enumerate().filter(|(_, it)| is_for(&it.adapters, adapter))
        {
            plan.add_group((at, group), spec, adapter, patterns);
        }
    }
    plan.add_single(spec);
    plan.check_limits();
    plan.problems.dedup();
    plan
}

impl IndexPlan {
    /// The number of indices that count for the limit of an adapter: of Firestore only the composite ones.
    pub fn count(&self, adapter: DatabaseAdapter) -> u64 {
        let single = self
            .single
            .iter()
            .filter(|it| it.adapter == adapter && adapter == DatabaseAdapter::Mongo)
            .count();
        self.counts.get(&adapter).copied().unwrap_or(0).saturating_add(single as u64)
    }

    fn check_groups(&mut self, spec: &IndexSpec) {
        for (at, filter) in spec.filters.iter().enumerate() {
            for group in filter
                .sorting_groups
                .iter()
                .filter(|group| !spec.sorting_groups.iter().any(|it| it.name == **group))
            {
                let pointer = format!("/composite/filters/{at}/restrictedSortingGroups");
                let message = format!("there is no sorting group {}", quoted(group));
                let help = "use the name of a sorting group of the kind";
                self.problems.push(Violation::new(codes::INDEX_GROUP, pointer, message, help));
            }
        }
    }

    fn add_group(
        &mut self,
        (at, group): (usize, &SortingGroup),
        spec: &IndexSpec,
        adapter: DatabaseAdapter,
        patterns: &[&str],
    ) {
        let scopes = self.scopes(at, group, patterns);
        let fits = |it: &&IndexFilter| {
            let is_in_group = it.sorting_groups.is_empty() || it.sorting_groups.contains(&group.name);
            is_in_group && is_for(&it.adapters, adapter)
        };
        let (required, optional): (Vec<_>, Vec<_>) =
            spec.filters.iter().filter(fits).partition(|it| it.required);
        let most = if group.max_filter_fields == 0 { optional.len() } else { group.max_filter_fields };
        let sets = subsets_count(optional.len(), most);
        let count = sets.saturating_mul(2 * scopes.len() as u64);
        let total = self.counts.entry(adapter).or_default();
        *total = total.saturating_add(count);
        if count > MOST as u64 {
            self.not_listed(at, count);
        }
        let listed = MOST / (2 * scopes.len().max(1));
        for set in subsets(optional.len(), most).take(listed.max(1)) {
            let chosen = required.iter().chain(set.iter().filter_map(|it| optional.get(*it)));
            let chosen: Vec<String> = chosen.map(|it| it.path.to_string()).collect();
            self.add_indices(group, adapter, &scopes, &chosen);
        }
    }

    fn scopes(&mut self, at: usize, group: &SortingGroup, patterns: &[&str]) -> Vec<Scope> {
        if group.scopes.is_empty() {
            return patterns.iter().filter_map(|it| Scope::new(&with_last_wildcard(it), patterns)).collect();
        }
        let mut scopes = Vec::new();
        for (index, text) in group.scopes.iter().enumerate() {
            match Scope::new(text, patterns) {
                Some(scope) => scopes.push(scope),
                None => {
                    let pointer = format!("/composite/sortingGroups/{at}/scopes/{index}");
                    let message = format!("{} has not the collections of a name of the kind", quoted(text));
                    let help =
                        "write a name pattern of the kind, with `-` for the ids that are not filtered by";
                    self.problems.push(Violation::new(codes::INDEX_SCOPE, pointer, message, help));
                }
            }
        }
        scopes
    }

    fn add_indices(
        &mut self,
        group: &SortingGroup,
        adapter: DatabaseAdapter,
        scopes: &[Scope],
        filters: &[String],
    ) {
        let by_name = group.order_by == FieldPath::of_names(["name"]);
        let first = (!by_name).then(|| group.order_by.to_string());
        for scope in scopes {
            for direction in [Direction::Ascending, Direction::Descending] {
                self.composite.push(CompositeIndex {
                    adapter,
                    group: group.name.clone(),
                    filters: scope.filters.iter().chain(filters).cloned().collect(),
                    order: first.iter().chain(&scope.order).cloned().collect(),
                    direction,
                });
            }
        }
    }

    fn add_single(&mut self, spec: &IndexSpec) {
        for (at, single) in spec.single.iter().enumerate() {
            for adapter in DatabaseAdapter::ALL.into_iter().filter(|it| is_for(&single.adapters, *it)) {
                if single.wildcard && adapter != DatabaseAdapter::Mongo {
                    let pointer = format!("/single/{at}/isWildcard");
                    let message = format!("{} has no index of all fields below one", adapter.as_str());
                    let help = "list only mongo in dbAdapters of this index";
                    self.problems.push(Violation::new(codes::INDEX_WILDCARD, pointer, message, help));
                } else {
                    self.single.push(SingleIndex {
                        adapter,
                        path: single.path.clone(),
                        wildcard: single.wildcard,
                    });
                }
            }
        }
    }

    fn not_listed(&mut self, at: usize, count: u64) {
        let pointer = format!("/composite/sortingGroups/{at}");
        let message = format!("the sorting group has {count} indices, of which {MOST} are listed");
        let help = "set maxFilterFields, restrict filters to sorting groups, or require them";
        self.problems.push(Violation::new(codes::INDEX_LISTED, pointer, message, help));
    }

    fn check_limits(&mut self) {
        for adapter in DatabaseAdapter::ALL {
            if let Some(problem) = limit_problem("", adapter, self.count(adapter)) {
                self.problems.push(problem);
            }
        }
    }
}

/// Warnings for all kinds of a service, which Firestore keeps in one database. The kinds are named.
pub fn check_database<'a>(plans: impl IntoIterator<Item = (&'a str, &'a IndexPlan)>) -> Vec<Violation> {
    let firestore = DatabaseAdapter::Firestore;
    let mut total: u64 = 0;
    let mut problems = Vec::new();
    for (kind, plan) in plans {
        total = total.saturating_add(plan.count(firestore));
        problems.extend(limit_problem(
            &format!("/{kind}"),
            DatabaseAdapter::Mongo,
            plan.count(DatabaseAdapter::Mongo),
        ));
    }
    problems.extend(limit_problem("", firestore, total));
    problems
}

fn limit_problem(pointer: &str, adapter: DatabaseAdapter, count: u64) -> Option<Violation> {
    let (limit, name) = (adapter.limit(), adapter.as_str());
    let message = || format!("{name} allows {limit} indices, but {count} are declared");
    let help = "set maxFilterFields, restrict filters to sorting groups, or require them";
    (count > limit).then(|| Violation::new(codes::INDEX_LIMIT, pointer, message(), help))
}

/// The number of sets of at most `most` of `n`.
fn subsets_count(n: usize, most: usize) -> u64 {
    let mut binomial: u128 = 1;
    let mut sum: u128 = 0;
    for size in 0..=most.min(n) {
        sum = sum.saturating_add(binomial);
        binomial = binomial.saturating_mul((n - size) as u128) / (size as u128 + 1);
    }
    u64::try_from(sum).unwrap_or(u64::MAX)
}

/// The sets of at most `most` of `n`, smaller ones first.
fn subsets(n: usize, most: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..=most.min(n)).flat_map(move |size| {
        std::iter::successors(Some((0..size).collect::<Vec<_>>()), move |set| next_set(set, n))
    })
}

/// The set of the same size that comes next.
fn next_set(set: &[usize], n: usize) -> Option<Vec<usize>> {
    let size = set.len();
    let at = (0..size).rev().find(|it| set.get(*it).is_some_and(|member| *member < n - size + it))?;
    let first = set.get(at)? + 1;
    Some(set.iter().take(at).copied().chain((0..size - at).map(|it| first + it)).collect())
}

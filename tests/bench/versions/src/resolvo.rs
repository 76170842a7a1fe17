use std::fmt::Display;

use resolvo::{
    Candidates, Condition, ConditionId, Dependencies, DependencyProvider, HintDependenciesAvailable,
    Interner, KnownDependencies, NameId, Problem, SolvableId, Solver, SolverCache, StringId,
    UnsolvableOrCancelled, VersionSetId, VersionSetUnionId,
    utils::{Pool, VersionSet},
};

use crate::ranges::{Packages, Range};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Between(u32, u32);

impl Display for Between {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.0, self.1)
    }
}

impl VersionSet for Between {
    type V = u32;
}

struct Provider {
    pool: Pool<Between>,
    /// By package: its versions, the newest first.
    versions: Vec<Vec<SolvableId>>,
    /// By package and version.
    requires: Vec<Vec<Vec<VersionSetId>>>,
}

impl Provider {
    fn sets(pool: &Pool<Between>, ranges: &[Range]) -> Vec<VersionSetId> {
        let set = |(package, from, before): &Range| {
            let name = pool.intern_package_name(package.to_string());
            pool.intern_version_set(name, Between(*from, *before))
        };
        ranges.iter().map(set).collect()
    }

    fn package(&self, name: NameId) -> usize {
        self.pool.resolve_package_name(name).parse().expect("a number")
    }
}

/// The number of selected versions and root requirements; 0 if there is no solution.
pub fn solve(packages: Packages) -> usize {
    let pool = Pool::default();
    let count = packages.versions.iter().map(|it| it.0 as usize + 1).max().unwrap_or(0);
    let (mut versions, mut requires) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (package, version, ranges) in &packages.versions {
        let name = pool.intern_package_name(package.to_string());
        versions[*package as usize].push(pool.intern_solvable(name, *version));
        let requires: &mut Vec<Vec<VersionSetId>> = &mut requires[*package as usize];
        requires.resize(requires.len().max(*version as usize + 1), Vec::new());
        requires[*version as usize] = Provider::sets(&pool, ranges);
    }
    let root: Vec<_> = Provider::sets(&pool, &packages.root).into_iter().map(Into::into).collect();
    let mut solver = Solver::new(Provider { pool, versions, requires });
    match solver.solve(Problem::new().requirements(root)) {
        Ok(selected) => selected.len() + packages.root.len(),
        Err(UnsolvableOrCancelled::Unsolvable(_)) => 0,
        Err(UnsolvableOrCancelled::Cancelled(_)) => panic!("it was cancelled"),
    }
}

impl Interner for Provider {
    type NameId = NameId;
    type SolvableId = SolvableId;

    fn display_solvable(&self, solvable: SolvableId) -> impl Display + '_ {
        self.pool.resolve_solvable(solvable).record
    }

    fn display_name(&self, name: NameId) -> impl Display + '_ {
        self.pool.resolve_package_name(name)
    }

    fn display_version_set(&self, version_set: VersionSetId) -> impl Display + '_ {
        self.pool.resolve_version_set(version_set)
    }

    fn display_string(&self, string_id: StringId) -> impl Display + '_ {
        self.pool.resolve_string(string_id)
    }

    fn version_set_name(&self, version_set: VersionSetId) -> NameId {
        self.pool.resolve_version_set_package_name(version_set)
    }

    fn solvable_name(&self, solvable: SolvableId) -> NameId {
        self.pool.resolve_solvable(solvable).name
    }

    fn version_sets_in_union(
        &self,
        version_set_union: VersionSetUnionId,
    ) -> impl Iterator<Item = VersionSetId> {
        self.pool.resolve_version_set_union(version_set_union)
    }

    fn resolve_condition(&self, condition: ConditionId) -> Condition {
        self.pool.resolve_condition(condition).clone()
    }
}

impl DependencyProvider for Provider {
    async fn filter_candidates(
        &self,
        candidates: &[SolvableId],
        version_set: VersionSetId,
        inverse: bool,
    ) -> Vec<SolvableId> {
        let Between(from, before) = self.pool.resolve_version_set(version_set);
        let is_in = |it: &&SolvableId| (*from..*before).contains(&self.pool.resolve_solvable(**it).record);
        candidates.iter().filter(|it| is_in(it) != inverse).copied().collect()
    }

    async fn get_candidates(&self, name: NameId) -> Option<Candidates> {
        let candidates = self.versions[self.package(name)].clone();
        Some(Candidates {
            candidates,
            hint_dependencies_available: HintDependenciesAvailable::All,
            ..Candidates::default()
        })
    }

    async fn sort_candidates(&self, _: &SolverCache<Self>, solvables: &mut [SolvableId]) {
        solvables.sort_by_key(|it| std::cmp::Reverse(self.pool.resolve_solvable(*it).record));
    }

    async fn get_dependencies(&self, solvable: SolvableId) -> Dependencies {
        let solvable = self.pool.resolve_solvable(solvable);
        let sets = &self.requires[self.package(solvable.name)][solvable.record as usize];
        let requirements = sets.iter().map(|it| (*it).into()).collect();
        Dependencies::Known(KnownDependencies { requirements, constrains: Vec::new() })
    }
}

use std::sync::Arc;

use resolve::Limits;

use super::{Change, Premise, remedies};
use crate::{
    Fix, Request,
    problem::Formulation,
    resolver::{Outcome, Resolver},
};

/// How often it is solved again for fixes.
pub(crate) const TRIES: usize = 60;
/// How many fixes are told of one conflict.
const MOST: usize = 8;

/// What would take a conflict of a request away; of each kind and requirement what changes least. If no change but to
/// give something up helps, two at once are tried. Each was tried by solving again.
pub(crate) fn fixes(
    resolver: &mut Resolver<'_, '_>,
    of: &mut Formulation<'_>,
    premises: &[Premise],
    conflict: usize,
    tries: &mut usize,
) -> Vec<Fix> {
    let request = of.universe.request;
    let mut lists = remedies::remedies(of, premises);
    lists.retain(|it| !is_all(request, it));
    let mut bench = Bench { resolver, request, conflict, tries };
    let (mild, harsh): (Vec<_>, Vec<_>) = lists.into_iter().partition(|it| !gives_up(it));
    let mut found: Vec<Fix> =
        mild.iter().filter_map(|list| bench.first(list.iter().map(|it| vec![it.clone()]))).collect();
    if found.is_empty() {
        found.extend(bench.pairs(&mild));
    }
    found.extend(harsh.iter().filter_map(|list| bench.first(list.iter().map(|it| vec![it.clone()]))));
    found.truncate(MOST);
    found
}

/// To do without the only thing that is asked for is no help.
fn is_all(request: &Request, list: &[Change]) -> bool {
    matches!(list.first(), Some(Change::Drop(_)))
        && request.requirements.len() == 1
        && request.installed.is_empty()
}

fn gives_up(list: &[Change]) -> bool {
    matches!(list.first(), Some(Change::Drop(_) | Change::Remove(_)))
}

/// Where changes are tried.
struct Bench<'b, 'a, 'h> {
    resolver: &'b mut Resolver<'a, 'h>,
    request: &'b Request,
    conflict: usize,
    tries: &'b mut usize,
}

impl Bench<'_, '_, '_> {
    /// The first of several sets of changes that helps.
    fn first(&mut self, sets: impl IntoIterator<Item = Vec<Change>>) -> Option<Fix> {
        sets.into_iter().find_map(|it| self.attempt(&it))
    }

    /// Two requirements that both get wider, or move to other channels.
    fn pairs(&mut self, lists: &[Vec<Change>]) -> Option<Fix> {
        let mut sets = Vec::new();
        for (n, first) in lists.iter().enumerate() {
            for second in &lists[n + 1..] {
                for (a, b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
                    sets.push(vec![a.clone(), b.clone()]);
                }
            }
        }
        self.first(sets)
    }

    fn attempt(&mut self, changes: &[Change]) -> Option<Fix> {
        *self.tries = self.tries.checked_sub(1)?;
        let mut changed = self.request.clone();
        changes.iter().for_each(|it| it.apply(&mut changed));
        let limits = Limits { explanation_steps: 0, ..*self.resolver.limits };
        let selection = self.resolver.tried(&changed, &limits)?;
        let titles: Vec<String> = changes.iter().map(|it| it.title(self.request)).collect();
        let edits: Vec<_> = changes.iter().map(|it| it.edits(self.request)).collect();
        // Half an edit would not help.
        let is_whole = edits.iter().all(|it| !it.is_empty());
        let edits = if is_whole { edits.concat() } else { Vec::new() };
        Some(Fix { title: titles.join("; "), edits, selection, conflict: self.conflict })
    }
}

impl Resolver<'_, '_> {
    /// What would be selected for a request, by id; none where it can't be done.
    fn tried(&mut self, request: &Request, limits: &Limits) -> Option<Vec<Arc<str>>> {
        let mut formulation = Formulation::new(self.catalogs, self.index, request);
        let mut resolver =
            Resolver { catalogs: self.catalogs, index: self.index, hooks: &mut *self.hooks, limits };
        let Outcome::Solved(problem, solution) = resolver.quietly(&mut formulation) else { return None };
        Some(super::ids(&formulation, &problem, &solution))
    }
}

use std::sync::Arc;

use resolve::Omission;

use super::{Change, Premise, remedies};
use crate::{
    Fix, Request,
    outcome::{Outcome, Resolver},
    problem::Formulation,
};

/// The highest number of solver runs to find fixes.
pub(crate) const TRIES: usize = 60;
/// The number of changes of each kind that are tried in combination with a second one.
const TRIED_AGAIN: usize = 3;
/// The highest number of fixes for one conflict.
const MOST: usize = 8;

/// Changes that resolve a conflict of a request; of each kind and requirement the smallest. If no single
/// change helps except giving something up, pairs are tried. Each was verified by solving again.
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
    let mut found: Vec<Fix> = mild.iter().filter_map(|list| bench.first(&[], list)).collect();
    if found.is_empty() {
        found.extend(bench.pair(&mild));
    }
    found.extend(harsh.iter().filter_map(|list| bench.first(&[], list)));
    found.truncate(MOST);
    found
}

/// `Do this`, `Do this, and do that`.
fn together(titles: &[String]) -> String {
    let mut all = String::new();
    for (at, title) in titles.iter().enumerate() {
        let (first, rest) = title.split_at(title.chars().next().map_or(0, char::len_utf8));
        match at {
            0 => all.push_str(title),
            _ => all.push_str(&format!(", and {}{rest}", first.to_lowercase())),
        }
    }
    all
}

/// Removing the only requirement is not a fix.
fn is_all(request: &Request, list: &[Change]) -> bool {
    matches!(list.first(), Some(Change::Drop(_)))
        && request.requirements.len() == 1
        && request.installed.is_empty()
}

fn gives_up(list: &[Change]) -> bool {
    matches!(list.first(), Some(Change::Drop(_) | Change::Remove(_)))
}

/// The context in which changes are tried.
struct Bench<'b, 'a, 'h> {
    resolver: &'b mut Resolver<'a, 'h>,
    request: &'b Request,
    conflict: usize,
    tries: &'b mut usize,
}

impl Bench<'_, '_, '_> {
    /// The first of several changes that helps, in combination with earlier ones.
    fn first(&mut self, before: &[Change], list: &[Change]) -> Option<Fix> {
        list.iter().find_map(|it| self.attempt(&[before, std::slice::from_ref(it)].concat()))
    }

    /// Two changes: if one does not help, the conflict that remains determines the second.
    fn pair(&mut self, lists: &[Vec<Change>]) -> Option<Fix> {
        let singles = lists.iter().flat_map(|list| list.iter().take(TRIED_AGAIN));
        singles.into_iter().find_map(|single| {
            self.take_try()?;
            let mut changed = self.request.clone();
            single.apply(&mut changed);
            let mut formulation = self.resolver.formulation(&changed);
            let premises = match self.resolver.quietly(&mut formulation) {
                Outcome::Unsolvable(premises) => premises,
                Outcome::Solved(_) => return None,
                Outcome::Stopped => {
                    self.resolver.budget.omit(Omission::Fixes);
                    return None;
                }
            };
            let lists = remedies::remedies(&mut formulation, &premises);
            let mild = lists.iter().filter(|it| !gives_up(it));
            mild.into_iter().find_map(|list| self.first(std::slice::from_ref(single), list))
        })
    }

    /// Uses up one try; `None` if there are none left.
    fn take_try(&mut self) -> Option<()> {
        let left = self.tries.checked_sub(1);
        if left.is_none() {
            self.resolver.budget.omit(Omission::Fixes);
        }
        *self.tries = left?;
        Some(())
    }

    fn attempt(&mut self, changes: &[Change]) -> Option<Fix> {
        self.take_try()?;
        let mut changed = self.request.clone();
        changes.iter().for_each(|it| it.apply(&mut changed));
        let selection = self.resolver.tried(&changed)?;
        let titles: Vec<String> = changes.iter().map(|it| it.title(self.request)).collect();
        let edits: Vec<_> = changes.iter().map(|it| it.edits(self.request)).collect();
        // Edits of only a part of the changes would not help.
        let is_whole = edits.iter().all(|it| !it.is_empty());
        let edits = if is_whole { edits.concat() } else { Vec::new() };
        Some(Fix { title: together(&titles), edits, selection, conflict: self.conflict })
    }
}

impl Resolver<'_, '_> {
    /// The ids of what would be selected for a request; `None` if it has no solution.
    fn tried(&mut self, request: &Request) -> Option<Vec<Arc<str>>> {
        let mut formulation = self.formulation(request);
        let (catalogs, index, hooks, budget) = (self.catalogs, self.index, &mut *self.hooks, self.budget);
        let mut resolver = Resolver { catalogs, index, goal: None, hooks, budget };
        match resolver.quietly_within(&mut formulation, &budget.without_explanation()) {
            Outcome::Solved(found) => Some(super::ids(&formulation, &found.0, &found.1)),
            Outcome::Unsolvable(_) => None,
            Outcome::Stopped => {
                budget.omit(Omission::Fixes);
                None
            }
        }
    }
}

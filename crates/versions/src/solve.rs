//! The solver, with the limits of hosts.

use catalog::Request;
use resolve::{Budget, Limits};

use crate::{answers::Found, catalog_set::CatalogSet};

/// A few seconds for hard requests; most answers take a few milliseconds.
pub(crate) const LIMITS: Limits = Limits { steps: 100_000_000, explanation_steps: 50_000_000 };

pub(crate) fn solve(catalogs: &CatalogSet, request: &Request) -> Found {
    solve_within(catalogs, request, &Budget::new(&LIMITS))
}

/// The same within a budget, which records what it did not suffice for.
pub(crate) fn solve_within(catalogs: &CatalogSet, request: &Request, budget: &Budget) -> Found {
    let solve = || catalogs.index.resolve(&catalogs.catalogs, request, &mut (), budget);
    catalogs.answers.get(request, budget, solve)
}

/// The omissions of an answer, as sentences.
pub(crate) fn left_out(budget: &Budget) -> Vec<String> {
    budget.omissions().into_iter().map(|it| it.sentence().to_owned()).collect()
}

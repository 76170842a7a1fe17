//! The solver, with the limits that hosts live with.

use catalog::Request;
use resolve::{Budget, Limits};

use crate::{answers::Found, catalog_set::CatalogSet};

/// A few seconds where it is hard; most answers take a few thousandths of one.
pub(crate) const LIMITS: Limits = Limits { steps: 100_000_000, explanation_steps: 50_000_000 };

pub(crate) fn solve(catalogs: &CatalogSet, request: &Request) -> Found {
    solve_within(catalogs, request, &Budget::new(&LIMITS))
}

/// The same within a budget, which tells afterwards what it did not suffice for.
pub(crate) fn solve_within(catalogs: &CatalogSet, request: &Request, budget: &Budget) -> Found {
    let solve = || catalogs.index.resolve(&catalogs.catalogs, request, &mut (), budget);
    catalogs.answers.get(request, budget, solve)
}

/// What an answer lacks, as sentences.
pub(crate) fn left_out(budget: &Budget) -> Vec<String> {
    budget.omissions().into_iter().map(|it| it.sentence().to_owned()).collect()
}

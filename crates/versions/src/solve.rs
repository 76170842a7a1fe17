//! The solver, with the limits that hosts live with.

use catalog::{Request, Resolution};
use diag::Diagnostics;
use resolve::{Budget, Limits};

use crate::catalog_set::CatalogSet;

/// A few seconds where it is hard; most answers take a few thousandths of one.
pub(crate) const LIMITS: Limits = Limits { steps: 100_000_000, explanation_steps: 50_000_000 };

pub(crate) fn solve(catalogs: &CatalogSet, request: &Request) -> (Resolution, Diagnostics) {
    solve_within(catalogs, request, &Budget::new(&LIMITS))
}

/// The same within a budget, which tells afterwards what it did not suffice for.
pub(crate) fn solve_within(
    catalogs: &CatalogSet,
    request: &Request,
    budget: &Budget,
) -> (Resolution, Diagnostics) {
    catalogs.index.resolve(&catalogs.catalogs, request, &mut (), budget)
}

/// What an answer lacks, as sentences.
pub(crate) fn left_out(budget: &Budget) -> Vec<String> {
    budget.omissions().into_iter().map(|it| it.sentence().to_owned()).collect()
}

//! The solver, with the limits that hosts live with.

use catalog::{Request, Resolution};
use diag::Diagnostics;
use resolve::Limits;

use super::shelf::Shelf;

/// About a second where it is hard; most answers take a few thousandths of that.
pub(crate) const LIMITS: Limits = Limits { steps: 100_000_000, explanation_steps: 50_000_000 };

pub(crate) fn solve(shelf: &Shelf, request: &Request) -> (Resolution, Diagnostics) {
    shelf.index.resolve(&shelf.catalogs, request, &mut (), &LIMITS)
}

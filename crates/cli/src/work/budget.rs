//! The budget of what is rented from the Golem network.

use adapter_golem::BudgetChange;
use protocol::Problem;
use serde_json::json;
use workspace::view::DiagnosticView;

use crate::args::Format;
use crate::console::{write_err, write_out};
use crate::problem::problem;

/// Says that the budget of a deployment was changed.
pub(crate) fn report(change: &BudgetChange, format: Format) {
    let (from, to) = (change.from.normalize(), change.to.normalize());
    // A closed output does not change the result.
    drop(match format {
        Format::Text => write_err(&format!("The budget was changed from {from} to {to}.\n")),
        Format::Json => write_out(&format!("{}\n", json!({"type": "budget", "from": from, "to": to}))),
    });
}

/// Why the budget was not changed.
pub(crate) fn refused(why: &Problem) -> DiagnosticView {
    let help = "nothing was done; a budget cannot be less than what was paid already";
    problem("budget", None, why.detail.clone(), help)
}

//! The budget of rentals from the Golem network.

use adapter_golem::{BudgetChange, GolemAdapter};
use protocol::Problem;
use report::codes;
use serde_json::json;
use workspace::view::DiagnosticView;

use crate::args::Format;
use crate::console::{write_err, write_out};
use crate::problem::problem;

/// A change of the budget of existing rentals, if there is one.
///
/// # Errors
/// If the budget is refused.
pub(crate) async fn change(
    golem: &GolemAdapter,
    lineage: &str,
) -> Result<Option<BudgetChange>, Box<DiagnosticView>> {
    golem.budget_change(lineage).await.map_err(|why| refused(&why))
}

/// Makes a change, and reports it.
///
/// # Errors
/// If it was not made.
pub(crate) async fn set(
    golem: &GolemAdapter,
    lineage: &str,
    change: &BudgetChange,
    format: Format,
) -> Result<(), Box<DiagnosticView>> {
    golem.amend_budget(lineage).await.map_err(|why| refused(&why))?;
    report(change, format);
    Ok(())
}

/// The meaning of a change, as a sentence.
pub(crate) fn sentence(change: &BudgetChange) -> String {
    let [budget, from, to] = [change.budget, change.from, change.to].map(|it| it.normalize());
    format!("for a budget of {budget}, {to} is set aside instead of {from}")
}

fn report(change: &BudgetChange, format: Format) {
    let [budget, from, to] = [change.budget, change.from, change.to].map(|it| it.normalize());
    let event = json!({"type": "budget", "budget": budget, "allocation": {"from": from, "to": to}});
    // A closed output does not change the result.
    drop(match format {
        Format::Text => write_err(&format!("Budget: {}.\n", sentence(change))),
        Format::Json => write_out(&format!("{event}\n")),
    });
}

fn refused(why: &Problem) -> Box<DiagnosticView> {
    let help = "nothing was done; a budget cannot be less than what was paid already";
    Box::new(problem(codes::BUDGET, None, why.detail.clone(), help))
}

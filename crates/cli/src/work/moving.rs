//! Adapters for a run that may move resources between them.

use report::codes;
use std::rc::Rc;

use host::SystemTimer;
use state::Backend;
use workspace::engine::FormerAdapters;
use workspace::view::DiagnosticView;

use crate::args::Apply;
use crate::problem::problem;
use crate::work::adapters::{AdapterSelection, Adapters, connect_both};
use crate::work::adoption::Adoption;

/// Connects the adapters that make the resources; returns also the treatment of resources that others made.
pub(crate) async fn connect(
    args: &Apply,
    destroy: bool,
    adoption: Option<&Adoption<'_>>,
    backend: &dyn Backend,
    timer: &Rc<SystemTimer>,
) -> Result<(Adapters, FormerAdapters), Box<DiagnosticView>> {
    check(args, destroy)?;
    let (work, around) = (&args.work, args.work.keep_going);
    // What is moved counts more than what was said of all, and of kinds that are not moved that still holds.
    let is_from_default = work.adapters.is_empty() && !args.lost;
    let from = if is_from_default { vec!["process".to_owned()] } else { work.adapters.clone() };
    let own =
        if args.move_to.is_empty() { work.adapters.clone() } else { [from, args.move_to.clone()].concat() };
    let moves = !args.move_to.is_empty() && !args.lost;
    let former = moves.then_some(&*work.adapters);
    let requested = AdapterSelection { adapters: &own, former, is_lost: args.lost, adoption };
    let (adapters, before) = connect_both(work, requested, around, backend, timer).await?;
    let former = match (args.lost, moves) {
        (true, _) => FormerAdapters::Lost,
        (false, true) => FormerAdapters::Moved(before),
        (false, false) => FormerAdapters::Refused,
    };
    Ok((adapters, former))
}

fn check(args: &Apply, destroy: bool) -> Result<(), Box<DiagnosticView>> {
    let (message, help) = match (destroy, args.move_to.is_empty(), args.lost) {
        (true, false, _) => (
            "`destroy` moves nothing to another adapter",
            "give the adapter that made the resources with `--adapter`",
        ),
        (false, true, true) => (
            "`--lost` does not name the adapter for the resources",
            "name it with `--move-to`; `destroy --lost` forgets the lost resources",
        ),
        _ => return Ok(()),
    };
    Err(Box::new(problem(codes::USAGE, None, message, help)))
}

use std::{collections::BTreeSet, rc::Rc};

use diag::Span;
use model::{Desired, Observed, Recorded};
use plan::Plan;
use types::Types;
use view::Action;

use crate::{EngineError, SourceLocation};

/// Makes plans from the current descriptors. It is given only values: it cannot reach an adapter or a state,
/// so it cannot write.
pub trait Planner {
    /// The desired resources.
    fn desired(&self) -> Rc<Desired>;

    /// The kinds.
    fn types(&self) -> Rc<Types>;

    /// Texts of secrets besides those in [`desired`](Self::desired): of layers that were overridden.
    fn secrets(&self) -> BTreeSet<String>;

    /// Makes a plan. The same arguments give the same plan and the same digest.
    fn plan(&self, recorded: Rc<Recorded>, observed: Rc<Observed>) -> Planned;

    /// The place of a span in the descriptors.
    fn locate(&self, span: Span) -> Option<SourceLocation>;
}

/// A plan, and whether it may be applied.
#[derive(Clone, Debug, Default)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// The digest that the plan is approved by; other plans have other digests.
    pub digest: String,
    /// The reason why it must not be applied.
    pub refused: Option<EngineError>,
}

impl Planned {
    /// True if there is nothing to do, not even to forget.
    pub fn is_empty(&self) -> bool {
        self.plan.actions.iter().all(|it| it.action == Action::NoOp)
    }

    /// True if it does something to a resource, or records one under another name.
    pub fn has_changes(&self) -> bool {
        self.plan.actions.iter().any(|it| it.action.is_change())
    }

    /// True if it makes the same changes as another plan. Resources that are only waited for do not count:
    /// they may become ready between a person's approval and the run.
    pub fn has_same_changes(&self, other: &Self) -> bool {
        let changes = |it: &'_ Self| -> Vec<_> {
            let acting = it.plan.actions.iter().filter(|it| it.action.is_change() && !it.waits);
            acting.map(|it| (it.address.clone(), it.action, it.changes.clone())).collect()
        };
        changes(self) == changes(other)
    }
}

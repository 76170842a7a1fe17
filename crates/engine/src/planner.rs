use std::{collections::BTreeSet, rc::Rc};

use diag::Span;
use model::{Desired, Observed, Recorded};
use plan::{Plan, Verb};
use types::Types;

use crate::{EngineError, SourceLocation};

/// What makes plans of the descriptors as they are. It is given what it needs and nothing else: it cannot reach an
/// adapter or a state, so it cannot write.
pub trait Planner {
    /// What the descriptors ask for.
    fn desired(&self) -> Rc<Desired>;

    /// The kinds.
    fn types(&self) -> Rc<Types>;

    /// The texts of secrets besides those that stand in [`desired`](Self::desired): of layers that others replaced.
    fn secrets(&self) -> BTreeSet<String>;

    /// The plan. The same arguments give the same plan and the same digest.
    fn plan(&self, recorded: Rc<Recorded>, observed: Rc<Observed>) -> Planned;

    /// Where something stands in the descriptors.
    fn locate(&self, span: Span) -> Option<SourceLocation>;
}

/// A plan, and whether it may be carried out.
#[derive(Clone, Debug, Default)]
pub struct Planned {
    /// What has to happen.
    pub plan: Plan,
    /// What the plan is approved by: another plan has another one.
    pub digest: String,
    /// Why it must not be carried out.
    pub refused: Option<EngineError>,
}

impl Planned {
    /// Whether there is nothing to do, not even to forget.
    pub fn is_empty(&self) -> bool {
        self.plan.actions.iter().all(|it| it.verb == Verb::NoOp)
    }

    /// Whether it changes the same as another one. What is only waited for does not count: it may get ready between a
    /// person's approval and the run.
    pub fn has_same_changes(&self, other: &Self) -> bool {
        let changes = |it: &'_ Self| -> Vec<_> {
            let acting = it.plan.actions.iter().filter(|it| it.verb.acts() && !it.waits);
            acting.map(|it| (it.address.clone(), it.verb, it.changes.clone())).collect()
        };
        changes(self) == changes(other)
    }
}

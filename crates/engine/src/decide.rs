use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use model::{Address, Desired, Observed, ObservedResource, Phase, Recorded};
use plan::{Plan, PlannedAction, Reason};
use protocol::Verb;
use runtime::{Action, Context, Controller, Failure, Outcome, Sharing};
use state::Snapshot;
use store::{Draft, Spec};

use crate::{
    Event, Planned, Planner,
    kinds::{self, ActionSpec, ObservationSpec, PlanSpec, StepSpec, THE_ONE},
    recorded::recorded,
    run_context::{Current, RunContext},
    steps::{Step, StepKind, steps},
    unreachable_adapter::{self, HoldReason},
};

/// Makes the plan after an observation. It has access neither to adapters nor to the state backend, only to
/// values in memory.
pub(crate) fn controller(context: Rc<RunContext>) -> Controller {
    Controller::whole("plan")
        .weak(kinds::observations())
        .weak(kinds::desired())
        .weak(kinds::recorded())
        .weak(kinds::observed())
        .weak(kinds::approvals())
        .output(kinds::plans(), Sharing::Exclusive)
        .output(kinds::steps(), Sharing::Exclusive)
        .reconcile(move |cx| {
            let context = context.clone();
            async move { decide(&cx, &context) }
        })
}

fn decide(cx: &Context, context: &RunContext) -> Outcome {
    let Some(observation) = cx.find(&kinds::observations().key(THE_ONE))? else { return Ok(Action::Done) };
    let number = observation.read::<ObservationSpec>()?.number;
    if cx.find(&kinds::approvals().key(THE_ONE))?.is_some() {
        return Ok(Action::Skip("a plan is being applied".into()));
    }
    if context.current().number >= number {
        return Ok(Action::Done);
    }
    let planner = Rc::clone(&context.planner.borrow());
    let mut recorded = recorded(&context.ledger.snapshot(), &planner.desired(), &context.made.borrow());
    for address in &*context.moving.borrow() {
        if let Some(resource) = recorded.resources.get_mut(address) {
            resource.replace = true;
        }
    }
    for (address, resource) in &mut recorded.resources {
        resource.moved_from = context.ledger.moved_from(address);
    }
    let mut observed = Rc::clone(&context.observed.borrow());
    plan::follow_moves(&planner.desired(), &mut recorded, &mut observed);
    let recorded = Rc::new(recorded);
    let waiting = if context.changes.get() { BTreeMap::new() } else { unapplied(&*planner, &recorded) };
    let mut planned = planner.plan(recorded.clone(), observed.clone());
    if let Some(observed) = context.with_leftovers(&planned, &observed) {
        planned = planner.plan(recorded.clone(), Rc::new(observed));
    }
    let steps = steps(&planned.plan, &recorded);
    let desired = planner.desired();
    let held = context.held(&planned.plan, &steps, &desired, &waiting);
    let current = Rc::new(Current::new(number, planned, desired, steps, held));
    *context.current.borrow_mut() = current.clone();
    show(cx, &current)?;
    let (digest, actions) = (current.planned.digest.clone(), acting(&current).count());
    context.notify(&Event::Planned { digest, actions });
    Ok(Action::Done)
}

impl RunContext {
    /// The steps that are left alone, each with the reason; `waiting` has what waits for an apply.
    fn held(
        &self,
        plan: &Plan,
        steps: &[Step],
        desired: &Desired,
        waiting: &BTreeMap<Address, view::Action>,
    ) -> BTreeMap<usize, HoldReason> {
        let snapshot = self.ledger.snapshot();
        let new = if self.creates.get() { BTreeSet::new() } else { new(steps, &snapshot) };
        // What is not described any more is needed by nothing that is.
        let changed = waiting.iter().filter(|(_, action)| **action != view::Action::Destroy);
        let mut paused = self.paused(plan, desired);
        paused.extend(changed.map(|(address, _)| (address.clone(), HoldReason::Unapplied)));
        let unreachable = &self.failed_observation.borrow().some;
        let mut held = unreachable_adapter::held(unreachable, &new, &paused, steps, desired, &snapshot);
        let left = steps.iter().enumerate().filter(|(_, it)| waiting.contains_key(&it.address));
        held.extend(left.map(|(place, _)| (place, HoldReason::Unapplied)));
        held
    }

    /// The observed resources, with those that ended and are not desired any more: their adapter still has
    /// them, so they are destroyed and not only forgotten. `None` if there are none of the latter.
    fn with_leftovers(&self, planned: &Planned, observed: &Observed) -> Option<Observed> {
        let leftovers = self.leftovers.borrow();
        let forgotten = planned.plan.actions.iter().filter(|it| it.action == view::Action::Forget);
        let still_there: Vec<&Address> =
            forgotten.map(|it| &it.address).filter(|it| leftovers.contains(*it)).collect();
        if still_there.is_empty() {
            return None;
        }
        let mut observed = observed.clone();
        for address in still_there {
            let resource = ObservedResource { phase: Phase::Pending, spec: None, outputs: None };
            observed.resources.insert(address.clone(), Some(resource));
        }
        Some(observed)
    }
}

/// The actions of an apply although nothing has drifted: the descriptors have changed since they were recorded.
fn unapplied(planner: &dyn Planner, recorded: &Rc<Recorded>) -> BTreeMap<Address, view::Action> {
    let plan = planner.plan(recorded.clone(), Rc::default()).plan;
    let acts = plan.actions.iter().filter(|it| it.action.acts() && !it.waits);
    let changes = acts.filter(|it| is_described(&plan, it.reason.as_ref()));
    changes.map(|it| (it.address.clone(), it.action)).collect()
}

/// True if the first cause is in the descriptors, and not what a failure left behind.
fn is_described<'p>(plan: &'p Plan, mut reason: Option<&'p Reason>) -> bool {
    while let Some(Reason::KnockOn { cause, .. }) = reason {
        reason = plan.actions.get(*cause).and_then(|it| it.reason.as_ref());
    }
    matches!(reason, Some(Reason::Changed | Reason::Removed | Reason::Requested))
}

/// The addresses that are to be created and are not recorded yet.
pub(crate) fn new(steps: &[Step], snapshot: &Snapshot) -> BTreeSet<Address> {
    let creates = steps.iter().filter(|it| it.kind == StepKind::Write(Verb::Create)).map(|it| &it.address);
    creates.filter(|it| !snapshot.resources.contains_key(&it.to_string())).cloned().collect()
}

/// The actions that do something.
fn acting(current: &Current) -> impl Iterator<Item = &PlannedAction> {
    current.planned.plan.actions.iter().filter(|it| it.action.acts())
}

fn action_spec(action: &PlannedAction, current: &Current) -> ActionSpec {
    let id = |place: &usize| Some(current.planned.plan.actions.get(*place)?.id.clone());
    ActionSpec {
        id: action.id.clone(),
        address: action.address.to_string(),
        action: action.action,
        after: action.after.iter().filter_map(id).collect(),
    }
}

fn show(cx: &Context, current: &Current) -> Result<(), Failure> {
    for step in &current.steps {
        let after = step.after.iter().map(|it| current.steps[*it].id.clone()).collect();
        let action = current.action(step).id.clone();
        let spec = StepSpec { action, address: step.address.to_string(), verb: step.shown, after };
        let key = kinds::steps().key(step_key(current.number, &step.id));
        cx.put(Draft::new(key, Spec::of(&spec)?))?;
    }
    cx.prune_untouched(&kinds::steps())?;
    let actions = acting(current).map(|it| action_spec(it, current)).collect();
    let spec = PlanSpec { number: current.number, digest: current.planned.digest.clone(), actions };
    cx.put(Draft::new(kinds::plans().key(THE_ONE), Spec::of(&spec)?))?;
    Ok(())
}

/// The key of a step in the store; it includes the number of the plan, so steps of other plans have other
/// keys.
pub(crate) fn step_key(number: u64, step: &str) -> String {
    format!("{number}.{step}")
}

/// The step of that key, if it belongs to that plan.
pub(crate) fn step_of(number: u64, key: &str) -> Option<&str> {
    let (plan, step) = key.split_once('.')?;
    (plan.parse() == Ok(number)).then_some(step)
}

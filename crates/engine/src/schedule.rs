use std::rc::Rc;

use runtime::{Action, Context, Controller, Input, Outcome, Sharing};
use store::{Draft, Key, Query, Resource, Spec};

use crate::{
    StepState,
    decide::{step_key, step_of},
    kinds::{self, DecisionSpec, THE_ONE},
    run_context::{Current, RunContext},
};

/// Gives each step of an approved plan its turn, once all it waits for has succeeded.
pub(crate) fn controller(context: Rc<RunContext>) -> Controller {
    let (reported, approved) = (context.clone(), kinds::steps());
    Controller::queue("schedule")
        .primary(kinds::steps())
        .mapped(Input::weak(kinds::approvals()), move |cx, _| all(cx, &approved))
        .mapped(Input::weak(kinds::outcomes()), move |_, outcome| concerned(&reported, outcome))
        .output(kinds::decisions(), Sharing::Exclusive)
        .reconcile(move |cx, key| {
            let context = context.clone();
            async move { schedule(&cx, &context, &key) }
        })
}

fn all(cx: &Context, kind: &store::Kind) -> Vec<Key> {
    cx.list(kind, &Query::all())
        .map(|steps| steps.iter().map(|it| it.key().clone()).collect())
        .unwrap_or_default()
}

/// The steps that wait for the one that ended.
fn concerned(context: &RunContext, outcome: &Resource) -> Vec<Key> {
    let current = context.current();
    let step = step_of(current.number, outcome.id()).and_then(|id| current.step(id));
    let waiting = step.map(|(_, step)| step.unblocks.clone()).unwrap_or_default();
    waiting.iter().map(|it| kinds::steps().key(step_key(current.number, &current.steps[*it].id))).collect()
}

fn schedule(cx: &Context, context: &RunContext, key: &Key) -> Outcome {
    let decision = kinds::decisions().key(key.id.clone());
    if cx.find(key)?.is_none() {
        cx.remove(&decision)?;
        return Ok(Action::Done);
    }
    let current = context.current();
    let is_approved = cx.find(&kinds::approvals().key(THE_ONE))?.is_some();
    let step = step_of(current.number, &key.id).and_then(|id| current.step(id)).filter(|_| is_approved);
    let Some((place, _)) = step else { return Ok(Action::Done) };
    if let Some(spec) = turn_of(context, &current, place)
        && current.turn(place)
    {
        cx.put(Draft::new(decision, Spec::of(&spec)?))?;
    }
    Ok(Action::Done)
}

/// True if a run is over: nothing is running, and nothing more will start.
pub(crate) fn is_over(context: &RunContext, current: &Current) -> bool {
    current.is_idle() && current.waiting().into_iter().all(|place| turn_of(context, current, place).is_none())
}

/// The turn of a step; `None` while it has to wait.
fn turn_of(context: &RunContext, current: &Current, place: usize) -> Option<DecisionSpec> {
    if let Some(why) = current.held.get(&place) {
        return Some(DecisionSpec::Leave { why: why.to_string() });
    }
    let after = &current.steps[place].after;
    let ended = |states: &[StepState]| after.iter().find(|it| states.contains(&current.state(**it)));
    if let Some(before) = ended(&[StepState::Failed, StepState::Skipped]) {
        return Some(DecisionSpec::Skip { because: current.steps[*before].id.clone() });
    }
    let stops = !current.terms.get().unwrap_or_default().keep_going && current.any_failed();
    let is_ready = after.iter().all(|it| current.state(*it) == StepState::Done);
    (is_ready && !stops && !context.is_stopped()).then_some(DecisionSpec::Go)
}

//! A run: the state of each step, and in the end the outcome.

mod down;
mod step;

use std::rc::Rc;

use diag::order;
use workspace::view::LocationView;
use yew::prelude::*;

use self::{
    down::down,
    step::{error_html, row},
};
use super::{ApplyStatus, Doing, LiveEvent, Outcome, StepItem, StepLook, elapsed::duration};
use crate::{IconName, LayerBadge};

/// Properties of [`run_pane`].
#[derive(Clone, Debug)]
pub struct RunPaneProps {
    /// The state of applying.
    pub live: Rc<ApplyStatus>,
    /// Its steps.
    pub steps: Rc<Vec<StepItem>>,
    /// The files, for places.
    pub layers: Rc<Vec<LayerBadge>>,
    /// Called with the user's action.
    pub on_event: Callback<LiveEvent>,
    /// Called with a place that caused an error.
    pub on_goto: Callback<LocationView>,
    /// Called with the address of a step.
    pub on_select: Callback<String>,
}

/// The steps of a run, those that went wrong first once it is over.
pub fn run_pane(props: &RunPaneProps) -> Html {
    let (live, steps) = (&props.live, &props.steps);
    let over = !live.doing.is_busy();
    let ended = steps.iter().filter(|step| has_ended(step.look)).count();
    let mut order: Vec<&StepItem> = steps.iter().collect();
    if over {
        order::by_key(&mut order, |step| match step.look {
            StepLook::Failed => 0,
            StepLook::Skipped => 1,
            StepLook::Waiting | StepLook::Running => 2,
            StepLook::Done => 3,
        });
    }
    let said = run_sentence(live, ended, steps.len());
    let bad = live.outcome.as_ref().is_some_and(|outcome| !outcome.ok && over);
    let stopped = bad && live.outcome.as_ref().is_some_and(|outcome| outcome.stopped);
    let icon = match (bad, stopped) {
        (false, _) => IconName::Check,
        (true, true) => IconName::Warning,
        (true, false) => IconName::Error,
    };
    html! {
        <section class="run pane" aria-label="Run">
            <header class={classes!("run-head", bad.then_some(if stopped { "run-stopped" } else { "run-bad" }))}>
                <p class="run-said" role="status">
                    if over { { icon.html() } }
                    <span>{ said }</span>
                </p>
                { buttons(live, &props.on_event) }
                <progress class="run-bar" max={steps.len().max(1).to_string()} value={ended.to_string()}
                    aria-label="Steps that have ended" />
            </header>
            if let Some(error) = live.error.as_ref().filter(|_| over) {
                <div class="run-error" role="alert">{ error_html(error, props) }</div>
            }
            if over { { down(steps, &props.on_select) } }
            <ol class="run-steps pane-scroll" tabindex="0" aria-label="Steps">
                { for order.into_iter().map(|step| row(step, over, props)) }
            </ol>
        </section>
    }
}

const fn has_ended(look: StepLook) -> bool {
    matches!(look, StepLook::Done | StepLook::Failed | StepLook::Skipped)
}

/// The progress of a run, or its outcome.
pub fn run_sentence(live: &ApplyStatus, ended: usize, all: usize) -> String {
    match live.doing {
        Doing::Applying => format!("Applying: {ended} of {all} done"),
        Doing::Destroying => format!("Destroying: {ended} of {all} done"),
        Doing::Stopping => format!("Stopping once the steps under way have ended: {ended} of {all} done"),
        _ => live.outcome.as_ref().map(outcome).unwrap_or_default(),
    }
}

fn outcome(outcome: &Outcome) -> String {
    let Outcome { ok, destroyed, stopped, done, failed, skipped, not_started, took } = *outcome;
    if ok {
        let within = took.map(|took| format!(" in {}", duration(took))).unwrap_or_default();
        return match (destroyed, done) {
            (true, _) => format!("Everything is destroyed{within}."),
            (false, 0) => "Nothing was left to do.".into(),
            (false, 1) => format!("Applied: 1 step done{within}."),
            (false, done) => format!("Applied: {done} steps done{within}."),
        };
    }
    let parts = [(done, "done"), (failed, "failed"), (skipped, "skipped"), (not_started, "not started")];
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    let why = if stopped { "Stopped" } else { "Incomplete" };
    let again = if destroyed { "Destroy" } else { "Apply" };
    format!("{why}: {}. {again} again to continue.", parts.collect::<Vec<_>>().join(", "))
}

fn buttons(live: &ApplyStatus, on_event: &Callback<LiveEvent>) -> Html {
    let button = |words: &'static str, event: LiveEvent, class: &'static str| {
        let onclick = on_event.reform(move |_: MouseEvent| event.clone());
        html! { <button type="button" class={classes!("button", class)} {onclick}>{ words }</button> }
    };
    match live.doing {
        Doing::Applying | Doing::Destroying => button("Stop", LiveEvent::Stop { at_once: false }, ""),
        Doing::Stopping => button("Stop at once", LiveEvent::Stop { at_once: true }, "danger"),
        _ => html! {
            <>
                { again(live).map(|words| button(words, LiveEvent::Again, "")).unwrap_or_default() }
                { button("Close report", LiveEvent::Read, "") }
            </>
        },
    }
}

/// The label of the button that continues an incomplete run; `None` if nothing is left to do.
fn again(live: &ApplyStatus) -> Option<&'static str> {
    let outcome = live.outcome.as_ref().filter(|outcome| !outcome.ok)?;
    live.digest.as_ref()?;
    Some(if outcome.stopped { "Resume…" } else { "Retry…" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_says_how_far_it_is_and_what_came_of_it() {
        let live = |doing, outcome| ApplyStatus { doing, outcome, ..ApplyStatus::default() };
        assert_eq!(run_sentence(&live(Doing::Applying, None), 4, 9), "Applying: 4 of 9 done");
        let ok = Outcome { ok: true, done: 1, ..Outcome::default() };
        assert_eq!(run_sentence(&live(Doing::Idle, Some(ok)), 1, 1), "Applied: 1 step done.");
        let bad = Outcome { done: 2, failed: 1, skipped: 3, ..Outcome::default() };
        let said = "Incomplete: 2 done, 1 failed, 3 skipped. Apply again to continue.";
        assert_eq!(run_sentence(&live(Doing::Idle, Some(bad)), 6, 6), said);
    }
}

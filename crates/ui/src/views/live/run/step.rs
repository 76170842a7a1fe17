//! One step of a run.

use workspace::view::LocationView;
use yew::prelude::*;

use super::{
    super::elapsed::{Elapsed, duration},
    RunPaneProps,
};
use crate::{
    action_mark,
    views::{
        live::{ErrorItem, StepItem, StepLook},
        place::PlaceLink,
        prose::prose,
    },
};

/// One step: its state, its message, its duration.
pub(super) fn row(step: &StepItem, over: bool, props: &RunPaneProps) -> Html {
    let class = match step.look {
        StepLook::Waiting => "look-waiting",
        StepLook::Running => "look-running",
        StepLook::Done => "look-done",
        StepLook::Failed => "look-failed",
        StepLook::Skipped => "look-skipped",
    };
    let onclick = props.on_select.reform({
        let address = step.address.clone();
        move |_: MouseEvent| address.clone()
    });
    html! {
        <li key={step.id.clone()} class={classes!("run-step", class)} data-address={step.address.clone()} data-look={class}>
            <span class="run-dot" aria-hidden="true" />
            { action_mark(step.verb, false) }
            <button type="button" class="link run-address" {onclick}>{ &step.address }</button>
            <span class="run-words">
                { words(step, over) }
                if let Some(took) = step.took { <span class="run-took">{ duration(took) }</span> }
                if let Some(since) = step.since.filter(|_| step.look == StepLook::Running) { <Elapsed {since} /> }
            </span>
            if let Some(error) = &step.error { { error_html(error, props) } }
        </li>
    }
}

/// The text of a step beside its address.
fn words(step: &StepItem, over: bool) -> String {
    let verb = step.verb.words();
    match step.look {
        StepLook::Waiting if over => "not started".into(),
        StepLook::Waiting => "waiting".into(),
        StepLook::Running if step.words.is_empty() => verb.ongoing.into(),
        StepLook::Running => match step.percent {
            Some(percent) => format!("{percent} %, {}", step.words),
            None => step.words.clone(),
        },
        StepLook::Done if step.words.is_empty() => verb.past.into(),
        StepLook::Done => format!("{}: {}", verb.past, step.words),
        StepLook::Failed => "failed".into(),
        StepLook::Skipped => match &step.because {
            Some(because) => format!("skipped because of {because}"),
            None => "skipped".into(),
        },
    }
}

/// The error, its remedy, and the places that caused it.
pub(super) fn error_html(error: &ErrorItem, props: &RunPaneProps) -> Html {
    html! {
        <div class="error-item">
            <p><span class="error-message">{ prose(&error.message) }</span><code class="error-code">{ &error.code }</code></p>
            if !error.help.is_empty() { <p class="muted">{ prose(&error.help) }</p> }
            { for error.places.iter().map(|place| {
                let at = LocationView { file: place.file.clone(), line: place.line, column: place.column,
                    end_line: place.line, end_column: place.column };
                html! { <PlaceLink place={at} layers={props.layers.clone()} on_goto={props.on_goto.clone()} /> }
            }) }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_says_why_it_was_skipped() {
        let step =
            StepItem { look: StepLook::Skipped, because: Some("services.db".into()), ..StepItem::default() };
        assert_eq!(words(&step, true), "skipped because of services.db");
        assert_eq!(words(&StepItem::default(), true), "not started");
    }
}

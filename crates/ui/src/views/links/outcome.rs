use workspace::view::{LinkOutcome, words::Tone};
use yew::prelude::*;

const fn class(outcome: LinkOutcome) -> &'static str {
    match (outcome, outcome.tone()) {
        (LinkOutcome::Absent, _) => "outcome-absent",
        (LinkOutcome::Manual, _) => "outcome-manual",
        (_, Tone::Error) => "outcome-failed",
        _ => "outcome-linked",
    }
}

/// The symbol of an outcome, and when `named` its word; else the word is only read out.
pub(super) fn outcome_mark(outcome: LinkOutcome, named: bool) -> Html {
    html! {
        <span class={classes!("outcome", class(outcome))} title={outcome.word()}>
            <span class="outcome-symbol" aria-hidden="true">{ outcome.symbol() }</span>
            <span class={if named { "outcome-word" } else { "visually-hidden" }}>{ outcome.word() }</span>
        </span>
    }
}

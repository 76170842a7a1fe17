//! Actions and severities as symbol, word and class. Never colour alone.

use workspace::view::{Action, Severity, words::Tone};
use yew::prelude::*;

use crate::IconName;

/// The class that sets `--action`, the colour of an action.
pub const fn action_class(action: Action) -> &'static str {
    tone_class(action.words().tone)
}

/// The class that sets `--action` to the colour of a tone.
pub(crate) const fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Create => "action-create",
        Tone::Update | Tone::Warning => "action-update",
        Tone::Rebuild => "action-rebuild",
        Tone::Destroy | Tone::Error => "action-destroy",
        Tone::Unchanged | Tone::Hint => "action-unchanged",
    }
}

/// An action's symbol in its colour, and when `named` its word; else the word is only read out.
pub fn action_mark(action: Action, named: bool) -> Html {
    let words = action.words();
    html! {
        <span class={classes!("action-mark", action_class(action))} title={words.word}>
            <span class="action-symbol" aria-hidden="true">{ words.symbol }</span>
            <span class={if named { "action-word" } else { "visually-hidden" }}>{ words.word }</span>
        </span>
    }
}

/// The icon of a problem in its colour; read out as its word.
pub fn severity_mark(severity: Severity) -> Html {
    let (icon, class) = match severity {
        Severity::Error => (IconName::Error, "severity-error"),
        Severity::Warning => (IconName::Warning, "severity-warning"),
        Severity::Hint => (IconName::Hint, "severity-hint"),
    };
    html! {
        <span class={classes!("severity-mark", class)} title={severity.as_str()}>
            { icon.html() }
            <span class="visually-hidden">{ severity.as_str() }</span>
        </span>
    }
}

//! What a plan does, as symbol, word and class. Never colour alone.

use yew::prelude::*;

use crate::IconName;

/// One kind of action, as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionSymbol {
    /// `+ ~ ± − = ⇄`.
    pub symbol: &'static str,
    /// What it is called in a list: `create`.
    pub word: &'static str,
    /// What is said of a resource: `will be created`.
    pub sentence: &'static str,
    /// The class that sets `--action`: `action-create`.
    pub class: &'static str,
    /// Destroys something: the only loud thing.
    pub dangerous: bool,
}

impl ActionSymbol {
    /// The symbol of an action as a plan names it; what is not known counts as unchanged.
    pub fn of(action: &str) -> Self {
        let (symbol, word, sentence, class) = match action {
            "create" => ("+", "create", "will be created", "action-create"),
            "update" => ("~", "update", "will be updated", "action-update"),
            "rebuild" => ("±", "rebuild", "will be rebuilt", "action-rebuild"),
            "destroy" => ("−", "destroy", "will be destroyed", "action-destroy"),
            "forget" => ("⇄", "forget", "will be forgotten", "action-forget"),
            _ => ("=", "unchanged", "stays as it is", "action-unchanged"),
        };
        Self { symbol, word, sentence, class, dangerous: matches!(action, "rebuild" | "destroy") }
    }
}

/// An action's symbol in its colour, and when `named` its word; else the word is only read out.
pub fn action_mark(action: &str, named: bool) -> Html {
    let ActionSymbol { symbol, word, class, .. } = ActionSymbol::of(action);
    html! {
        <span class={classes!("action-mark", class)} title={word}>
            <span class="action-symbol" aria-hidden="true">{ symbol }</span>
            <span class={if named { "action-word" } else { "visually-hidden" }}>{ word }</span>
        </span>
    }
}

/// The icon of a problem in its colour; read out as its word.
pub fn severity_mark(severity: &str) -> Html {
    let (icon, class) = match severity {
        "error" => (IconName::Error, "severity-error"),
        "warning" => (IconName::Warning, "severity-warning"),
        _ => (IconName::Hint, "severity-hint"),
    };
    html! {
        <span class={classes!("severity-mark", class)} title={severity.to_owned()}>
            { icon.html() }
            <span class="visually-hidden">{ severity }</span>
        </span>
    }
}

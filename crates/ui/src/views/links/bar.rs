//! The bar of the Links pane: the view and the filter.

use web_sys::HtmlInputElement;
use workspace::view::LinkOutcome;
use yew::prelude::*;

use super::{filter::Filter, model::Model, outcome::outcome_mark};
use crate::{IconName, views::Same};

/// A way of showing links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    List,
    Matrix,
    Map,
}

impl Mode {
    const ALL: [(Self, &'static str); 3] =
        [(Self::List, "List"), (Self::Matrix, "Matrix"), (Self::Map, "Map")];
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct BarProps {
    pub(super) model: Same<Model>,
    pub(super) mode: Mode,
    pub(super) filter: Filter,
    pub(super) bosh: bool,
    pub(super) on_mode: Callback<Mode>,
    pub(super) on_filter: Callback<Filter>,
    pub(super) on_bosh: Callback<bool>,
}

#[component]
pub(super) fn Bar(props: &BarProps) -> Html {
    html! {
        <div class="pane-bar links-bar">
            <div class="segmented" role="group" aria-label="Show as">
                { for Mode::ALL.into_iter().map(|(mode, title)| {
                    toggle(props.mode == mode, title, "", props.on_mode.reform(move |_: MouseEvent| mode))
                }) }
            </div>
            { search(props) }
            <div class="chip-group" role="group" aria-label="Show only one outcome">
                { for LinkOutcome::ALL.iter().copied().map(|outcome| chip(props, outcome)) }
            </div>
            <span class="pane-bar-space" />
            <div class="segmented" role="group" aria-label="Rules">
                { toggle(!props.bosh, "Strict", "Also report what BOSH accepts silently, or finds only later",
                    props.on_bosh.reform(|_: MouseEvent| false)) }
                { toggle(props.bosh, "BOSH", "Decide as BOSH’s director does, with its messages",
                    props.on_bosh.reform(|_: MouseEvent| true)) }
            </div>
        </div>
    }
}

fn toggle(on: bool, label: &'static str, title: &'static str, onclick: Callback<MouseEvent>) -> Html {
    let title = (!title.is_empty()).then_some(title);
    html! {
        <button type="button" class="toggle" aria-pressed={on.to_string()} {title} {onclick}>{ label }</button>
    }
}

fn search(props: &BarProps) -> Html {
    let (filter, on_filter) = (props.filter.clone(), props.on_filter.clone());
    let oninput = Callback::from(move |event: InputEvent| {
        let text = event.target_unchecked_into::<HtmlInputElement>().value();
        on_filter.emit(Filter { text, ..filter.clone() });
    });
    html! {
        <label class="pane-search">
            { IconName::Filter.html() }
            <input type="search" placeholder="Filter: api, nats, ambiguous" aria-label="Filter the links"
                value={props.filter.text.clone()} {oninput} spellcheck="false" autocomplete="off" />
        </label>
    }
}

/// A chip for an outcome that occurs; failures have their word, too.
fn chip(props: &BarProps, outcome: LinkOutcome) -> Html {
    let count = props.model.count(outcome);
    let on = props.filter.only == Some(outcome);
    if count == 0 && !on {
        return Html::default();
    }
    let next = Filter { only: (!on).then_some(outcome), ..props.filter.clone() };
    let onclick = props.on_filter.reform(move |_: MouseEvent| next.clone());
    html! {
        <button type="button" class="filter-chip" aria-pressed={on.to_string()} {onclick}
            title={format!("Only what is {}", outcome.word())}>
            { outcome_mark(outcome, true) }<span>{ count }</span>
        </button>
    }
}

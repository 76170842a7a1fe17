//! The kinds as a tree of parents.

use yew::prelude::*;

use super::{
    model::{Branch, tree},
    show::Show,
};
use crate::views::rove;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct TreeProps {
    pub(super) show: Show,
    /// The kind that is shown.
    pub(super) pick: Option<AttrValue>,
}

#[component]
pub(super) fn Tree(TreeProps { show, pick }: &TreeProps) -> Html {
    let onkeydown = Callback::from(|event: KeyboardEvent| {
        rove::by_key(&event, ".services-tree", ".services-kind");
    });
    let is_only = show.view.specification.services.len() == 1;
    let service = |at: usize| {
        let service = show.view.specification.services.get(at)?;
        let branches = tree(&show.view, service);
        let place =
            show.view.versions.iter().find(|it| it.service == service.name && it.version == service.version);
        Some(html! {
            <section class="services-service" aria-label={service.name.clone()}>
                <h3 class={classes!("services-head", is_only.then_some("services-only"))}>
                    <span class="services-name">{ &service.name }</span>
                    <span class="tag">{ &service.version }</span>
                    { place.map(|it| show.place(&it.location)).unwrap_or_default() }
                </h3>
                <ul class="services-branches">{ for branches.iter().map(|it| branch(show, pick.as_ref(), it)) }</ul>
            </section>
        })
    };
    html! {
        <div class="services-tree" {onkeydown}>
            { for (0..show.view.specification.services.len()).filter_map(service) }
        </div>
    }
}

fn branch(show: &Show, pick: Option<&AttrValue>, it: &Branch) -> Html {
    let name = it.kind.rsplit('/').next().unwrap_or_default().to_owned();
    let is_picked = pick.is_some_and(|pick| **pick == *it.kind);
    let title = if it.is_foreign { "of another service" } else { "show what is known of it" };
    let said = if it.is_foreign { it.kind.clone() } else { name };
    let is_known = show.view.resource(&it.kind).is_some();
    html! {
        <li>
            <button type="button" class={classes!("services-kind", it.is_foreign.then_some("services-foreign"))}
                aria-pressed={is_picked.to_string()} data-kind={it.kind.clone()} disabled={!is_known} {title} onclick={show.picks(&it.kind)}>
                <span class="services-kind-name">{ said }
                    if it.is_shared { <span class="tag" title="it can be in several parents">{ "several parents" }</span> }
                </span>
                { for it.patterns.iter().map(|it| pattern(it)) }
            </button>
            if !it.below.is_empty() {
                <ul class="services-branches">{ for it.below.iter().map(|it| branch(show, pick, it)) }</ul>
            }
        </li>
    }
}

/// A pattern, which may be broken after each slash.
pub(super) fn pattern(text: &str) -> Html {
    let parts = text.split_inclusive('/').map(|part| html! { <>{ part.to_owned() }<wbr /></> });
    html! { <span class="services-pattern">{ for parts }</span> }
}

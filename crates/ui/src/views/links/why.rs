//! The explanation beside the links: of the selection, or else of all links.

mod all;
mod content;
mod link;
mod owner;
mod provider;
mod reach;

use workspace::view::LocationView;
use workspace::view::words::count;
use yew::prelude::*;

use super::{list::row, name, pick::Pick, show::Show};
use crate::{IconButton, IconName, views::place::PlaceLink};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct WhyProps {
    pub(super) show: Show,
}

#[component]
pub(super) fn Why(props: &WhyProps) -> Html {
    let show = &props.show;
    let (title, body) = match &show.pick {
        None => (all::title(&show.model), all::all(show)),
        Some(Pick::Link(at)) => ("Why".to_owned(), link::link(show, *at)),
        Some(Pick::Provider(at)) => ("Provider".into(), provider::provider(show, *at)),
        Some(Pick::Owner(at)) => (show.model.owner_name(*at), owner::owner(show, *at)),
        Some(Pick::Links(links)) => (count(links.len(), "link"), several(show, links)),
    };
    let open = use_state_eq(|| false);
    let close = show.on_pick.reform(|_: MouseEvent| None);
    html! {
        <aside class={classes!("links-why", (show.pick.is_none() && !*open).then_some("folded"))} aria-label="Why">
            <header class="links-why-head">
                <h3>{ title }</h3>
                if show.pick.is_none() { { fold(&open) } }
                if show.pick.is_some() { { IconButton::new(IconName::Close, "Close (Escape)", close).html() } }
            </header>
            <div class="links-why-body" tabindex="0" role="region" aria-label="Details" aria-live="polite">{ body }</div>
        </aside>
    }
}

/// The button that folds and unfolds the overview of all links, where there is no room for it beside them.
fn fold(open: &UseStateHandle<bool>) -> Html {
    let now = **open;
    let onclick = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!now))
    };
    html! {
        <button type="button" class="quiet-button links-fold" aria-expanded={now.to_string()} {onclick}>
            { (if now { IconName::ChevronDown } else { IconName::ChevronUp }).html() }<span>{ "Overview" }</span>
        </button>
    }
}

fn several(show: &Show, links: &[usize]) -> Html {
    // All of them are selected, so none stands out.
    let show = Show { pick: None, ..show.clone() };
    html! { <ul class="links-rows">{ for links.iter().map(|link| row(&show, *link)) }</ul> }
}

/// A part with a heading; nothing without a body.
fn part(title: &str, body: Html) -> Html {
    html! { <section class="links-part"><h4>{ title.to_owned() }</h4>{ body }</section> }
}

/// A provider as a link to it.
fn provider_link(show: &Show, at: usize, home: &str) -> Html {
    let Some(provider) = show.model.provider(at) else { return Html::default() };
    html! {
        <button type="button" class="link links-name" onclick={show.picks(Pick::Provider(at))}>
            { name::provider(&provider.provider, home) }</button>
    }
}

/// An owner as a link to it.
fn owner_link(show: &Show, at: usize) -> Html {
    html! {
        <button type="button" class="link links-name" onclick={show.picks(Pick::Owner(at))}>
            { show.model.owner_name(at) }</button>
    }
}

fn place(show: &Show, place: Option<&LocationView>) -> Html {
    place.map_or_else(Html::default, |place| {
        html! { <PlaceLink place={place.clone()} layers={show.layers.0.clone()} on_goto={show.on_goto.clone()} /> }
    })
}

/// A word in a frame.
fn tag(word: &str) -> Html {
    html! { <span class="tag">{ word.to_owned() }</span> }
}

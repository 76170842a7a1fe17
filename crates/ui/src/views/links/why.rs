//! Beside the links: why it is so for what is selected, and what is to be known of all of them.

mod all;
mod content;
mod link;
mod owner;
mod provider;
mod reach;

use workspace::view::LocationView;
use yew::prelude::*;

use super::{
    list::row,
    name::{self, count},
    pick::Pick,
    show::Show,
};
use crate::{IconButton, IconName, views::place::PlaceLink};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct WhyProps {
    pub(super) show: Show,
}

#[component]
pub(super) fn Why(props: &WhyProps) -> Html {
    let show = &props.show;
    let (title, body) = match &show.pick {
        None => ("All links".into(), all::all(show)),
        Some(Pick::Link(at)) => ("Why".to_owned(), link::link(show, *at)),
        Some(Pick::Provider(at)) => ("Provider".into(), provider::provider(show, *at)),
        Some(Pick::Owner(at)) => (show.model.owner_name(*at), owner::owner(show, *at)),
        Some(Pick::Links(links)) => (count(links.len(), "link"), several(show, links)),
    };
    let close = show.on_pick.reform(|_: MouseEvent| None);
    let onkeydown = {
        let on_pick = show.on_pick.clone();
        let open = show.pick.is_some();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && open {
                event.stop_propagation();
                on_pick.emit(None);
            }
        })
    };
    html! {
        <aside class="links-why" aria-label={title.clone()} {onkeydown}>
            <header class="links-why-head">
                <h3>{ title }</h3>
                if show.pick.is_some() { { IconButton::new(IconName::Close, "Close (Escape)", close).html() } }
            </header>
            <div class="links-why-body" tabindex="0" role="region" aria-label="Details" aria-live="polite">{ body }</div>
        </aside>
    }
}

fn several(show: &Show, links: &[usize]) -> Html {
    html! { <ul class="links-rows">{ for links.iter().map(|link| row(show, *link)) }</ul> }
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

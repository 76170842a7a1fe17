//! The consumers and providers of an instance group or service, and the owners that a change of it reaches.

use workspace::view::words::count;
use yew::prelude::*;

use super::{part, provider_link, reach::reach};
use crate::views::links::{list::row, show::Show};

pub(super) fn owner(show: &Show, at: usize) -> Html {
    let Some(owner) = show.model.owner(at) else { return Html::default() };
    html! {
        <>
            if !owner.providers.is_empty() {
                { part("Affected consumers", reach(show, &owner.providers)) }
                { part(&format!("Provides {}", owner.providers.len()), html! {
                    <ul class="links-names">{ for owner.providers.iter().map(|provider| html! {
                        <li>{ provider_link(show, *provider, &owner.deployment) }{ users(show, *provider) }</li>
                    }) }</ul>
                }) }
            }
            if !owner.links.is_empty() {
                { part(&format!("Consumes {}", owner.links.len()), html! {
                    <ul class="links-rows">{ for owner.links.iter().map(|link| row(show, *link)) }</ul>
                }) }
            }
        </>
    }
}

fn users(show: &Show, provider: usize) -> Html {
    let users = show.model.provider(provider).map_or(0, |it| it.links.len());
    let words =
        if users == 0 { "no consumers".into() } else { format!("consumed by {}", count(users, "consumer")) };
    html! { <span class="muted">{ words }</span> }
}

//! The content that a provider offers, and the owners that a change of it reaches.

use serde_json::Value as Json;
use workspace::view::{ProviderKind, ProviderView};
use yew::prelude::*;

use super::{content::content, owner_link, part, place, reach::reach, tag};
use crate::views::links::{name, show::Show};

pub(super) fn provider(show: &Show, at: usize) -> Html {
    let Some(provider) = show.model.provider(at) else { return Html::default() };
    html! {
        <>
            <p class="links-what"><strong>{ name::link(&provider.provider) }</strong>
                <span class="muted">{ format!("of type {}", provider.link_type) }</span>
                { for tags(provider).into_iter().map(tag) }
            </p>
            <p class="links-line"><span>{ "provided by " }{ owner_link(show, show.model.owner_of(at)) }{ job(provider) }</span>
                { place(show, provider.origin.as_ref()) }</p>
            { part("Affected consumers", reach(show, &[at])) }
            { if is_empty(&provider.properties) { Html::default() } else {
                part("What it provides", content(&provider.properties))
            } }
        </>
    }
}

fn tags(provider: &ProviderView) -> Vec<&'static str> {
    let kind = match provider.kind {
        ProviderKind::Disk | ProviderKind::Variable => Some(provider.kind.as_str()),
        ProviderKind::Job | ProviderKind::Service => None,
    };
    let shared = provider.shared.then_some("shared with other deployments");
    let closed = (!provider.consumable).then_some("set to have no consumers");
    [kind, shared, closed].into_iter().flatten().collect()
}

fn job(provider: &ProviderView) -> String {
    provider.provider.job.as_deref().map(|it| format!("/{it}")).unwrap_or_default()
}

fn is_empty(json: &Json) -> bool {
    json.is_null() || json.as_object().is_some_and(serde_json::Map::is_empty)
}

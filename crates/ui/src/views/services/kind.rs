//! The details of one kind.

use workspace::view::{DependenceView, RegionScope, ResourceTypeView};
use yew::prelude::*;

use super::{dependence, findings, methods, show::Show, tree::pattern};
use crate::IconName;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct KindProps {
    pub(super) show: Show,
    /// The kind, with its service.
    pub(super) kind: AttrValue,
}

#[component]
pub(super) fn Kind(KindProps { show, kind }: &KindProps) -> Html {
    let Some(it) = show.view.resource(kind) else { return Html::default() };
    let own = |from: bool| -> Vec<&DependenceView> {
        let is_it = |it: &&DependenceView| **kind == *(if from { &it.from } else { &it.to });
        show.view.dependences.iter().filter(is_it).collect()
    };
    let methods = methods::of(show, kind);
    let back = show.on_pick.reform(|_: MouseEvent| None);
    html! {
        <article class="services-about" aria-label={it.name.clone()}>
            <div class="services-about-head">
                <button type="button" class="quiet-button services-back" onclick={back}>
                    { IconName::ChevronLeft.html() }<span>{ "All kinds" }</span>
                </button>
                <h3>{ &it.name }</h3>
                { for facts(it).into_iter().map(|(fact, title)| html! { <span class="tag" {title}>{ fact }</span> }) }
                { show.place(&it.location) }
            </div>
            <section class="services-part"><h4>{ "Names" }</h4>
                <ul class="services-patterns">{ for it.patterns.iter().map(|it| html! { <li>{ pattern(it) }</li> }) }</ul>
                <p class="muted">{ "Ids match " }<code>{ it.creation_id_pattern.as_ref().unwrap_or(&it.id_pattern) }</code></p>
            </section>
            { findings::list(show, &findings::of(show, Some(kind))) }
            { dependences(show, "Depends on", "When the other one is deleted:", &own(true)) }
            { dependences(show, "Others that depend on it", &format!("When a {} is deleted:", it.name), &own(false)) }
            <section class="services-part"><h4>{ "Methods " }<span class="count">{ methods.len() }</span></h4>
                { methods::table(show, &methods) }
            </section>
        </article>
    }
}

fn dependences(show: &Show, title: &'static str, when: &str, all: &[&DependenceView]) -> Html {
    html! {
        <section class="services-part" aria-label={title}><h4>{ title }{ " " }<span class="count">{ all.len() }</span></h4>
            if all.is_empty() {
                <p class="muted">{ "Nothing." }</p>
            } else {
                <p class="muted">{ when.to_owned() }</p>
                <ul class="services-list">{ for all.iter().map(|it| dependence::row(show, it)) }</ul>
            }
        </section>
    }
}

/// The special properties of a kind, each with an explanation.
fn facts(it: &ResourceTypeView) -> Vec<(&'static str, &'static str)> {
    let region = match it.region {
        RegionScope::Global => None,
        RegionScope::Regional => Some(("regional", "its names have a region")),
        RegionScope::Optional => Some(("region optional", "its names can have a region")),
    };
    let flags = [
        (it.searchable, ("searchable", "it has a method that searches")),
        (it.is_policy_holder, ("policy holder", "it sets the region policy of the resources below it")),
        (it.disable_standard_access, ("no standard methods", "its standard methods are disabled")),
        (it.disable_db_constraints, ("unchecked", "its references are not checked")),
    ];
    region.into_iter().chain(flags.into_iter().filter(|it| it.0).map(|it| it.1)).collect()
}

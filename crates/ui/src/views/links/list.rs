//! The links, each in a line, below the owners that consume them.

use std::collections::BTreeSet;

use workspace::view::LinkView;
use yew::prelude::*;

use super::{model::Model, name, outcome::outcome_mark, pick::Pick, show::Show};
use crate::{
    IconName,
    views::{place::PlaceLink, rove},
};

/// More lines than this wait for a click: nobody reads them, and they cost time to draw.
const MOST: usize = 400;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ListProps {
    pub(super) show: Show,
}

#[component]
pub(super) fn List(props: &ListProps) -> Html {
    let Show { model, kept, .. } = &props.show;
    let folded = use_state(BTreeSet::<String>::new);
    let all = use_state_eq(|| false);
    if kept.is_empty() {
        return html! { <p class="pane-note">{ "No link matches." }</p> };
    }
    let shown = if *all { kept.len() } else { kept.len().min(MOST) };
    let groups = groups(model, kept.get(..shown).unwrap_or_default());
    let show_all = {
        let all = all.clone();
        Callback::from(move |_: MouseEvent| all.set(true))
    };
    html! {
        <div class="pane-scroll links-list" onkeydown={Callback::from(walk)}>
            { for groups.iter().map(|(owner, links)| group(&props.show, *owner, links, &folded)) }
            if shown < kept.len() {
                <button type="button" class="plan-more" onclick={show_all}>
                    { format!("Show {} more", kept.len() - shown) }
                </button>
            }
        </div>
    }
}

/// Links by the owners that consume them, in the order in which they come first.
fn groups(model: &Model, links: &[usize]) -> Vec<(usize, Vec<usize>)> {
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    for link in links {
        let owner = model.consumer_of(*link);
        match groups.iter_mut().find(|(other, _)| *other == owner) {
            Some((_, links)) => links.push(*link),
            None => groups.push((owner, vec![*link])),
        }
    }
    groups
}

fn group(show: &Show, owner: usize, links: &[usize], folded: &UseStateHandle<BTreeSet<String>>) -> Html {
    let name = show.model.owner_name(owner);
    let shut = folded.contains(&name);
    let onclick = {
        let (folded, name) = (folded.clone(), name.clone());
        Callback::from(move |_: MouseEvent| folded.set(toggled(&folded, &name)))
    };
    let failed = links.iter().filter(|at| show.model.outcome(**at).is_failure()).count();
    html! {
        <section key={name.clone()} class="links-group">
            <h3 class="links-group-head">
                <button type="button" class="links-group-title" aria-expanded={(!shut).to_string()} {onclick}>
                    { (if shut { IconName::ChevronRight } else { IconName::ChevronDown }).html() }
                    <span class="links-owner">{ &name }</span><span class="count">{ links.len() }</span>
                    if failed > 0 { <span class="links-failed">{ format!("{failed} to fix") }</span> }
                </button>
                <button type="button" class="quiet-button" onclick={show.picks(Pick::Owner(owner))}
                    title={format!("What {name} provides, and which consumers depend on it")}>{ "Impact" }</button>
            </h3>
            if !shut { <ul>{ for links.iter().map(|link| row(show, *link)) }</ul> }
        </section>
    }
}

pub(super) fn toggled(folded: &BTreeSet<String>, name: &str) -> BTreeSet<String> {
    let mut next = folded.clone();
    if !next.remove(name) {
        next.insert(name.to_owned());
    }
    next
}

/// A consumer and its outcome.
pub(super) fn row(show: &Show, at: usize) -> Html {
    let Some(link) = show.model.link(at) else { return Html::default() };
    let outcome = show.model.outcome(at);
    let picked = show.is_picked(at);
    let got = link.provider.as_ref().map(|it| name::provider(it, &link.deployment));
    html! {
        <li key={at} class={classes!("links-row", picked.then_some("picked"))}>
            <button type="button" class="links-row-pick" aria-pressed={picked.to_string()} title={title(link)} onclick={show.picks(Pick::Link(at))}>
                { outcome_mark(outcome, false) }
                <span class="links-job">{ link.job.clone().unwrap_or_default() }</span>
                <span class="links-link"><strong>{ &link.link }</strong>
                    if link.link != link.link_type { <span class="muted">{ format!(" {}", link.link_type) }</span> }
                </span>
                <span class="links-got">{ match got {
                    Some(got) => html! { <>{ "→ " }{ got }</> },
                    None => html! { <span class="links-none">{ reason(&link.sentence, outcome.word()) }</span> },
                } }</span>
            </button>
            if let Some(place) = &link.origin {
                <PlaceLink place={place.clone()} layers={show.layers.0.clone()} on_goto={show.on_goto.clone()} tabbable=false />
            }
        </li>
    }
}

/// All that a line may have no room for.
fn title(link: &LinkView) -> String {
    format!(
        "{} {} ({}): {}",
        name::consumer(link),
        link.link,
        link.link_type,
        reason(&link.sentence, link.outcome.word())
    )
}

fn reason(sentence: &str, word: &str) -> String {
    if sentence.is_empty() { word.to_owned() } else { sentence.replace('`', "") }
}

/// Up, Down, Home and End go from line to line.
fn walk(event: KeyboardEvent) {
    rove::by_key(&event, ".links-list", ".links-row-pick");
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, groups};

    #[test]
    fn links_stand_below_who_consumes_them() {
        let model = fixture::small();
        let reported = |links: &[usize]| -> Vec<_> {
            groups(&model, links).into_iter().map(|(owner, links)| (model.owner_name(owner), links)).collect()
        };
        let expected =
            [("web".into(), vec![0, 2]), ("router".into(), vec![1, 4]), ("db".to_owned(), vec![3])];
        assert_eq!(reported(&[0, 1, 2, 3, 4]), expected);
        assert_eq!(reported(&[]), []);
    }

    #[test]
    fn none_is_lost_of_many() {
        let model = fixture::generated(17, 150);
        let all: Vec<usize> = (0..150).collect();
        let groups = groups(&model, &all);
        assert_eq!((groups.len(), groups.iter().map(|(_, links)| links.len()).sum::<usize>()), (17, 150));
    }
}

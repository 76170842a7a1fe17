//! The overview of all links: the links to fix, and likely problems.

use workspace::view::words::count;
use workspace::view::{LatentView, LinkOutcome, LinkProfile, LinksView};
use yew::prelude::*;

use super::{part, provider_link};
use crate::views::links::{list::row, model::Model, show::Show};

pub(super) fn all(show: &Show) -> Html {
    let view = &show.model.view;
    let failed: Vec<usize> =
        (0..view.links.len()).filter(|at| show.model.outcome(*at).is_failure()).collect();
    html! {
        <>
            <p>{ sentence(&show.model) }</p>
            if !failed.is_empty() {
                { part("To fix", html! { <ul class="links-rows">{ for failed.iter().map(|at| row(show, *at)) }</ul> }) }
            }
            if let Some(error) = view.error.as_ref().filter(|_| view.profile == LinkProfile::Bosh) {
                { part("Message of the director", html! { <pre class="links-said" tabindex="0">{ error }</pre> }) }
            }
            { latent(show, view) }
            { circles(view) }
            { without_spec(view) }
        </>
    }
}

/// `137 of 150 linked, 1 to fix`.
pub(super) fn title(model: &Model) -> String {
    let all: Vec<LinkOutcome> = model.view.links.iter().map(|it| it.outcome).collect();
    let linked = all.iter().filter(|it| **it == LinkOutcome::Linked).count();
    let failed = all.iter().filter(|it| it.is_failure()).count();
    let mend = if failed > 0 { format!(", {failed} to fix") } else { String::new() };
    format!("{linked} of {} linked{mend}", all.len())
}

/// `137 of 150 consumers have a provider; 12 absent, 1 ambiguous.`
fn sentence(model: &Model) -> String {
    let (all, linked) = (model.view.links.len(), model.count(LinkOutcome::Linked));
    let others = LinkOutcome::ALL
        .iter()
        .copied()
        .skip(1)
        .map(|it| (model.count(it), it.word()))
        .filter(|(n, _)| *n > 0);
    let others: Vec<String> = others.map(|(n, word)| format!("{n} {word}")).collect();
    let first = match all {
        0 => format!("{}, and no consumers.", count(model.view.providers.len(), "provider")),
        1 if linked == 1 => "The one consumer has a provider.".into(),
        _ if all == linked => format!("All {all} consumers have a provider."),
        _ => format!("{linked} of {} have a provider; {}.", count(all, "consumer"), others.join(", ")),
    };
    format!("{first} Select a link to see why.")
}

fn latent(show: &Show, view: &LinksView) -> Html {
    if view.latent.is_empty() {
        return Html::default();
    }
    let list = html! {
        <>
            <p class="muted">{ "Each is provided more than once and has no consumers: the next consumer \
                                has to name one." }</p>
            <ul class="links-names">{ for view.latent.iter().map(|it| conflict(show, it)) }</ul>
        </>
    };
    html! { <div class="links-latent">{ part(&count(view.latent.len(), "latent conflict"), list) }</div> }
}

fn conflict(show: &Show, it: &LatentView) -> Html {
    html! {
        <li>
            <strong>{ &it.link_type }</strong>
            <ul class="links-names">{ for it.providers.iter().map(|at| html! {
                <li>{ provider_link(show, *at, &it.deployment) }</li>
            }) }</ul>
        </li>
    }
}

fn circles(view: &LinksView) -> Html {
    if view.circles.is_empty() {
        return Html::default();
    }
    part(
        "Cycles",
        html! {
            <>
                <p class="muted">{ "They are connected by a cycle of links, which is allowed: links do \
                 not order resources." }</p>
                <ul class="links-names">{ for view.circles.iter().map(|it| html! { <li>{ it.join(", ") }</li> }) }</ul>
            </>
        },
    )
}

/// Jobs whose provided and consumed links are not known.
fn without_spec(view: &LinksView) -> Html {
    if view.jobs_without_spec.is_empty() {
        return Html::default();
    }
    let title = format!("{} without a spec", count(view.jobs_without_spec.len(), "job"));
    let list = html! {
        <details class="links-further">
            <summary>{ "Their links are not known. Add <release>__<job>.yml for each." }</summary>
            <ul class="links-names">{ for view.jobs_without_spec.iter().map(|(job, times)| html! {
                <li>{ job }if *times > 1 { <span class="muted">{ format!("×{times}") }</span> }</li>
            }) }</ul>
        </details>
    };
    part(&title, list)
}

#[cfg(test)]
mod tests {
    use super::{super::super::fixture, sentence, title};

    #[test]
    fn a_sentence_counts_what_became_of_all() {
        assert_eq!(title(&fixture::small()), "3 of 5 linked, 1 to fix");
        assert_eq!(title(&fixture::generated(17, 150)), "137 of 150 linked");
        let said = sentence(&fixture::small());
        assert!(said.starts_with("3 of 5 consumers have a provider; 1 absent, 1 ambiguous."), "{said}");
        let large = sentence(&fixture::generated(17, 150));
        assert!(large.starts_with("137 of 150 consumers have a provider; 13 absent."), "{large}");
    }
}

//! The explanation of one link: the provider that its consumer got, and the reason.

use workspace::view::{CandidateView, LinkProfile, LinkView, Verdict};
use yew::prelude::*;

use super::{content::content, part, place, provider_link, tag};
use crate::views::{
    links::{name, outcome::outcome_mark, show::Show},
    prose::prose,
};

pub(super) fn link(show: &Show, at: usize) -> Html {
    let Some(link) = show.model.link(at) else { return Html::default() };
    html! {
        <>
            <p class="links-what"><strong>{ &link.link }</strong>
                <span class="muted">{ format!("of type {}", link.link_type) }</span>
                if link.optional { { tag("optional") } }
                if link.explicit { { tag("explicit") } }
            </p>
            <p class="links-line"><span>{ format!("requested by {}", name::consumer(link)) }</span>
                { place(show, link.origin.as_ref()) }</p>
            <p class="links-outcome">{ outcome_mark(link.outcome, true) }<span>{ prose(&link.sentence) }</span></p>
            { got(show, link) }
            { considered(show, link) }
            { link.content.as_ref().map(|json| part("What it receives", content(json))).unwrap_or_default() }
            { link.error.as_ref().filter(|_| show.model.view.profile == LinkProfile::Bosh).map(|text| part("Message of the director", html! { <pre class="links-said">{ text }</pre> }))
                .unwrap_or_default() }
        </>
    }
}

fn got(show: &Show, link: &LinkView) -> Html {
    let Some(at) = link.provider_index else { return Html::default() };
    let origin = show.model.provider(at).and_then(|it| it.origin.as_ref());
    html! {
        <p class="links-line"><span>{ "gets " }{ provider_link(show, at, &link.deployment) }</span>{ place(show, origin) }</p>
    }
}

/// The providers that were considered, and the first rule that each did not meet.
fn considered(show: &Show, link: &LinkView) -> Html {
    if link.considered.is_empty() {
        return part("Considered", html! { <p class="muted">{ "None: no provider has that type." }</p> });
    }
    let list = html! {
        <ol class="links-considered">
            { for link.considered.iter().map(|it| candidate(show, link, it)) }
            if link.considered_more > 0 { <li class="muted">{ format!("and {} more", link.considered_more) }</li> }
        </ol>
    };
    part("Considered", list)
}

fn candidate(show: &Show, link: &LinkView, it: &CandidateView) -> Html {
    let won = link.provider_index == Some(it.provider_index);
    let (symbol, class) = verdict(it.verdict, won);
    let origin = show.model.provider(it.provider_index).and_then(|it| it.origin.as_ref());
    html! {
        <li class={classes!("links-candidate", won.then_some("won"))}>
            <span class={classes!("outcome-symbol", class)} aria-hidden="true">{ symbol }</span>
            <span class="links-who">{ provider_link(show, it.provider_index, &link.deployment) }
                <span class="links-verdict">{ words(it.verdict, won) }</span></span>
            { place(show, origin) }
            <span class="links-because">{ prose(&it.sentence) }</span>
        </li>
    }
}

const fn verdict(verdict: Verdict, won: bool) -> (&'static str, &'static str) {
    match (won, verdict) {
        (true, _) => ("✓", "verdict-won"),
        (false, Verdict::Matched) => ("=", "verdict-matched"),
        (false, _) => ("✕", "verdict-lost"),
    }
}

/// `wrong_name` as `wrong name`; the provider that won is said to be chosen.
fn words(verdict: Verdict, won: bool) -> String {
    if won { "chosen".into() } else { verdict.label() }
}

#[cfg(test)]
mod tests {
    use super::{Verdict, verdict, words};

    #[test]
    fn chosen_and_matched_candidates_look_different() {
        assert_eq!(
            (verdict(Verdict::Matched, true).0, words(Verdict::Matched, true)),
            ("✓", "chosen".into())
        );
        assert_eq!(
            (verdict(Verdict::Matched, false).0, words(Verdict::Matched, false)),
            ("=", "matched".into())
        );
        assert_eq!(
            (verdict(Verdict::WrongName, false).0, words(Verdict::WrongName, false)),
            ("✕", "wrong name".into())
        );
    }
}

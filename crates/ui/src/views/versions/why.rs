//! The reason for a version: the candidates in order of preference, and the facts that excluded each of the earlier
//! ones.

use std::rc::Rc;

use workspace::view::{ConsideredView, MoveView, Outcome, SelectedView};
use yew::prelude::*;

use super::{VersionsQuestion, changes, fact, left_out::left_out, show::Show};
use crate::views::{place::PlaceLink, problems::sentence, prose::prose};

/// The number of candidates after the chosen one that are shown at once.
const LATER: usize = 3;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct WhyProps {
    pub(super) show: Show,
    pub(super) chosen: SelectedView,
}

#[component]
pub(super) fn Why(props: &WhyProps) -> Html {
    let all = use_state_eq(|| false);
    let WhyProps { show, chosen } = props;
    let at = chosen.considered.iter().position(|it| it.chosen);
    let shown = if *all { usize::MAX } else { at.map_or(0, |at| at + 1) + LATER };
    let more = chosen.considered.len().saturating_sub(shown);
    let show_all = Callback::from({
        let all = all.clone();
        move |_: MouseEvent| all.set(true)
    });
    html! {
        <div class="versions-why">
            <p class="versions-about">
                if let Some(place) = &chosen.origin {
                    <PlaceLink place={place.clone()} layers={show.layers.0.clone()} on_goto={show.on_goto.clone()} />
                }
                if !chosen.package.is_empty() {
                    <button type="button" class="link" onclick={show.opens(&chosen.package)}>{ "Upgrade graph" }</button>
                }
                if !chosen.image.is_empty() { <code class="versions-image">{ &chosen.image }</code> }
            </p>
            if !chosen.considered.is_empty() {
                <h4>{ "Why this version" }</h4>
                <ol class="versions-considered">
                    { for chosen.considered.iter().enumerate().take(shown).map(|(nr, it)| html! {
                        <Candidate key={it.id.clone()} show={show.clone()} candidate={it.clone()} later={at.is_some_and(|at| nr > at)} />
                    }) }
                </ol>
                if more > 0 {
                    <button type="button" class="plan-more versions-more" onclick={show_all}>{ format!("Show {more} more that come after") }</button>
                }
            }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct CandidateProps {
    show: Show,
    candidate: ConsideredView,
    /// It comes after the one that was taken.
    later: bool,
}

#[component]
fn Candidate(props: &CandidateProps) -> Html {
    let CandidateProps { show, candidate: it, later } = props;
    let (sign, class, word) = match (it.chosen, *later) {
        (true, _) => ("✓", "verdict-won", "chosen"),
        (false, true) => ("·", "verdict-lost", "comes after"),
        (false, false) => ("✕", "verdict-lost", "ruled out"),
    };
    html! {
        <li class={classes!("versions-candidate", it.chosen.then_some("won"))}>
            <p class="versions-line">
                <span class={classes!("outcome-symbol", class)} aria-hidden="true">{ sign }</span>
                <strong class="versions-name">{ &it.version }</strong>
                <span class="muted">{ channel(&it.id) }</span>
                <span class="versions-verdict">{ word }</span>
                if let Some(place) = &it.origin {
                    <PlaceLink place={place.clone()} layers={show.layers.0.clone()} on_goto={show.on_goto.clone()} />
                }
            </p>
            { for it.ruled_out_by.iter().map(|it| fact::fact(show, it)) }
            if !it.chosen { <WouldMove show={show.clone()} id={it.id.clone()} /> }
        </li>
    }
}

/// The channel in an id `catalog:package:version:channel`.
fn channel(id: &str) -> String {
    id.split(':').nth(3).unwrap_or_default().to_owned()
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct WouldMoveProps {
    pub(super) show: Show,
    pub(super) id: String,
}

/// A button that asks for the changes needed for a bundle to be chosen, and the answer in its place.
#[component]
pub(super) fn WouldMove(props: &WouldMoveProps) -> Html {
    let answer = use_state_eq(|| None::<Rc<MoveView>>);
    let requested = (props.show.view.clone(), props.id.clone());
    use_effect_with(requested, {
        let answer = answer.setter();
        // It was an answer about other files.
        move |_| answer.set(None)
    });
    let onclick = {
        let (on_ask, id, answer) = (props.show.on_ask.clone(), props.id.clone(), answer.setter());
        Callback::from(move |_: MouseEvent| {
            let answer = answer.clone();
            let then = Callback::from(move |now| answer.set(Some(now)));
            on_ask.emit(VersionsQuestion::Move { id: id.clone(), then });
        })
    };
    let Some(answer) = &*answer else {
        return html! {
            <button type="button" class="quiet-button versions-ask" {onclick}>{ "Show what would have to change" }</button>
        };
    };
    let can = answer.outcome == Outcome::Solved;
    html! {
        <div class={classes!("versions-move", (!can).then_some("versions-cannot"))} role="status">
            <p><span aria-hidden="true">{ if can { "→ " } else { "✕ " } }</span>{ prose(&sentence(&answer.sentence)) }</p>
            if !answer.changes.is_empty() { { changes::list(&answer.changes) } }
            if !answer.conflict.is_empty() { { fact::chain(&props.show, &answer.conflict) } }
            { left_out(&answer.left_out) }
        </div>
    }
}

//! The reasons why there is no answer: facts that exclude one another, and possible fixes.

use workspace::view::{ConflictView, FixView, ResolutionFixView};
use yew::prelude::*;

use super::{fact::chain, name, show::Show};
use crate::views::{
    problems::{Fix, sentence},
    prose::prose,
};

/// A card for each conflict, and below them the possible fixes.
pub(super) fn conflicts(show: &Show) -> Html {
    let view = &show.view;
    let all = reported(&view.conflicts, &view.conflict);
    if all.is_empty() && view.fixes.is_empty() {
        return Html::default();
    }
    html! {
        <section class="versions-part" aria-label="Conflicts">
            { for all.iter().enumerate().map(|(at, it)| card(show, at, all.len(), it)) }
            if !view.fixes.is_empty() {
                <h3 class="versions-title">{ "Possible fixes" }</h3>
                <p class="versions-note">{ "Each was verified: with it there is a solution." }</p>
                <ul class="versions-fixes">{ for view.fixes.iter().map(|it| html! { <li>{ fix(show, it) }</li> }) }</ul>
            }
        </section>
    }
}

/// The conflicts; the first one alone where nothing more is shown.
fn reported(conflicts: &[ConflictView], first: &[workspace::view::FactView]) -> Vec<ConflictView> {
    if conflicts.is_empty() && !first.is_empty() {
        return vec![ConflictView { summary: String::new(), facts: first.to_vec() }];
    }
    conflicts.to_vec()
}

fn card(show: &Show, at: usize, count: usize, conflict: &ConflictView) -> Html {
    let title = if count > 1 { format!("Conflict {} of {count}", at + 1) } else { "Conflict".into() };
    html! {
        <article class="versions-conflict">
            <h3>{ title }</h3>
            if !conflict.summary.is_empty() { <p class="versions-summary">{ prose(&sentence(&conflict.summary)) }</p> }
            { chain(show, &conflict.facts) }
        </article>
    }
}

fn fix(show: &Show, it: &ResolutionFixView) -> Html {
    let then: Vec<String> = it.selection.iter().map(|id| name::of_id(id)).collect();
    let then = (!then.is_empty()).then(|| format!("Then chosen: {}", then.join(", ")));
    html! {
        <>
            if it.edits.is_empty() {
                <p class="versions-advice">{ prose(&it.title) }</p>
            } else {
                <Fix fix={FixView { title: it.title.clone(), edits: it.edits.clone() }} apply={true}
                    files={show.files.0.clone()} on_fix={show.on_event.reform(super::VersionsEvent::Fix)} />
            }
            if let Some(then) = then { <p class="versions-note">{ then }</p> }
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, reported};

    #[test]
    fn a_conflict_without_a_summary_is_still_shown() {
        let view = fixture::unsolvable();
        assert_eq!(reported(&view.conflicts, &view.conflict).len(), 1);
        let alone = reported(&[], &view.conflict);
        assert_eq!(alone.first().map(|it| it.facts.len()), Some(view.conflict.len()));
        assert!(reported(&[], &[]).is_empty());
    }
}

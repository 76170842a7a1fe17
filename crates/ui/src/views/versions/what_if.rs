//! The selection that would result if requirements asked for other versions: resolved while the user types, and shown
//! before anything is written.

use std::rc::Rc;

use gloo::timers::callback::Timeout;
use workspace::view::{Outcome, ResolutionView, Severity};
use yew::prelude::*;

use super::{VersionsQuestion, changes, fact::chain, left_out::left_out, show::Show};
use crate::views::{problems::sentence, prose::prose};

/// Other versions that requirements might ask for: the requirement's name and the range. The last one typed comes last.
pub(super) type Ranges = Vec<(String, String)>;

/// The ranges that are tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Draft {
    pub(super) ranges: Ranges,
    /// The selection for the latest ranges that were answered.
    answer: Option<Rc<ResolutionView>>,
}

impl Draft {
    /// The range that a requirement is tried with.
    pub(super) fn of(&self, requirement: &str) -> Option<&str> {
        self.ranges.iter().find(|(name, _)| name == requirement).map(|(_, version)| version.as_str())
    }

    /// True if the outcome is shown below a requirement.
    pub(super) fn is_shown_at(&self, requirement: &str) -> bool {
        self.ranges.last().is_some_and(|(name, _)| name == requirement)
    }

    /// The ranges with another one for a requirement; without one for it where there is `None`.
    pub(super) fn with(&self, requirement: &str, version: Option<String>) -> Ranges {
        let others = self.ranges.iter().filter(|(name, _)| name != requirement).cloned();
        others.chain(version.map(|version| (requirement.to_owned(), version))).collect()
    }
}

/// The pause after the last keystroke before the engine is asked, in milliseconds.
const PAUSE: u32 = 120;

/// The draft, and the callback that takes new ranges.
#[hook]
pub(super) fn use_draft(show: &Show) -> (Draft, Callback<Ranges>) {
    let draft = use_state_eq(Draft::default);
    let latest = use_mut_ref(Ranges::new);
    let timer = use_mut_ref(|| None::<Timeout>);
    let ask = {
        let (draft, latest, on_ask) = (draft.setter(), latest.clone(), show.on_ask.clone());
        Callback::from(move |ranges: Ranges| {
            let (draft, latest, on_ask) = (draft.clone(), latest.clone(), on_ask.clone());
            let timeout = Timeout::new(PAUSE, move || {
                let requested = ranges.clone();
                let then = Callback::from(move |answer: Rc<ResolutionView>| {
                    // An answer to an earlier text is dropped.
                    if *latest.borrow() == requested {
                        draft.set(Draft { ranges: requested.clone(), answer: Some(answer) });
                    }
                });
                on_ask.emit(VersionsQuestion::If { ranges, then });
            });
            timer.replace(Some(timeout));
        })
    };
    let take = {
        let (draft, latest, ask) = (draft.clone(), latest.clone(), ask.clone());
        Callback::from(move |ranges: Ranges| {
            latest.replace(ranges.clone());
            let answer = draft.answer.clone().filter(|_| !ranges.is_empty());
            draft.set(Draft { ranges: ranges.clone(), answer });
            ask.emit(ranges);
        })
    };
    // The files may change under a draft.
    use_effect_with(show.view.clone(), move |_| {
        let ranges = latest.borrow().clone();
        if !ranges.is_empty() {
            ask.emit(ranges);
        }
    });
    ((*draft).clone(), take)
}

/// The selection for the ranges that are tried, as differences from the current one.
pub(super) fn outcome(show: &Show, draft: &Draft) -> Html {
    let Some(answer) = &draft.answer else {
        return html! { <p class="versions-note" aria-busy="true">{ "Trying" }</p> };
    };
    if answer.outcome != Outcome::Solved {
        return stands_against(show, answer);
    }
    let differences = changes::between(&show.view.selection, &answer.selection);
    if differences.is_empty() {
        return html! { <p class="versions-note">{ "The same would be chosen." }</p> };
    }
    let said = if show.view.selection.is_empty() { "Would be chosen:" } else { "Would be chosen instead:" };
    html! { <><p class="versions-note">{ said }</p>{ changes::list(&differences) }{ left_out(&answer.left_out) }</> }
}

/// The first reason why there would be no answer.
fn stands_against(show: &Show, answer: &ResolutionView) -> Html {
    let first = answer.conflicts.first();
    let facts = first.map_or(&answer.conflict, |it| &it.facts);
    let summary = first.map(|it| &it.summary).filter(|it| !it.is_empty());
    let wrong =
        answer.diagnostics.iter().find(|it| it.severity == Severity::Error).filter(|_| facts.is_empty());
    let said = summary.or(wrong.map(|it| &it.message)).unwrap_or(&answer.sentence);
    html! {
        <>
            <p class="versions-no"><span aria-hidden="true">{ "✕ " }</span>{ prose(&sentence(said)) }</p>
            { chain(show, facts) }
            { left_out(&answer.left_out) }
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::Draft;

    #[test]
    fn several_ranges_are_tried_together_and_shown_at_the_last_one() {
        let mut draft = Draft::default();
        draft.ranges = draft.with("a", Some("1".into()));
        draft.ranges = draft.with("b", Some("2".into()));
        draft.ranges = draft.with("a", Some("3".into()));
        assert_eq!((draft.of("a"), draft.of("b"), draft.of("c")), (Some("3"), Some("2"), None));
        assert!(draft.is_shown_at("a") && !draft.is_shown_at("b"));
        draft.ranges = draft.with("a", None);
        assert!(draft.is_shown_at("b") && draft.of("a").is_none());
    }
}

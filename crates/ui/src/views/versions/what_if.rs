//! What would be chosen if a requirement asked for other versions: asked while one types, and shown before anything is
//! written.

use std::rc::Rc;

use gloo::timers::callback::Timeout;
use workspace::view::ResolutionView;
use yew::prelude::*;

use super::{VersionsQuestion, changes, fact::chain, show::Show};
use crate::views::prose::prose;

/// Other versions that a requirement might ask for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draft {
    /// The requirement's name.
    pub(super) requirement: String,
    /// Which versions.
    pub(super) version: String,
    /// What would be chosen: of the latest text that was answered.
    pub(super) answer: Option<Rc<ResolutionView>>,
}

/// How long one may go on typing before it is asked, in milliseconds.
const PAUSE: u32 = 120;

/// The draft, and what takes a new one in.
#[hook]
pub(super) fn use_draft(show: &Show) -> (Option<Draft>, Callback<Option<(String, String)>>) {
    let draft = use_state_eq(|| None::<Draft>);
    let latest = use_mut_ref(|| None::<(String, String)>);
    let timer = use_mut_ref(|| None::<Timeout>);
    let ask = {
        let (draft, latest, timer, on_ask) =
            (draft.setter(), latest.clone(), timer.clone(), show.on_ask.clone());
        Callback::from(move |(requirement, version): (String, String)| {
            let (draft, latest, on_ask) = (draft.clone(), latest.clone(), on_ask.clone());
            timer.replace(Some(Timeout::new(PAUSE, move || {
                let then = {
                    let asked = (requirement.clone(), version.clone());
                    Callback::from(move |answer: Rc<ResolutionView>| {
                        // Whoever went on typing is told of what stands there now.
                        if latest.borrow().as_ref() == Some(&asked) {
                            let (requirement, version) = asked.clone();
                            draft.set(Some(Draft { requirement, version, answer: Some(answer) }));
                        }
                    })
                };
                on_ask.emit(VersionsQuestion::If { requirement, version, then });
            })));
        })
    };
    let take = {
        let (draft, latest, timer, ask) = (draft.clone(), latest.clone(), timer, ask.clone());
        Callback::from(move |next: Option<(String, String)>| {
            latest.replace(next.clone());
            let Some((requirement, version)) = next else {
                timer.replace(None);
                return draft.set(None);
            };
            let before = draft.as_ref().filter(|it| it.requirement == requirement);
            let answer = before.and_then(|it| it.answer.clone());
            draft.set(Some(Draft { requirement: requirement.clone(), version: version.clone(), answer }));
            ask.emit((requirement, version));
        })
    };
    // The files may change under a draft.
    use_effect_with(show.view.clone(), move |_| {
        let asked = latest.borrow().clone();
        if let Some(asked) = asked {
            ask.emit(asked);
        }
    });
    ((*draft).clone(), take)
}

/// What would be chosen, as it differs from what is.
pub(super) fn outcome(show: &Show, draft: &Draft) -> Html {
    let Some(answer) = &draft.answer else {
        return html! { <p class="versions-note" aria-busy="true">{ "Trying" }</p> };
    };
    if answer.outcome != "solved" {
        let first = answer.conflicts.first();
        let facts = first.map_or(&answer.conflict, |it| &it.facts);
        let said = first.map(|it| &it.summary).filter(|it| !it.is_empty()).unwrap_or(&answer.sentence);
        let wrong = answer.diagnostics.iter().find(|it| it.severity == "error").filter(|_| facts.is_empty());
        return html! {
            <>
                <p class="versions-no"><span aria-hidden="true">{ "✕ " }</span>{ prose(wrong.map_or(said, |it| &it.message)) }</p>
                { chain(show, facts) }
            </>
        };
    }
    // What cannot be had now has nothing to be compared with.
    let differences = changes::between(&show.view.selection, &answer.selection);
    if differences.is_empty() {
        return html! { <p class="versions-note">{ "The same would be chosen." }</p> };
    }
    html! { <><p class="versions-note">{ "Would be chosen instead:" }</p>{ changes::list(&differences) }</> }
}

//! The requirements, the selection, and the conflicts.

use workspace::view::words::count;
use workspace::view::{FixView, Outcome, ResolutionView, VersionChangeKind};
use yew::prelude::*;

use super::{
    VersionsEvent, changes, conflicts::conflicts, left_out::left_out, requirements::Requirements,
    selection::Selection, show::Show,
};
use crate::{
    IconName,
    views::{
        problems::{Fix, ProblemRow, sentence},
        prose::prose,
    },
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ResolutionProps {
    pub(super) show: Show,
}

#[component]
pub(super) fn Resolution(props: &ResolutionProps) -> Html {
    let show = &props.show;
    let open = use_state_eq(|| None::<String>);
    let on_look = {
        let open = open.setter();
        Callback::from(move |id| open.set(Some(id)))
    };
    let on_open = {
        let open = open.setter();
        Callback::from(move |id| open.set(id))
    };
    html! {
        <div class="pane-scroll versions-all" tabindex="0" role="region" aria-label="Required and selected packages">
            { head(&show.view) }
            { refused(show) }
            { conflicts(show) }
            { left_out(&show.view.left_out) }
            <section class="versions-part">
                <h3 class="versions-title">{ "Required" }<span class="count">{ show.view.requirements.len() }</span></h3>
                <Requirements show={show.clone()} {on_look} />
            </section>
            if !show.view.selection.is_empty() || show.view.outcome == Outcome::Solved {
                <section class="versions-part">
                    <h3 class="versions-title">{ "Chosen" }<span class="count">{ show.view.selection.len() }</span>
                        { moved(&show.view) }</h3>
                    <Selection show={show.clone()} open={(*open).clone()} {on_open} />
                </section>
            }
            { status(show) }
        </div>
    }
}

fn head(view: &ResolutionView) -> Html {
    let (icon, class) = match view.outcome {
        Outcome::Solved => (IconName::Check, "versions-solved"),
        Outcome::Unsolvable => (IconName::Close, "versions-failed"),
        Outcome::Refused => (IconName::Error, "versions-failed"),
        Outcome::Stopped => (IconName::Clock, "versions-stopped"),
        Outcome::Empty => (IconName::Versions, "versions-idle"),
    };
    html! { <p class={classes!("versions-sentence", class)}>{ icon.html() }<span>{ prose(&sentence(&view.sentence)) }</span></p> }
}

/// The errors of requirements that are invalid in themselves.
fn refused(show: &Show) -> Html {
    if show.view.outcome != Outcome::Refused {
        return Html::default();
    }
    html! {
        <ul class="versions-refused">{ for show.view.diagnostics.iter().map(|problem| html! {
            <ProblemRow problem={problem.clone()} layers={show.layers.0.clone()} files={show.files.0.clone()}
                on_goto={show.on_goto.clone()} on_fix={show.on_event.reform(VersionsEvent::Fix)} />
        }) }</ul>
    }
}

/// `2 up, 1 added` beside the heading, and removed packages in full: they have no row.
fn moved(view: &ResolutionView) -> Html {
    // Where nothing was there before, all is new, and there is nothing to tell.
    if view.changes.len() == view.selection.len()
        && view.changes.iter().all(|it| it.change == VersionChangeKind::Added)
    {
        return Html::default();
    }
    let of = |what| view.changes.iter().filter(|it| it.change == what).count();
    let reported: Vec<String> = VersionChangeKind::ALL
        .iter()
        .map(|it| (of(*it), it.word()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    if reported.is_empty() {
        return Html::default();
    }
    html! {
        <>
            <span class="versions-moved" title="Changes from the locked or installed versions">{ reported.join(", ") }</span>
            { for view.changes.iter().filter(|it| it.change == VersionChangeKind::Removed).map(changes::one) }
        </>
    }
}

/// Edits that write the outcome where it was requested.
fn status(show: &Show) -> Html {
    if show.view.status.is_empty() {
        return Html::default();
    }
    let fix = FixView {
        title: format!("Write the outcome into its status ({})", count(show.view.status.len(), "edit")),
        edits: show.view.status.clone(),
    };
    html! {
        <section class="versions-part versions-status">
            <Fix {fix} files={show.files.0.clone()} on_fix={show.on_event.reform(VersionsEvent::Fix)} />
        </section>
    }
}

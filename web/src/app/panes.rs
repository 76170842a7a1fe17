//! The views, and what they say while they have nothing to show.

mod commands;
mod controllers;
mod decoded;
mod graph;
mod links;
mod merged;
mod plan;
mod problems;
mod recorded;
mod review;
mod versions;

use ui::{TabCount, tabs};
use yew::prelude::*;

use super::lazy::{Lazy, Page, View};
use crate::{
    inputs,
    state::{Action, State},
};

pub use commands::{palette, shortcuts};
pub use controllers::view as controllers;
pub use links::view as links;
pub use merged::view as merged;
pub use plan::view as plan;
pub use problems::list as problem_list;
pub(super) use problems::view as problems;
pub use recorded::view as recorded;
pub use review::{connect, review};
pub use versions::view as versions;

/// The tabs and the open view.
pub(super) fn views(page: &Page) -> Html {
    let state = page.context.state();
    let tab = state.screen.tab;
    html! {
        <>
            { tabs(tab, counts(state), &page.context.does(Action::Show)) }
            <div class="panel" role="tabpanel" id={format!("panel-{}", tab.id())}
                aria-labelledby={format!("tab-{}", tab.id())}>
                if let Some(view) = View::of(tab) {
                    <Lazy key={tab.id()} {view} page={page.clone()} />
                } else {
                    { graph::view(page) }
                }
            </div>
        </>
    }
}

/// How much is in each view; nothing is said before it is known, and of a state that was not given.
pub(super) fn counts(state: &State) -> [TabCount; 7] {
    let answers = &state.answers;
    let known = answers.check.is_some() && !state.document.files.is_blank();
    let actions = state.plan().map(|plan| {
        let summary = &plan.summary;
        summary.create + summary.update + summary.rebuild + summary.destroy
    });
    let recorded = state.document.inputs.state.as_ref().or(state.applying.recorded.as_ref());
    let recorded = recorded.map(|input| inputs::count(input));
    let counts = &answers.counts;
    let links = TabCount {
        count: known.then_some(counts.links),
        failed: if known { counts.links_failed } else { 0 },
    };
    let versions = TabCount {
        count: known.then_some(counts.versions),
        failed: if known { counts.versions_failed } else { 0 },
    };
    let (resources, overrides) = (known.then_some(counts.resources), known.then_some(counts.overrides));
    [resources.into(), overrides.into(), actions.into(), links, versions, recorded.into(), None.into()]
}

fn nothing(line: &'static str) -> Html {
    html! { <div class="pane pane-empty"><p>{ line }</p></div> }
}

/// Says nothing for a moment: most answers are there before it could be read.
pub(super) fn waiting() -> Html {
    html! { <div class="pane pane-empty pane-waiting" aria-busy="true"><p>{ "Reading the files" }</p></div> }
}

/// Says that the code of a view could not be loaded.
pub(super) fn failed(again: &Callback<MouseEvent>) -> Html {
    html! {
        <div class="pane pane-empty" role="alert">
            <p>{ "This view could not be loaded. Everything else works, and your files are safe." }</p>
            <button type="button" class="button" onclick={again}>{ "Try again" }</button>
        </div>
    }
}

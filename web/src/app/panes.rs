//! The views, and what they say while they have nothing to show.

mod commands;
mod comparison;
mod controllers;
mod decoded;
mod environments;
mod folder;
mod format;
mod gallery;
mod graph;
mod links;
mod merged;
mod places;
mod plan;
mod problems;
mod recorded;
mod refactor;
mod review;
mod served;
mod services;
mod sharing;
mod versions;
mod why;
mod workspaces;

use ui::{Tab, TabCount, tabs};
use yew::prelude::*;

use super::lazy::{Lazy, Page, View};
use crate::{
    inputs,
    state::{Action, State},
};

pub use commands::{palette, shortcuts};
pub use comparison::view as comparison;
pub use controllers::view as controllers;
pub use environments::view as environments;
pub use folder::{folder, save_folder};
pub use format::format;
pub use gallery::{empty, gallery};
pub use graph::view as graph;
pub use links::view as links;
pub use merged::view as merged;
pub use plan::{run, view as plan};
pub use problems::list as problem_list;
pub(super) use problems::view as problems;
pub use recorded::view as recorded;
pub use refactor::{outline, references, rename};
pub use review::{connect, review};
pub use served::{open as open_served, view as served};
pub use services::view as services;
pub use sharing::sharing;
pub use versions::view as versions;
pub use why::why;
pub use workspaces::workspaces;

/// The tabs and the open view.
pub(super) fn views(page: &Page) -> Html {
    let state = page.context.state();
    let tab = state.screen.tab;
    html! {
        <>
            { tabs(tab, |tab| count(state, tab), &page.context.does(Action::Show)) }
            <div class="panel" role="tabpanel" id={format!("panel-{}", tab.id())}
                aria-labelledby={format!("tab-{}", tab.id())}>
                <h2 class="visually-hidden">{ tab.title() }</h2>
                <Lazy key={tab.id()} view={View::of(tab)} page={page.clone()} />
            </div>
        </>
    }
}

/// The number of items in a view; none before it is known, or for a state that was not given.
pub(super) fn count(state: &State, tab: Tab) -> TabCount {
    let counts = &state.answers.counts;
    let known = state.answers.check.is_some() && !state.document.files.is_blank();
    let of =
        |count, failed| if known { TabCount { count: Some(count), failed } } else { TabCount::default() };
    match tab {
        Tab::Graph => of(counts.resources, 0),
        Tab::Merged => of(counts.overrides, 0),
        Tab::Plan => actions(state).into(),
        Tab::Links => of(counts.links, counts.links_failed),
        Tab::Versions => of(counts.versions, counts.versions_failed),
        Tab::State => recorded_resources(state).into(),
        Tab::Compare | Tab::Controllers => TabCount::default(),
        Tab::Services => of(counts.services, 0),
    }
}

fn actions(state: &State) -> Option<usize> {
    Some(state.plan()?.summary.changes())
}

fn recorded_resources(state: &State) -> Option<usize> {
    let recorded = state.document.inputs.state.as_ref().or(state.applying.recorded.as_ref())?;
    Some(inputs::count(recorded))
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

//! The problems below everything.

use ui::views::{ProblemsPane, no_problems};
use yew::prelude::*;

use crate::{
    app::lazy::{self, Lazy, Page, View},
    state::Action,
};

/// The problems; nothing before the files were read.
pub(in crate::app) fn view(page: &Page) -> Html {
    match &page.check {
        // Once it is there the list stays: it knows which severities are hidden.
        Some(check) if check.diagnostics.is_empty() && !lazy::is_loaded(View::Problems) => no_problems(),
        Some(_) => html! { <Lazy key="problems" view={View::Problems} page={page.clone()} /> },
        None => super::waiting(),
    }
}

/// The list of the problems there are.
pub fn list(page: &Page) -> Html {
    let context = &page.context;
    let Some(check) = &page.check else { return super::waiting() };
    let on_fix = context.callback(|context, fix| context.fix(&fix));
    html! {
        <ProblemsPane check={check.clone()} layers={page.layers.clone()} files={page.texts.clone()}
            on_goto={context.does(Action::Goto)} {on_fix} />
    }
}

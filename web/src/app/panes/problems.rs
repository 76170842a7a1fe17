//! The problems below everything.

use ui::views::ProblemsPane;
use yew::prelude::*;

use crate::{app::lazy::Page, state::Action};

/// The problems; nothing before the files were read.
pub(in crate::app) fn view(page: &Page) -> Html {
    let context = &page.context;
    let on_fix = {
        let context = context.clone();
        Callback::from(move |fix| context.fix(&fix))
    };
    match &page.check {
        Some(check) => html! {
            <ProblemsPane check={check.clone()} layers={page.layers.clone()} files={page.texts.clone()}
                on_goto={context.does(Action::Goto)} {on_fix} />
        },
        None => super::waiting(),
    }
}

//! The Links view.

use std::rc::Rc;

use ui::views::LinksPane;
use yew::prelude::*;

use super::{decoded::use_decoded, waiting};
use crate::{
    app::lazy::Page,
    examples,
    state::{Action, Inputs},
};

/// The Links view.
pub fn view(page: &Page) -> Html {
    html! { <Links page={page.clone()} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct LinksProps {
    page: Page,
}

#[component]
fn Links(LinksProps { page }: &LinksProps) -> Html {
    let (context, state) = (&page.context, page.context.state());
    let share = |(links, map)| (Rc::new(links), Rc::new(map));
    let Some((links, map)) = use_decoded(state.answers.links.as_ref(), share) else { return waiting() };
    let inputs = state.document.inputs.clone();
    let bosh = inputs.bosh;
    let on_bosh = context.does(move |bosh| Action::SetInputs(Inputs { bosh, ..inputs.clone() }));
    let on_example = {
        let context = context.clone();
        Callback::from(move |()| context.open_example(examples::LINKS))
    };
    html! {
        <LinksPane {links} {map} layers={page.layers.clone()}
            stale={state.answers.model_stale} {bosh} on_goto={context.does(Action::Goto)} {on_bosh} {on_example} />
    }
}

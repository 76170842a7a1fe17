//! The Graph view.

use ui::views::GraphPane;
use yew::prelude::*;

use super::{nothing, waiting};
use crate::{app::lazy::Page, state::Action};

/// The Graph view.
pub(super) fn view(page: &Page) -> Html {
    let (context, state) = (&page.context, page.context.state());
    match &state.answers.layout {
        Some(layout) if !layout.graph.nodes.is_empty() => html! {
            <GraphPane layout={layout.clone()} plan={state.plan().cloned()}
                steps={state.applying.shows_run().then(|| state.applying.steps.clone())} layers={page.layers.clone()}
                selected={state.resource.clone().map(AttrValue::from)} stale={state.answers.model_stale}
                on_goto={context.does(Action::Goto)}
                on_select={context.does(|address: String| Action::Look(Some(address.into())))} />
        },
        Some(_) => nothing("Declare a service or a network, and it is drawn here with its dependencies."),
        None => waiting(),
    }
}

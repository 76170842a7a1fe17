//! The Graph view.

use std::rc::Rc;

use ui::views::{GraphExport, GraphPane};
use workspace::view::GraphFormat;
use yew::prelude::*;

use super::{decoded::use_decoded, nothing, places::placing, waiting};
use crate::{
    app::{
        context::Context,
        lazy::{Page, use_graph_tools},
    },
    host,
    state::Action,
};

/// The Graph view.
pub fn view(page: &Page) -> Html {
    html! { <Graph page={page.clone()} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct GraphProps {
    page: Page,
}

#[component]
fn Graph(props: &GraphProps) -> Html {
    let (tools, on_tools) = use_graph_tools();
    let page = &props.page;
    let (context, state) = (&page.context, page.context.state());
    let Some(layout) = use_decoded(state.answers.layout.as_ref(), Rc::new) else { return waiting() };
    if layout.graph.nodes.is_empty() {
        return nothing("Declare a service or a network, and it is drawn here with its dependencies.");
    }
    let on_places = placing(context);
    let on_export = {
        let context = context.clone();
        Callback::from(move |what| export(&context, what))
    };
    html! {
        <GraphPane {layout} plan={state.plan().cloned()}
            steps={state.steps().cloned()} layers={page.layers.clone()}
            selected={state.resource.clone().map(AttrValue::from)} stale={state.answers.model_stale}
            {tools} {on_tools} {on_places} {on_export} on_goto={context.does(Action::Goto)}
            on_select={context.does(|address: String| Action::Look(Some(address.into())))} />
    }
}

/// Saves the graph as a file.
fn export(context: &Context, what: GraphExport) {
    match what {
        GraphExport::Png(blob) => host::download_blob("graph.png", blob.into()),
        GraphExport::Svg => context.save_graph(GraphFormat::Svg),
        GraphExport::Dot => context.save_graph(GraphFormat::Dot),
        GraphExport::Mermaid => context.save_graph(GraphFormat::Mermaid),
    }
}

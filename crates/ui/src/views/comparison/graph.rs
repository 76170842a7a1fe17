//! The graphs of both sides as one drawing.

use std::{cell::RefCell, rc::Rc};

use workspace::view::{ComparedGraphView, PlacesView, StateChange};
use yew::prelude::*;

use super::drawing::Drawing;
use crate::{
    IconName, tone_class,
    views::{
        PlacesQuestion, Same,
        graph::{Canvas, Model, Stage},
        same::use_stable,
    },
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ComparisonGraphProps {
    pub(super) graph: Same<ComparedGraphView>,
    pub(super) on_places: Callback<PlacesQuestion>,
    /// Called with the address of a resource that is clicked.
    pub(super) on_select: Callback<String>,
}

/// A drawing of every resource, or of those that differ and their neighbours where there are many.
#[component]
pub(super) fn ComparisonGraph(props: &ComparisonGraphProps) -> Html {
    let (all, selected) = (use_state_eq(|| false), use_state_eq(|| None::<String>));
    let stage = use_memo((), |()| RefCell::new(Stage::default()));
    let drawing = use_memo((props.graph.clone(), *all), |(graph, all)| Drawing::of(graph, *all));
    let Some(model) = use_placed(&drawing, &props.on_places) else {
        return html! { <div class="comparison-graph" /> };
    };
    let on_select = {
        let (selected, on_select) = (selected.setter(), props.on_select.clone());
        Callback::from(move |address: String| {
            selected.set(Some(address.clone()));
            on_select.emit(address);
        })
    };
    html! {
        <figure class="graph-figure comparison-graph" aria-label={summary(&props.graph, &drawing)}>
            <div class="graph-stage">
                { toggle(&all, &props.graph, &drawing) }
                <Canvas model={model.clone()} layers={Same::new(Vec::new())} stage={Same(stage)}
                    selected={selected.as_ref().and_then(|it| model.find(it))} center={None::<usize>} kept={None::<Same<_>>}
                    on_center={Callback::noop()} on_goto={Callback::noop()} {on_select} on_edge={Some(Callback::noop())} />
                { legend() }
            </div>
        </figure>
    }
}

/// The drawing at its places; the one before while they are being found.
#[hook]
fn use_placed(drawing: &Rc<Drawing>, on_places: &Callback<PlacesQuestion>) -> Option<Same<Model>> {
    let (placed, on_places) = (use_state(|| None::<Same<Model>>), use_stable(on_places));
    use_effect_with(Same(drawing.clone()), {
        let placed = placed.setter();
        move |drawing| {
            let (sizes, edges) = (drawing.sizes(), drawing.pairs());
            let drawing = drawing.clone();
            let then = Callback::from(move |places: Option<PlacesView>| {
                placed.set(places.map(|places| Same::new(drawing.placed(places))));
            });
            on_places.emit(PlacesQuestion { sizes, edges, then });
        }
    });
    (*placed).clone()
}

/// The switch between the differences and the whole graph; nothing where both are the same.
fn toggle(all: &UseStateHandle<bool>, graph: &ComparedGraphView, drawing: &Drawing) -> Html {
    if !**all && drawing.count() == graph.nodes.len() {
        return Html::default();
    }
    let onclick = {
        let all = all.clone();
        Callback::from(move |_: MouseEvent| all.set(!*all))
    };
    html! {
        <button type="button" class="filter-chip comparison-near" aria-pressed={(!**all).to_string()} {onclick}>
            { "Only what differs and its neighbours" }
            if !**all { { IconName::Close.html() } }
        </button>
    }
}

fn legend() -> Html {
    html! {
        <p class="graph-legend comparison-legend">{ for StateChange::ALL.iter().map(|it| html! {
            <span><span class={classes!("action-symbol", tone_class(it.tone()))} aria-hidden="true">{ it.symbol() }</span>
                { it.as_str() }</span>
        }) }</p>
    }
}

fn summary(graph: &ComparedGraphView, drawing: &Drawing) -> String {
    format!("Both graphs as one: {} of {} resources", drawing.count(), graph.nodes.len())
}

//! The graph pane: the resources and their dependencies, in waves from left to right, with the actions of the plan.
//!
//! The drawing is a canvas; above it are elements for the nodes that can be read, and an attribute, `data-drawn`, with
//! figures of what is on it. The parts that are not needed at first are in `tools`, which hosts may load later.

mod bar;
mod camera;
mod canvas;
mod curve;
mod drag;
mod hand;
mod held;
mod icon;
mod ink;
mod lens;
mod minimap;
mod model;
mod neighbours;
mod paint;
mod projected;
mod reach;
mod ripple;
mod scene;
mod stage;
mod theme;
mod tools;
mod walk;
mod waves;
mod zoom;

use std::{cell::RefCell, rc::Rc};

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use workspace::view::{LayoutView, LocationView, PlanView};
use yew::prelude::*;

use self::{
    bar::{Bar, BarProps},
    hand::Request,
    lens::Lens,
    projected::{Shown, use_projected},
    tools::{Open, Slot, ToolsProps},
};
pub(in crate::views) use self::{
    canvas::Canvas,
    model::{Connection, Dress, Edge, Model, Node, Sort, Standing, State},
    neighbours::Neighbours,
    stage::Stage,
};
pub use self::{
    lens::{GraphExport, GroupBy, PlacesQuestion},
    tools::{GraphTools, graph_tools},
};
use super::{
    Same,
    live::StepItem,
    place::stale_strip,
    rove,
    same::{use_same, use_stable},
};
use crate::{IconName, LayerBadge};

/// Properties of [`GraphPane`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct GraphPaneProps {
    /// The graph and where to draw it.
    pub layout: Rc<LayoutView>,
    /// The plan, for symbols and states.
    #[prop_or_default]
    pub plan: Option<Rc<PlanView>>,
    /// The steps of a run that is on screen.
    #[prop_or_default]
    pub steps: Option<Rc<Vec<StepItem>>>,
    /// The files, for badges and the filter.
    pub layers: Rc<Vec<LayerBadge>>,
    /// The address of the selected resource.
    #[prop_or_default]
    pub selected: Option<AttrValue>,
    /// The files cannot be read at the moment; this is the last graph.
    #[prop_or_default]
    pub stale: bool,
    /// The parts that load later, once they are there.
    #[prop_or_default]
    pub tools: Option<GraphTools>,
    /// Called when that is needed.
    #[prop_or_default]
    pub on_tools: Callback<()>,
    /// Called when a smaller graph needs places.
    #[prop_or_default]
    pub on_places: Callback<PlacesQuestion>,
    /// Called when the graph is to be saved.
    #[prop_or_default]
    pub on_export: Callback<GraphExport>,
    /// Called with the place of a node or edge that is clicked.
    pub on_goto: Callback<LocationView>,
    /// Called with the address of a node that is clicked.
    pub on_select: Callback<String>,
}

/// The dependency graph.
#[component]
pub fn GraphPane(props: &GraphPaneProps) -> Html {
    let (on_goto, on_select) = (use_stable(&props.on_goto), use_stable(&props.on_select));
    let (on_tools, on_places) = (use_stable(&props.on_tools), use_stable(&props.on_places));
    let on_export = use_stable(&props.on_export);
    let (layout, layers) = (use_same(&props.layout), use_same(&props.layers));
    let plan = use_same(&Rc::new(props.plan.clone()));
    let steps = use_same(&Rc::new(props.steps.clone()));
    let model = use_memo((layout, plan, steps), |(layout, plan, steps)| {
        Model::new(layout, plan.as_deref()).running(steps.as_deref().map_or(&[], Vec::as_slice))
    });
    let body = if model.nodes.is_empty() {
        html! {
            <div class="pane-empty">
                { IconName::Graph.html() }
                <p class="pane-empty-title">{ "No resources yet" }</p>
                <p>{ "Add a service, and it is drawn here with everything that it depends on." }</p>
            </div>
        }
    } else {
        html! {
            <Drawn model={Same(model)} {layers} selected={props.selected.clone()} tools={props.tools}
                on_tools={on_tools.clone()} {on_places} {on_export} {on_goto} {on_select} />
        }
    };
    html! {
        <section class="graph pane" aria-label="Graph" onmouseenter={on_tools.reform(|_: MouseEvent| ())}
            onfocusin={on_tools.reform(|_: FocusEvent| ())}>
            { stale_strip(props.stale) }
            { body }
        </section>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct DrawnProps {
    model: Same<Model>,
    layers: Same<Vec<LayerBadge>>,
    selected: Option<AttrValue>,
    tools: Option<GraphTools>,
    on_tools: Callback<()>,
    on_places: Callback<PlacesQuestion>,
    on_export: Callback<GraphExport>,
    on_goto: Callback<LocationView>,
    on_select: Callback<String>,
}

#[component]
fn Drawn(props: &DrawnProps) -> Html {
    let stage = Same(use_memo((), |()| RefCell::new(Stage::default())));
    let figure = use_node_ref();
    let center = use_state(|| None::<AttrValue>);
    let (lens, open) = (use_state(Lens::default), use_state(Open::default));
    let found = use_state(|| (0usize, 0u32));
    let (model, tools) = (&props.model, props.tools);
    use_effect_with(
        (*lens != Lens::default() || *open != Open::default(), props.on_tools.clone()),
        |(needed, load)| {
            if *needed {
                load.emit(());
            }
        },
    );
    let kept = use_memo((model.clone(), (*lens).clone(), tools.is_some()), |(model, lens, _)| {
        tools.and_then(|tools| (tools.keep)(model, lens)).map(Same::new)
    });
    let middle = center.as_ref().and_then(|address| model.find(address));
    let shown = use_projected(model, &lens, middle, tools, &props.on_places);
    let on_center = {
        let (center, model) = (center.clone(), shown.model.clone());
        Callback::from(move |node: Option<usize>| {
            center.set(node.and_then(|at| model.nodes.get(at)).map(|node| node.address.clone().into()));
        })
    };
    // Where only the neighbourhood of a node is drawn, the tree lists that.
    let listed = use_memo((model.clone(), middle), |(model, middle)| {
        middle.map(|middle| Same::new(Neighbours::of(model, middle)))
    });
    let around = ToolsProps {
        model: model.clone(),
        layers: props.layers.clone(),
        selected: props.selected.as_ref().and_then(|address| model.find(address)),
        kept: (*kept).clone(),
        listed: (*listed).clone().or_else(|| (*kept).clone()),
        lens: lens.clone(),
        open: open.clone(),
        on_light: lighting(&stage, &shown),
        on_find: finding(&found, &shown),
        on_center: {
            let (center, model) = (center.clone(), model.clone());
            Callback::from(move |node: Option<usize>| {
                center.set(node.and_then(|at| model.nodes.get(at)).map(|node| node.address.clone().into()));
            })
        },
        on_goto: props.on_goto.clone(),
        on_select: props.on_select.clone(),
        on_back: returning(&figure),
    };
    let slot = |slot: Slot| tools.map(|tools| (tools.view)(slot, &around)).unwrap_or_default();
    let bar = BarProps {
        lens: lens.clone(),
        open: open.clone(),
        kept: kept.as_ref().as_ref().map(|kept| (kept.nodes.len(), model.nodes.len())),
        center: center.as_ref().map(|address| (address.clone(), on_center.reform(|()| None))),
        layers: props.layers.clone(),
        leaving: model.leaving.clone(),
        on_select: props.on_select.clone(),
        on_export: props.on_export.clone(),
        on_picture: picturing(props, &stage),
    };
    let drawn = |address: &AttrValue| shown.find(model, address);
    html! {
        <>
            <Bar ..bar />
            { slot(Slot::Row) }
            <figure ref={figure} class={classes!("graph-figure", open.tree.then_some("with-tree"))} aria-label={summary(model)}>
                <div class="graph-stage">
                    <Canvas model={shown.model.clone()} layers={props.layers.clone()} stage={stage.clone()}
                        selected={props.selected.as_ref().and_then(drawn)} center={center.as_ref().and_then(drawn)}
                        kept={shown.kept((*kept).as_ref())} {on_center} on_goto={props.on_goto.clone()}
                        on_select={selecting(props, &open)} on_open={Some(opening(&lens, &shown))}
                        on_request={requesting(props, &lens, &open, &shown)} found={*found} />
                    { slot(Slot::Over) }
                    { slot(Slot::Below) }
                </div>
                { slot(Slot::Beside) }
            </figure>
        </>
    }
}

fn summary(model: &Model) -> String {
    let waves = model.nodes.iter().map(|node| node.wave + 1).max().unwrap_or(0);
    format!("{} resources in {waves} waves, {} connections", model.nodes.len(), model.edges.len())
}

/// A click selects a resource and opens its card.
fn selecting(props: &DrawnProps, open: &UseStateHandle<Open>) -> Callback<String> {
    let (on_select, open) = (props.on_select.clone(), open.clone());
    Callback::from(move |address: String| {
        open.set(Open { card: Some(address.clone().into()), enters: false, ..(*open).clone() });
        on_select.emit(address);
    })
}

fn opening(lens: &UseStateHandle<Lens>, shown: &Shown) -> Callback<usize> {
    let (lens, model) = (lens.clone(), shown.model.clone());
    Callback::from(move |at: usize| {
        let Some(group) = model.nodes.get(at) else { return };
        let mut next = (*lens).clone();
        next.open.insert(group.name.clone());
        lens.set(next);
    })
}

/// Handles the requests of keys pressed in the drawing that concern the parts around it.
fn requesting(
    props: &DrawnProps,
    lens: &UseStateHandle<Lens>,
    open: &UseStateHandle<Open>,
    shown: &Shown,
) -> Callback<(Request, usize)> {
    let (lens, open, tools) = (lens.clone(), open.clone(), props.tools);
    let (all, drawn) = (props.model.clone(), shown.model.clone());
    Callback::from(move |(request, at): (Request, usize)| {
        let single = drawn.nodes.get(at).filter(|node| node.members.is_empty());
        match (request, single) {
            (Request::Find, _) => open.set(Open { finder: true, ..(*open).clone() }),
            (Request::Describe, Some(node)) => {
                open.set(Open { card: Some(node.address.clone().into()), enters: true, ..(*open).clone() });
            }
            (Request::Close, _) if open.card.is_some() => open.set(Open { card: None, ..(*open).clone() }),
            (Request::Fold, Some(node)) => {
                let group = tools.and_then(|tools| (tools.group_of)(&all, &lens, &node.address));
                let mut next = (*lens).clone();
                if group.is_some_and(|group| next.open.remove(&group)) {
                    lens.set(next);
                }
            }
            (Request::Close | Request::Describe | Request::Fold, _) => {}
        }
    })
}

/// Lights the node that stands for a resource.
fn lighting(stage: &Same<RefCell<Stage>>, shown: &Shown) -> Callback<Option<usize>> {
    let (stage, shown) = (stage.clone(), shown.clone());
    Callback::from(move |at: Option<usize>| {
        let at = at.and_then(|at| shown.of(at));
        let lit = at.map(|at| Neighbours::of(&shown.model, at));
        stage.borrow_mut().light(at, lit);
    })
}

fn finding(found: &UseStateHandle<(usize, u32)>, shown: &Shown) -> Callback<usize> {
    let (found, shown) = (found.clone(), shown.clone());
    Callback::from(move |at: usize| {
        shown.of(at).into_iter().for_each(|at| found.set((at, found.1 + 1)));
    })
}

/// Puts the keyboard on the drawing.
fn returning(figure: &NodeRef) -> Callback<()> {
    let figure = figure.clone();
    Callback::from(move |()| {
        let view = figure.cast::<Element>().and_then(|it| it.query_selector(".graph-view").ok().flatten());
        view.and_then(|it| it.dyn_into::<HtmlElement>().ok()).iter().for_each(rove::focus);
    })
}

/// Saves the drawing as it is on screen.
fn picturing(props: &DrawnProps, stage: &Same<RefCell<Stage>>) -> Callback<()> {
    let (tools, stage) = (props.tools, stage.clone());
    let (on_tools, on_export) = (props.on_tools.clone(), props.on_export.clone());
    Callback::from(move |()| match tools {
        Some(tools) => {
            let on_export = on_export.clone();
            let then = Callback::from(move |blob: Option<web_sys::Blob>| {
                blob.into_iter().for_each(|blob| on_export.emit(GraphExport::Png(blob)));
            });
            (tools.picture)(&stage.borrow(), then);
        }
        None => on_tools.emit(()),
    })
}

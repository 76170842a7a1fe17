//! The graph pane: who needs whom, in waves from left to right, and what the plan does with it.

mod camera;
mod canvas;
mod curve;
mod drag;
mod fit;
mod hand;
mod ink;
mod legend;
mod minimap;
mod model;
mod neighbours;
mod paint;
mod reach;
mod ripple;
mod scene;
mod stage;
mod theme;
mod tree;
mod walk;
mod waves;
mod zoom;

use std::{cell::RefCell, rc::Rc};

use workspace::view::{Action, LayoutView, LocationView, PlanView};
use yew::prelude::*;

pub(in crate::views) use self::{
    canvas::Canvas,
    model::{Connection, Dress, Edge, Model, Node, Sort, Standing, State},
    neighbours::Neighbours,
    stage::Stage,
};
use self::{legend::Legend, tree::Tree};
use super::{
    Same,
    live::StepItem,
    place::stale_strip,
    same::{use_same, use_stable},
};
use crate::{IconName, LayerBadge, action_mark};

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
    /// Called with the place of a node or edge that is clicked.
    pub on_goto: Callback<LocationView>,
    /// Called with the address of a node that is clicked.
    pub on_select: Callback<String>,
}

/// The dependency graph.
#[component]
pub fn GraphPane(props: &GraphPaneProps) -> Html {
    let (on_goto, on_select) = (use_stable(&props.on_goto), use_stable(&props.on_select));
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
            <Drawn model={Same(model)} {layers} selected={props.selected.clone()} {on_goto} {on_select} />
        }
    };
    html! {
        <section class="graph pane" aria-label="Graph">
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
    on_goto: Callback<LocationView>,
    on_select: Callback<String>,
}

#[component]
fn Drawn(props: &DrawnProps) -> Html {
    let model = &props.model;
    let stage = use_memo((), |()| RefCell::new(Stage::default()));
    let center = use_state(|| None::<AttrValue>);
    let file = use_state(|| None::<AttrValue>);
    let (tree, legend) = (use_state(|| false), use_state(|| false));
    let kept = use_memo((model.clone(), (*file).clone()), |(model, file)| {
        file.as_ref().map(|file| written_in(model, file))
    });
    let kept = kept.as_ref().clone().map(Same::new);
    let on_center = {
        let (center, model) = (center.clone(), model.clone());
        Callback::from(move |node: Option<usize>| {
            center.set(node.and_then(|at| model.nodes.get(at)).map(|node| node.address.clone().into()));
        })
    };
    let selected = props.selected.as_ref().and_then(|address| model.find(address));
    let middle = center.as_ref().and_then(|address| model.find(address));
    // Where only the neighbourhood of a node is drawn, the tree lists that.
    let listed = use_memo((model.clone(), middle), |(model, middle)| {
        middle.map(|middle| Same::new(Neighbours::of(model, middle)))
    });
    let listed = (*listed).clone().or_else(|| kept.clone());
    html! {
        <>
            <div class="pane-bar">
                { layer_filter(&props.layers, &file) }
                if let Some(address) = &*center {
                    <button type="button" class="filter-chip" aria-pressed="true"
                        onclick={on_center.reform(|_: MouseEvent| None)}
                        title="Show the whole graph (Escape)">
                        { format!("Around {address}") }{ IconName::Close.html() }
                    </button>
                }
                <span class="pane-bar-space" />
                { leaving(&model.leaving, &props.on_select) }
                { toggle("Legend", IconName::Keyboard, &legend) }
                { toggle("Tree", IconName::Tree, &tree) }
            </div>
            <figure class={classes!("graph-figure", tree.then_some("with-tree"))} aria-label={summary(model)}>
                <div class="graph-stage">
                <Canvas model={model.clone()} layers={props.layers.clone()} stage={Same(stage.clone())}
                    {selected}
                    center={middle} kept={kept.clone()} on_center={on_center.clone()}
                    on_goto={props.on_goto.clone()} on_select={props.on_select.clone()} />
                if *legend { <Legend model={model.clone()} /> }
                </div>
                if *tree {
                    <Tree model={model.clone()} layers={props.layers.clone()} stage={Same(stage)} {selected}
                        kept={listed} {on_center}
                        on_goto={props.on_goto.clone()} on_select={props.on_select.clone()} />
                }
            </figure>
        </>
    }
}

fn summary(model: &Model) -> String {
    let waves = model.nodes.iter().map(|node| node.wave + 1).max().unwrap_or(0);
    format!("{} resources in {waves} waves, {} connections", model.nodes.len(), model.edges.len())
}

/// What a file had a hand in: what it declares, what it connects, what it changes.
fn written_in(model: &Model, file: &str) -> Neighbours {
    let edges = model
        .edges
        .iter()
        .enumerate()
        .filter(|(_, edge)| edge.origin.file == file)
        .map(|(at, _)| at)
        .collect();
    let node = |at: &usize| {
        model.nodes.get(*at).is_some_and(|node| {
            let connects = |edge: &usize| model.edges.get(*edge).is_some_and(|edge| edge.origin.file == file);
            node.origin.file == file
                || node.files.iter().any(|other| other == file)
                || node.needs.iter().any(connects)
        })
    };
    Neighbours { nodes: (0..model.nodes.len()).filter(node).collect(), edges }
}

/// One chip a file; with one pressed, what the file had no hand in is faded.
fn layer_filter(layers: &[LayerBadge], file: &UseStateHandle<Option<AttrValue>>) -> Html {
    if layers.len() < 2 {
        return Html::default();
    }
    html! {
        <div class="chip-group graph-files" role="group" aria-label="Show only resources of one file">
            { for layers.iter().map(|layer| {
                let on = file.as_deref() == Some(&*layer.file);
                let next = (!on).then(|| layer.file.clone());
                let onclick = { let file = file.clone();
                    Callback::from(move |_: MouseEvent| file.set(next.clone())) };
                html! {
                    <button type="button" class={classes!("filter-chip", "layer-chip")}
                        aria-pressed={if on { "true" } else { "false" }} {onclick}
                        title={format!("Show only resources of {}", layer.file)}
                            aria-label={format!("Show only resources of {}", layer.file)}>
                        { crate::layer_mark(layer, false) }
                    </button>
                }
            }) }
        </div>
    }
}

/// What is destroyed is not described any more, so it is not in the drawing; it must not be silent for that.
fn leaving(addresses: &[String], on_select: &Callback<String>) -> Html {
    let Some(first) = addresses.first().cloned() else { return Html::default() };
    let words = match addresses.len() {
        1 => format!("{first} will be destroyed"),
        count => format!("{count} will be destroyed"),
    };
    let onclick = on_select.reform(move |_: MouseEvent| first.clone());
    html! {
        <button type="button" class="graph-leaving action-destroy" title={addresses.join(", ")} {onclick}>
            { action_mark(Action::Destroy, false) }<span>{ words }</span>
        </button>
    }
}

fn toggle(words: &'static str, icon: IconName, on: &UseStateHandle<bool>) -> Html {
    let onclick = {
        let on = on.clone();
        Callback::from(move |_: MouseEvent| on.set(!*on))
    };
    html! {
        <button type="button" class="quiet-button" title={words} aria-label={words}
            aria-pressed={if **on { "true" } else { "false" }} {onclick}>
            { icon.html() }<span>{ words }</span>
        </button>
    }
}

#[cfg(test)]
mod tests {
    use super::{model::tests::model, written_in};

    #[test]
    fn a_file_keeps_what_it_declares_and_connects() {
        let mut model = model(&[("a.net", 0), ("a.db", 1), ("a.web", 1)], &[("a.db", "a.net", "attachment")]);
        for node in &mut model.nodes {
            node.origin.file = "base".into();
        }
        if let Some(edge) = model.edges.first_mut() {
            edge.origin.file = "prod".into();
        }
        let kept = written_in(&model, "prod");
        assert_eq!((kept.nodes, kept.edges), ([1].into(), [0].into()));
        assert_eq!(written_in(&model, "base").nodes.len(), 3);
    }
}

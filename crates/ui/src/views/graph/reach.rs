//! The nodes that can be read, as elements above the canvas: for screen readers, tooltips and users who point by name.
//!
//! They paint nothing. One that is too small to be read has none, unless the keyboard or the pointer is on it; the tree
//! has them all.

use diag::order;
use workspace::view::LocationView;
use yew::prelude::*;

use super::{
    camera::Camera,
    model::{Model, Node, State},
    scene::{Detail, Lights, Scene},
};
use crate::{
    action_class,
    views::{Same, live::StepLook},
};

/// All nodes of a small drawing have an element, wherever the camera is; of a larger one those that can be read.
const SMALL: usize = 60;

/// The most elements, so that a page with them stays light.
const MOST: usize = 160;

/// The nodes that have an element, in the order of creation.
pub(super) fn within_reach(
    model: &Model,
    scene: &Scene,
    lights: &Lights,
    also: &[Option<usize>],
) -> Vec<usize> {
    let shown = |at: &usize| lights.shown.as_ref().is_none_or(|shown| shown.nodes.contains(at));
    let seen = scene.nodes.len() + scene.faded.len();
    let mut all: Vec<usize> = if model.nodes.len() <= SMALL {
        (0..model.nodes.len()).filter(shown).collect()
    } else if scene.detail > Detail::Far && seen <= MOST {
        scene.nodes.iter().chain(&scene.faded).copied().collect()
    } else {
        Vec::new()
    };
    all.extend(also.iter().flatten().filter(|at| **at < model.nodes.len()));
    order::by_key(&mut all, |at| (model.nodes.get(*at).map_or(0, |node| node.wave), *at));
    all.dedup();
    all
}

/// The id of a node's element, for `aria-activedescendant`.
pub(super) fn id(at: usize) -> String {
    format!("graph-node-{at}")
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ReachProps {
    pub(super) model: Same<Model>,
    pub(super) nodes: Vec<usize>,
    pub(super) selected: Option<usize>,
    pub(super) camera: Camera,
}

/// One sheet of elements that the camera moves as a whole.
#[component]
pub(super) fn Reach(props: &ReachProps) -> Html {
    let Camera { x, y, scale, .. } = props.camera;
    let across = props.camera.across();
    html! {
        <div class="graph-reach" ~style={format!("transform:translate({x:.2}px,{y:.2}px) scale({across:.5},{scale:.5})")}>
            <Elements model={props.model.clone()} nodes={props.nodes.clone()} selected={props.selected} />
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct ElementsProps {
    model: Same<Model>,
    nodes: Vec<usize>,
    selected: Option<usize>,
}

#[component]
fn Elements(props: &ElementsProps) -> Html {
    let nodes = props.nodes.iter().filter_map(|at| Some((*at, props.model.nodes.get(*at)?)));
    html! { <>{ for nodes.map(|(at, node)| element(&props.model, at, node, props.selected == Some(at))) }</> }
}

fn element(model: &Model, at: usize, node: &Node, selected: bool) -> Html {
    let [left, top, width, height] = node.rect;
    let class = classes!(
        "graph-node",
        node.action.map(action_class),
        node.look.map(look_class),
        node.dress.standing.class(),
        (node.state == State::Differs).then_some("state-differs"),
    );
    let spoken = model.spoken(at);
    html! {
        <div key={node.address.clone()} id={id(at)} role="button" {class} data-node={at.to_string()}
            data-address={node.address.clone()} data-selected={selected.then_some("")}
            aria-label={spoken.clone()} title={title(node, &spoken)}
            ~style={format!("left:{left:.1}px;top:{top:.1}px;width:{width:.1}px;height:{height:.1}px")} />
    }
}

/// The class of a step's state, on nodes and rows alike.
const fn look_class(look: StepLook) -> &'static str {
    match look {
        StepLook::Waiting => "look-waiting",
        StepLook::Running => "look-running",
        StepLook::Done => "look-done",
        StepLook::Failed => "look-failed",
        StepLook::Skipped => "look-skipped",
    }
}

/// The tooltip that the browser shows while the pointer rests.
fn title(node: &Node, spoken: &str) -> String {
    let LocationView { file, line, .. } = &node.origin;
    if file.is_empty() { spoken.to_owned() } else { format!("{spoken}\n{file}:{line}") }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{model::tests::model, scene::Sheet},
        *,
    };

    fn reach(count: usize, scale: f32, also: &[Option<usize>]) -> Vec<usize> {
        let names: Vec<String> = (0..count).map(|at| format!("a.n{at}")).collect();
        let nodes: Vec<(&str, u32)> = names.iter().map(|name| (name.as_str(), 0)).collect();
        let sheet = Sheet::new(Same::new(model(&nodes, &[])), Same::new(Vec::new()));
        let scene = Scene::of(
            &sheet,
            &Lights::default(),
            Camera { x: 0.0, y: 0.0, scale, wide: 1.0 },
            (500.0, 400.0),
        );
        within_reach(&sheet.model, &scene, &Lights::default(), also)
    }

    #[test]
    fn small_drawings_have_all_and_large_ones_what_can_be_read() {
        assert_eq!(reach(40, 1.0, &[]).len(), 40);
        assert_eq!(reach(500, 1.0, &[None, Some(400), Some(1)]), [0, 1, 2, 3, 4, 5, 400]);
        assert_eq!(reach(500, 0.05, &[Some(7), Some(7)]), [7]);
        assert_eq!(reach(5, 1.0, &[Some(99)]).len(), 5);
    }
}

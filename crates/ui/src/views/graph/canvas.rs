//! The drawing in its pane.

use std::{cell::RefCell, rc::Rc};

use gloo::timers::callback::Timeout;
use web_sys::{Element, HtmlCanvasElement};
use workspace::view::{EdgeKind, LocationView};
use yew::prelude::*;

use super::{
    camera::{Camera, around},
    curve::middle,
    hand::{CanvasContext, Hand, Hit, Request, View, use_wheel},
    minimap::{self, Minimap},
    model::{Connection, Edge, Model, Sort},
    neighbours::Neighbours,
    reach::{Reach, id, within_reach},
    scene::{Sheet, digest},
    stage::Stage,
    theme::use_theme,
    waves::{columns, headings},
    zoom::Zoom,
};
use crate::{
    LayerBadge,
    views::{Same, size::use_size},
};

#[derive(Clone, PartialEq, Properties)]
pub(in crate::views) struct CanvasProps {
    pub(in crate::views) model: Same<Model>,
    pub(in crate::views) layers: Same<Vec<LayerBadge>>,
    pub(in crate::views) stage: Same<RefCell<Stage>>,
    pub(in crate::views) selected: Option<usize>,
    /// Only its neighbourhood is shown.
    pub(in crate::views) center: Option<usize>,
    /// The nodes and edges that the filter keeps; the rest is faded.
    pub(in crate::views) kept: Option<Same<Neighbours>>,
    pub(in crate::views) on_center: Callback<Option<usize>>,
    pub(in crate::views) on_goto: Callback<LocationView>,
    pub(in crate::views) on_select: Callback<String>,
    /// Called with an edge that is clicked, in place of `on_goto` with its origin.
    #[prop_or_default]
    pub(in crate::views) on_edge: Option<Callback<usize>>,
    /// Called with a group that is to be unfolded.
    #[prop_or_default]
    pub(in crate::views) on_open: Option<Callback<usize>>,
    /// Called with the request of a key to the parts around the drawing, and the node that it is for.
    #[prop_or_default]
    pub(in crate::views) on_request: Callback<(Request, usize)>,
    /// The node that was searched for, and the number of searches: each time it is brought into the middle.
    #[prop_or_default]
    pub(in crate::views) found: (usize, u32),
}

/// The elements on the page above a drawing that is at rest.
#[derive(Clone, Debug, Default, PartialEq)]
struct Rest {
    nodes: Vec<usize>,
    digest: AttrValue,
}

/// The time that a drawing has to rest before its readable nodes get elements, in milliseconds.
const REST: u32 = 120;

#[component]
pub(in crate::views) fn Canvas(props: &CanvasProps) -> Html {
    let hand = use_mut_ref(Hand::default);
    let pane = use_state(|| (0.0f32, 0.0f32));
    let redraw = use_force_update();
    let (root, canvas) = (use_node_ref(), use_node_ref());
    let shown = use_memo((props.model.clone(), props.center), |(model, center)| {
        center.map(|center| Same::new(Neighbours::of(model, center)))
    });
    let shown = (*shown).clone();
    let waves = use_memo(props.model.clone(), |model| columns(model));
    let context = CanvasContext {
        hand: hand.clone(),
        root: root.clone(),
        pane: *pane,
        target: target(&props.model, shown.as_deref()),
        first: first(&props.model, props.center),
        model: props.model.clone(),
        stage: props.stage.clone(),
        redraw: redraw.clone(),
        center: props.center,
        on_center: props.on_center.clone(),
        on_goto: props.on_goto.clone(),
        on_select: props.on_select.clone(),
        on_edge: props.on_edge.clone(),
        on_request: props.on_request.clone(),
        on_open: props.on_open.clone(),
    };
    use_size(root.clone(), measure(&root, &pane));
    use_wheel(root.clone(), context.clone());
    use_stage(props, &canvas, redraw);
    let theme = use_theme(&root, {
        let stage = props.stage.clone();
        Callback::from(move |()| stage.borrow_mut().dress())
    });
    use_marks(props, shown.clone(), &context);
    let camera = context.camera();
    use_effect_with((camera, *pane, props.model.clone()), {
        let stage = props.stage.clone();
        move |(camera, pane, _)| stage.borrow_mut().look(*camera, *pane)
    });
    let over = hand.borrow().over;
    let stop = props.stage.borrow().stop();
    let rest = use_rest(props, &(camera, *pane, shown), [Some(stop), props.selected, node_of(over)]);
    let zoom = {
        let context = context.clone();
        Callback::from(move |factor| context.zoom(factor))
    };
    let fit = {
        let context = context.clone();
        Callback::from(move |()| context.look(View::All))
    };
    let look = {
        let context = context.clone();
        Callback::from(move |at| context.look(View::At(context.camera().centered(at, context.pane))))
    };
    let label = format!("{} {}", summary(&props.model), said(&props.model));
    html! {
        <div class="graph-canvas">
            <div ref={root} class="graph-view" role="application" tabindex="0" aria-roledescription={what(&props.model)}
                aria-label={label.clone()} aria-activedescendant={rest.nodes.contains(&stop).then(|| id(stop))}
                data-drawn={rest.digest.clone()} data-over={over.map(|_| "")}
                onmousemove={context.on_over()} onmouseleave={context.on_leave()} onclick={context.on_click()}
                ondblclick={context.on_double()} onfocus={context.on_focus()} onblur={context.on_blur()}
                onkeydown={context.on_key()} onpointerdown={context.on_down()} onpointermove={context.on_move()}
                onpointerup={context.on_up()} onpointercancel={context.on_up()}>
                <canvas ref={canvas} class="graph-sheet" role="img" aria-label={label} />
                <Reach model={props.model.clone()} nodes={rest.nodes.clone()} selected={props.selected} {camera} />
            </div>
            { headings(&waves, camera, pane.0) }
            { edge_of(over).and_then(|edge| tip(&props.model, edge, camera, pane.0)).unwrap_or_default() }
            <div class="graph-corner">
                if pane.0 > 0.0 && (props.model.nodes.len() > minimap::FROM || !context.shows_all()) {
                    <Minimap model={props.model.clone()} seen={camera.seen(*pane)} pane={*pane} {theme} on_look={look} />
                }
                <Zoom scale={camera.scale} fitted={hand.borrow().view == View::All} on_zoom={zoom} on_fit={fit} />
            </div>
        </div>
    }
}

const fn node_of(hit: Option<Hit>) -> Option<usize> {
    match hit {
        Some(Hit::Node(at)) => Some(at),
        _ => None,
    }
}

const fn edge_of(hit: Option<Hit>) -> Option<usize> {
    match hit {
        Some(Hit::Edge(at)) => Some(at),
        _ => None,
    }
}

const fn what(model: &Model) -> &'static str {
    match model.sort {
        Sort::Needs => "dependency graph",
        Sort::Links => "map of links",
        Sort::Upgrades => "upgrade graph",
        Sort::Comparison => "dependency graph of both sides",
    }
}

const fn said(model: &Model) -> &'static str {
    match model.sort {
        Sort::Needs => "The tree has the same content as text.",
        Sort::Links | Sort::Upgrades | Sort::Comparison => "The list has the same content as text.",
    }
}

fn summary(model: &Model) -> String {
    format!("Drawing of {} nodes and {} connections.", model.nodes.len(), model.edges.len())
}

/// The rectangle to be seen when the user has not moved anything: left, top, width, height.
fn target(model: &Model, shown: Option<&Neighbours>) -> [f32; 4] {
    // The headings of the waves and the action marks stand above the boxes.
    const HEAD: f32 = 20.0;
    let all = [0.0, -HEAD, model.size[0], model.size[1] + HEAD];
    let Some(shown) = shown else { return all };
    around(shown.nodes.iter().filter_map(|at| Some(model.nodes.get(*at)?.rect))).unwrap_or(all)
}

/// The node in the middle of interest, else the first of all.
fn first(model: &Model, center: Option<usize>) -> [f32; 4] {
    let at = center.or_else(|| model.order.first().copied());
    at.and_then(|at| model.nodes.get(at)).map_or([0.0; 4], |node| node.rect)
}

fn measure(root: &NodeRef, pane: &UseStateHandle<(f32, f32)>) -> Callback<()> {
    let (root, pane) = (root.clone(), pane.clone());
    Callback::from(move |()| {
        if let Some(element) = root.cast::<Element>() {
            let size = (element.client_width() as f32, element.client_height() as f32);
            if size != *pane {
                pane.set(size);
            }
        }
    })
}

/// Draws on the canvas for as long as it is there; after each frame the page above it follows.
#[hook]
fn use_stage(props: &CanvasProps, canvas: &NodeRef, redraw: UseForceUpdateHandle) {
    use_effect_with((canvas.clone(), props.stage.clone()), move |(canvas, stage)| {
        let last = RefCell::new(None::<Camera>);
        let on_drawn = Callback::from(move |camera: Camera| {
            if last.replace(Some(camera)) != Some(camera) {
                redraw.force_update();
            }
        });
        if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
            Stage::attach(stage, canvas, on_drawn);
        }
        let stage = stage.clone();
        move || stage.borrow_mut().detach()
    });
}

/// Updates the stage: the model that is drawn and the nodes that are highlighted in it, after each new model and each
/// change.
#[hook]
fn use_marks(props: &CanvasProps, shown: Option<Same<Neighbours>>, context: &CanvasContext) {
    let drawing = (props.model.clone(), props.layers.clone(), props.stage.clone());
    use_effect_with(drawing.clone(), |(model, layers, stage)| {
        let sheet = Sheet::new(model.clone(), layers.clone());
        stage.borrow_mut().show(Rc::new(sheet));
    });
    use_effect_with((shown, drawing.clone()), |(shown, (_, _, stage))| {
        stage.borrow_mut().set_shown(shown.clone());
    });
    use_effect_with((props.kept.clone(), drawing.clone()), |(kept, (_, _, stage))| {
        stage.borrow_mut().keep(kept.clone());
    });
    use_effect_with((props.selected, drawing), |(selected, (_, _, stage))| {
        let mut stage = stage.borrow_mut();
        stage.select(*selected);
        selected.iter().for_each(|selected| stage.stop_at(*selected));
    });
    // By address: a node that only changed its place in the list was not selected again, and stays where it is.
    let address = props.selected.and_then(|at| props.model.nodes.get(at)).map(|node| node.address.clone());
    let (seen, selected) = (context.clone(), props.selected);
    use_effect_with((address, context.pane.0 > 0.0), move |_| {
        selected.into_iter().for_each(|selected| seen.reveal(selected));
    });
    let seen = context.clone();
    use_effect_with(props.model.clone(), move |_| seen.follow());
    let seen = context.clone();
    use_effect_with(props.center, move |_| seen.focus());
    let seen = context.clone();
    use_effect_with(props.found, move |(at, times)| {
        if *times > 0 {
            seen.approach(*at);
        }
    });
}

/// The elements on the page above a drawing, once that rests.
#[hook]
fn use_rest(
    props: &CanvasProps,
    seen: &(Camera, (f32, f32), Option<Same<Neighbours>>),
    also: [Option<usize>; 3],
) -> Rest {
    let rest = use_state_eq(Rest::default);
    let inputs = (seen.clone(), also, props.model.clone(), props.kept.clone());
    use_effect_with(inputs, {
        let (stage, setter) = (props.stage.clone(), rest.setter());
        move |(_, also, model, _)| {
            let (also, model) = (*also, model.clone());
            let timer = Timeout::new(REST, move || {
                let stage = stage.borrow();
                let Some(scene) = stage.scene() else { return };
                let nodes = within_reach(&model, &scene, stage.lights(), &also);
                setter.set(Rest { nodes, digest: digest(&scene, &model).into() });
            });
            move || drop(timer)
        }
    });
    (*rest).clone()
}

/// The tooltip of an edge: its meaning, and the place where it is written.
fn tip(model: &Model, at: usize, camera: Camera, width: f32) -> Option<Html> {
    let edge = model.edges.get(at)?;
    let (from, to) = (model.nodes.get(edge.from)?, model.nodes.get(edge.to)?);
    let [x, y] = camera.point(middle(&edge.route)?);
    // Half of the label's largest width stays free on both sides.
    let x = x.min(width - 168.0).max(168.0_f32.min(width / 2.0));
    let below = (y < 90.0).then_some("below");
    let style = format!("left:{x:.0}px;top:{y:.0}px");
    Some(html! {
        <div class={classes!("graph-tip", below)} ~style={style} aria-hidden="true">
            <p><strong>{ &from.name }</strong>{ format!(" {} ", edge.kind.phrase()) }<strong>{ &to.name }</strong></p>
            <p class="graph-tip-source"><code>{ path(edge) }</code>
                if !edge.origin.file.is_empty() { <span>{ format!("{}:{}", edge.origin.file, edge.origin.line) }</span> }
            </p>
        </div>
    })
}

/// The attribute, the links or the range that an edge stands for.
fn path(edge: &Edge) -> String {
    match edge.kind {
        Connection::Upgrade(_) | Connection::Need(EdgeKind::Link) => edge.path.clone(),
        Connection::Need(_) => tail(&edge.path),
    }
}

/// The end of a long path.
fn tail(path: &str) -> String {
    const MOST: usize = 3;
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let from = parts.len().saturating_sub(MOST);
    let end = parts.get(from..).unwrap_or_default().join("/");
    if from == 0 { format!("/{end}") } else { format!("…/{end}") }
}

#[cfg(test)]
mod tests {
    use super::tail;

    #[test]
    fn long_paths_show_their_end() {
        assert_eq!(tail("/services/web/init/0/run/args/2"), "…/run/args/2");
        assert_eq!(tail("/a/b"), "/a/b");
        assert_eq!(tail(""), "/");
    }
}

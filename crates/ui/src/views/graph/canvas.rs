//! The drawing in its pane.

use std::cell::RefCell;

use web_sys::Element;
use workspace::view::{EdgeKind, LocationView};
use yew::prelude::*;

use super::{
    camera::{Camera, around},
    curve::middle,
    hand::{CanvasContext, Hand, View, use_wheel},
    minimap::{self, Minimap},
    model::{Connection, Edge, Model, Sort},
    neighbours::Neighbours,
    scene::Scene,
    stage::Stage,
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
    /// What the filter keeps; the rest is faded.
    pub(in crate::views) kept: Option<Same<Neighbours>>,
    pub(in crate::views) on_center: Callback<Option<usize>>,
    pub(in crate::views) on_goto: Callback<LocationView>,
    pub(in crate::views) on_select: Callback<String>,
    /// Called with an edge that is clicked, in place of `on_goto` with its origin.
    #[prop_or_default]
    pub(in crate::views) on_edge: Option<Callback<usize>>,
}

#[component]
pub(in crate::views) fn Canvas(props: &CanvasProps) -> Html {
    let hand = use_mut_ref(Hand::default);
    let pane = use_state(|| (0.0f32, 0.0f32));
    let tip = use_state(|| None::<usize>);
    let redraw = use_force_update();
    let (root, svg) = (use_node_ref(), use_node_ref());
    let shown = use_memo((props.model.clone(), props.center), |(model, center)| {
        center.map(|center| Neighbours::of(model, center))
    });
    let waves = use_memo(props.model.clone(), |model| columns(model));
    let desk = CanvasContext {
        hand: hand.clone(),
        svg: svg.clone(),
        pane: *pane,
        target: target(&props.model, shown.as_ref().as_ref()),
        first: first(&props.model, props.center),
        model: props.model.clone(),
        stage: props.stage.clone(),
        tip: tip.clone(),
        redraw,
        center: props.center,
        on_center: props.on_center.clone(),
        on_goto: props.on_goto.clone(),
        on_select: props.on_select.clone(),
        on_edge: props.on_edge.clone(),
    };
    use_size(root.clone(), measure(&root, &pane));
    use_wheel(svg.clone(), desk.clone());
    use_marks(props, &svg, &Same(shown), &desk);

    let camera = desk.camera();
    let act = |act: fn(&CanvasContext)| {
        let desk = desk.clone();
        Callback::from(move |()| act(&desk))
    };
    let zoom = {
        let desk = desk.clone();
        Callback::from(move |factor| desk.zoom(factor))
    };
    let look = {
        let desk = desk.clone();
        Callback::from(move |at| desk.look(View::At(desk.camera().centered(at, desk.pane))))
    };
    html! {
        <div class="graph-canvas" ref={root}>
            <svg ref={svg} class={classes!("graph-svg", (props.model.edges.len() > DENSE).then_some("dense"),
                (camera.scale < 0.58).then_some("far"), (camera.scale < 0.22).then_some("farther"))}
                role="graphics-document document" aria-roledescription={what(&props.model)}
                    aria-label={said(&props.model)}
                onmouseover={desk.on_over()} onmouseleave={desk.on_leave()} onclick={desk.on_click()}
                    ondblclick={desk.on_double()}
                onfocusin={desk.on_focus()} onfocusout={desk.on_blur()} onkeydown={desk.on_key()}
                onpointerdown={desk.on_down()} onpointermove={desk.on_move()} onpointerup={desk.on_up()}
                    onpointercancel={desk.on_up()}>
                <g class="graph-camera" transform={camera.transform()}
                    visibility={(pane.0 <= 0.0).then_some("hidden")}>
                    <Scene model={props.model.clone()} layers={props.layers.clone()} />
                </g>
            </svg>
            { headings(&waves, camera, pane.0) }
            { tip.and_then(|edge| label(&props.model, edge, camera, pane.0)).unwrap_or_default() }
            <div class="graph-corner">
                if pane.0 > 0.0 && (props.model.nodes.len() > minimap::FROM || !desk.shows_all()) {
                    <Minimap model={props.model.clone()} seen={camera.seen(*pane)} pane={*pane} on_look={look} />
                }
                <Zoom scale={camera.scale} fitted={hand.borrow().view == View::All} on_zoom={zoom}
                    on_fit={act(|desk| desk.look(View::All))} />
            </div>
        </div>
    }
}

const fn what(model: &Model) -> &'static str {
    match model.sort {
        Sort::Needs => "dependency graph",
        Sort::Links => "map of links",
        Sort::Upgrades => "upgrade graph",
    }
}

const fn said(model: &Model) -> &'static str {
    match model.sort {
        Sort::Needs => "Dependency graph. The tree has the same content as text.",
        Sort::Links => "Map of links. The list has the same content as text.",
        Sort::Upgrades => "Upgrade graph. The list has the same content as text.",
    }
}

/// From this many edges on they are drawn lighter.
const DENSE: usize = 300;

/// What is to be seen when the user has not moved anything.
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

/// Attributes that live outside of the drawing: taken up again after each drawing, set when they change.
#[hook]
fn use_marks(props: &CanvasProps, svg: &NodeRef, shown: &Same<Option<Neighbours>>, desk: &CanvasContext) {
    let drawing = (props.model.clone(), props.layers.clone(), props.stage.clone());
    use_effect_with((svg.clone(), drawing.clone()), |(svg, (_, _, stage))| {
        if let Some(root) = svg.cast::<Element>() {
            stage.borrow_mut().attach(&root);
        }
    });
    use_effect_with((shown.clone(), drawing.clone()), |(shown, (_, _, stage))| {
        stage.borrow().set_apart("data-apart", shown.as_ref());
    });
    use_effect_with((props.kept.clone(), drawing.clone()), |(kept, (_, _, stage))| {
        stage.borrow().set_apart("data-faded", kept.as_deref());
    });
    use_effect_with((props.selected, drawing), |(selected, (_, _, stage))| {
        stage.borrow_mut().select(*selected);
        if let Some(selected) = *selected {
            stage.borrow_mut().stop_at(selected);
        }
    });
    // By address: a node that only changed its place in the list was not selected again, and stays where it
    // is.
    let address = props.selected.and_then(|at| props.model.nodes.get(at)).map(|node| node.address.clone());
    let (seen, selected) = (desk.clone(), props.selected);
    use_effect_with((address, desk.pane.0 > 0.0), move |_| {
        if let Some(selected) = selected {
            seen.reveal(selected);
        }
    });
    let seen = desk.clone();
    use_effect_with(props.model.clone(), move |_| seen.follow());
    let seen = desk.clone();
    use_effect_with(props.center, move |_| seen.look(View::Start));
}

/// What an edge says and where that is written.
fn label(model: &Model, at: usize, camera: Camera, width: f32) -> Option<Html> {
    let edge = model.edges.get(at)?;
    let [x, y] = middle(&edge.route)?;
    let (from, to) = (model.nodes.get(edge.from)?, model.nodes.get(edge.to)?);
    // Half of the label's largest width stays free on both sides.
    let x = (x * camera.scale + camera.x).min(width - 168.0).max(168.0_f32.min(width / 2.0));
    let y = y * camera.scale + camera.y;
    let below = (y < 90.0).then_some("below");
    let style = format!("left:{x:.0}px;top:{y:.0}px");
    Some(html! {
        <div class={classes!("graph-tip", below)} ~style={style} aria-hidden="true">
            <p><strong>{ &from.name }</strong>{ format!(" {} ", edge.kind.phrase()) }<strong>{ &to.name }</strong></p>
            <p class="graph-tip-source"><code>{ path(edge) }</code><span>{
                format!("{}:{}", edge.origin.file, edge.origin.line) }</span></p>
        </div>
    })
}

/// What the attribute says, which links they are, or which range.
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

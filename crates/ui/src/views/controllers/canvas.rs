//! The drawing.

use workspace::view::ControllerEdge;
use yew::prelude::*;

use super::{
    drawing::{Drawing, Flow, Line, Node, Shape},
    moved::Seen,
    snapshot::Snapshot,
};
use crate::views::{Same, size::use_size};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct CanvasProps {
    pub(super) snapshot: Same<Snapshot>,
}

/// Free room around the drawing.
const MARGIN: f32 = 8.0;

/// The drawing in its figure, from left to right where there is room. The list says the same to users who cannot see
/// it.
#[component]
pub(super) fn Canvas(props: &CanvasProps) -> Html {
    let (node, flow, seen) = (use_node_ref(), use_state_eq(|| Flow::Tall), use_mut_ref(Seen::default));
    {
        let (figure, flow, room) = (node.clone(), flow.setter(), props.snapshot.wide[0] + 2.0 * MARGIN);
        let changed = Callback::from(move |()| {
            let width =
                figure.cast::<web_sys::Element>().map_or(0.0, |it| it.get_bounding_client_rect().width());
            flow.set(if width >= f64::from(room) { Flow::Wide } else { Flow::Tall });
        });
        use_size(node.clone(), changed);
    }
    let drawing = Drawing::of(&props.snapshot, *flow);
    seen.borrow_mut().take(&props.snapshot);
    let [width, height] = drawing.size.map(|it| it + 2.0 * MARGIN);
    let view = format!("{} {} {width} {height}", -MARGIN, -MARGIN);
    html! {
        <figure ref={node} class="controllers-figure">
            <svg class="controllers-svg" viewBox={view} ~style={format!("max-width:{width:.0}px")} role="img"
                aria-label={summary(&props.snapshot)}>
                { for drawing.lines.iter().map(|line| edge(line, seen.borrow().moved(&line.id, line.count))) }
                { for drawing.nodes.iter().map(shape) }
            </svg>
        </figure>
    }
}

fn summary(snapshot: &Snapshot) -> String {
    let (controllers, kinds) = (snapshot.controllers.len(), snapshot.kinds.len());
    format!(
        "{controllers} controllers between {kinds} kinds of resources. The list of controllers has the \
         same content."
    )
}

/// A line; when its count has moved, something runs along it once.
fn edge(line: &Line, moved: bool) -> Html {
    html! {
        <g key={line.id.clone()} class={classes!("controllers-edge", format!("wire-{}", line.edge),
            line.livelock.then_some("livelock"))} data-edge={line.id.clone()}>
            <title>{ &line.title }</title>
            <path class="edge-hit" d={line.d.clone()} />
            <path class="wire" d={line.d.clone()} />
            <path class="wire-head" d={line.head.clone()} />
            if moved {
                <path key={line.count} class="wire-pulse" d={line.d.clone()} pathLength="1" />
            }
            if let Some([x, y]) = line.label {
                <text class="wire-count" x={x.to_string()} y={(y + 4.0).to_string()}>{ line.count }</text>
            }
        </g>
    }
}

fn shape(node: &Node) -> Html {
    let [x, y, width, height] = node.rect;
    let (class, radius) = match &node.shape {
        Shape::Controller(state) => (format!("controllers-node doing-{state}"), 6.0),
        Shape::Kind => ("controllers-kind".to_owned(), height / 2.0),
    };
    let middle = (width / 2.0).to_string();
    let first = if node.lines.len() > 1 { 22.0 } else { 19.0 };
    let text = |at: usize, line: &String| {
        let y = [36.0, 40.0, 55.0].get(node.lines.len() - 1 + at).copied().unwrap_or(55.0);
        html! { <text class={classes!("node-sub", (at == 0).then_some("node-doing"))} x={middle.clone()}
        y={y.to_string()}>{ line }</text> }
    };
    html! {
        <g key={node.id.clone()} {class} transform={format!("translate({x:.1} {y:.1})")} data-node={node.id.clone()}>
            <title>{ &node.title }</title>
            <rect class="node-box" width={width.to_string()} height={height.to_string()} rx={radius.to_string()} />
            if matches!(node.shape, Shape::Controller(_)) { <circle class="node-lamp" cx="12" cy="17" r="4" /> }
            <text class="node-name" x={middle.clone()} y={first.to_string()}>{ &node.name }</text>
            { for node.lines.iter().enumerate().map(|(at, line)| text(at, line)) }
        </g>
    }
}

/// The legend: the meaning of the lines and boxes that occur.
pub(super) fn legend(snapshot: &Snapshot) -> Html {
    let occurs = |edge| snapshot.edges.iter().any(|it| it.edge == edge);
    html! {
        <ul class="controllers-legend" aria-label="Legend">
            <li><svg width="28" height="14" aria-hidden="true"><rect class="node-box" x="1" y="1" width="26"
                height="12" rx="3" /></svg><span>{ "controller" }</span></li>
            <li><svg width="28" height="14" aria-hidden="true"><rect class="node-box" x="1" y="1" width="26"
                height="12" rx="6" /></svg><span>{ "kind of resource" }</span></li>
            { for ControllerEdge::ALL.iter().copied().filter(|edge| occurs(*edge)).map(|edge| html! {
                <li><svg class={format!("wire-{edge}")} width="34" height="14" aria-hidden="true">
                    <path class="wire" d="M1 7H32" /><path class="wire-head" d="M26 3.5L32.5 7L26 10.5" />
                </svg><span>{ edge.phrase() }</span></li>
            }) }
        </ul>
    }
}

//! The whole drawing, small, with the part that can be seen.

use workspace::view::Action;
use yew::prelude::*;

use super::model::Model;
use crate::{action_class, dom, views::Same};

/// From this many nodes on there is always a minimap; below, while a part cannot be seen.
pub(super) const FROM: usize = 60;

/// Its largest width and height.
const ROOM: (f32, f32) = (168.0, 128.0);

/// Its largest share of the pane.
const SHARE: (f32, f32) = (0.28, 0.4);

/// Its least width and height.
const LEAST: f32 = 40.0;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct MinimapProps {
    pub(super) model: Same<Model>,
    /// What can be seen: left, top, width, height.
    pub(super) seen: [f32; 4],
    /// Width and height of the pane.
    pub(super) pane: (f32, f32),
    /// Called with the point that is to be in the middle.
    pub(super) on_look: Callback<(f32, f32)>,
}

#[component]
pub(super) fn Minimap(props: &MinimapProps) -> Html {
    let [width, height] = props.model.size;
    let room = (ROOM.0.min(props.pane.0 * SHARE.0), ROOM.1.min(props.pane.1 * SHARE.1));
    let scale = (room.0 / width.max(1.0)).min(room.1 / height.max(1.0));
    // A drawing that is very long or very high is squeezed: what counts is to hit a place in it.
    let (across, down) = ((width * scale).max(LEAST), (height * scale).max(LEAST));
    let look = {
        let on_look = props.on_look.clone();
        Callback::from(move |event: PointerEvent| {
            let target = dom::origin(&event);
            let Some(element) = target.and_then(|target| target.closest("svg").ok().flatten()) else {
                return;
            };
            if event.buttons() & 1 == 0 {
                return;
            }
            event.stop_propagation();
            let _ = element.set_pointer_capture(event.pointer_id());
            let bounds = element.get_bounding_client_rect();
            let x = (f64::from(event.client_x()) - bounds.left()) as f32 / across * width;
            let y = (f64::from(event.client_y()) - bounds.top()) as f32 / down * height;
            on_look.emit((x, y));
        })
    };
    let [left, top, seen_width, seen_height] = props.seen;
    let x = left.clamp(0.0, width);
    let y = top.clamp(0.0, height);
    let right = (left + seen_width).clamp(x, width);
    let bottom = (top + seen_height).clamp(y, height);
    html! {
        <svg class="graph-minimap" aria-hidden="true" preserveAspectRatio="none"
            width={format!("{across:.0}")} height={format!("{down:.0}")}
            viewBox={format!("0 0 {width} {height}")} onpointerdown={look.clone()} onpointermove={look}>
            <Nodes model={props.model.clone()} />
            <rect class="minimap-seen" x={x.to_string()} y={y.to_string()} width={(right - x).to_string()}
                height={(bottom - y).to_string()} />
        </svg>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct NodesProps {
    model: Same<Model>,
}

/// One path per action: a thousand boxes are six elements.
#[component]
fn Nodes(props: &NodesProps) -> Html {
    html! {
        <>{ for Action::ALL.iter().map(|&action| {
            let of = props.model.nodes.iter().filter(|node| node.action.unwrap_or(Action::NoOp) == action);
            let d: String = of.map(|node| {
                let [left, top, width, height] = node.rect;
                format!("M{left:.0} {top:.0}h{width:.0}v{height:.0}h-{width:.0}z")
            }).collect();
            html! { <path class={classes!("minimap-nodes", action_class(action))} {d} /> }
        }) }</>
    }
}

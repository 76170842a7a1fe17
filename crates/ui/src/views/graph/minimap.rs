//! The whole drawing, small, with the part that can be seen.

use std::collections::BTreeMap;

use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement};
use workspace::view::Action;
use yew::prelude::*;

use super::{
    ink::{Ink, Theme},
    model::Model,
};
use crate::views::Same;

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
    /// The part of the drawing that can be seen: left, top, width, height.
    pub(super) seen: [f32; 4],
    /// Width and height of the pane.
    pub(super) pane: (f32, f32),
    /// Changes with the colours.
    pub(super) theme: u32,
    /// Called with the point that is to be in the middle.
    pub(super) on_look: Callback<(f32, f32)>,
}

#[component]
pub(super) fn Minimap(props: &MinimapProps) -> Html {
    let [width, height] = props.model.size.map(|it| it.max(1.0));
    let room = (ROOM.0.min(props.pane.0 * SHARE.0), ROOM.1.min(props.pane.1 * SHARE.1));
    let scale = (room.0 / width).min(room.1 / height);
    // A drawing that is very long or very high is squeezed: what counts is to hit a place in it.
    let (across, down) = ((width * scale).max(LEAST).round(), (height * scale).max(LEAST).round());
    let root = use_node_ref();
    let look = {
        let (on_look, root) = (props.on_look.clone(), root.clone());
        Callback::from(move |event: PointerEvent| {
            let Some(element) = root.cast::<Element>().filter(|_| event.buttons() & 1 == 1) else { return };
            event.stop_propagation();
            let _ = element.set_pointer_capture(event.pointer_id());
            let bounds = element.get_bounding_client_rect();
            let x = (f64::from(event.client_x()) - bounds.left()) as f32 / across * width;
            let y = (f64::from(event.client_y()) - bounds.top()) as f32 / down * height;
            on_look.emit((x, y));
        })
    };
    let [left, top, seen_width, seen_height] = props.seen;
    let (x, y) = (left.clamp(0.0, width), top.clamp(0.0, height));
    let (right, bottom) = ((left + seen_width).clamp(x, width), (top + seen_height).clamp(y, height));
    let (across_by, down_by) = (across / width, down / height);
    let seen = format!(
        "transform:translate({:.1}px,{:.1}px);width:{:.1}px;height:{:.1}px",
        x * across_by,
        y * down_by,
        (right - x) * across_by,
        (bottom - y) * down_by
    );
    html! {
        <div ref={root} class="graph-minimap" aria-hidden="true" ~style={format!("width:{across}px;height:{down}px")}
            onpointerdown={look.clone()} onpointermove={look}>
            <Marks model={props.model.clone()} size={(across, down)} theme={props.theme} />
            <div class="minimap-seen" ~style={seen} />
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct MarksProps {
    model: Same<Model>,
    size: (f32, f32),
    theme: u32,
}

/// All nodes, drawn again when they change, not when the view moves.
#[component]
fn Marks(props: &MarksProps) -> Html {
    let node = use_node_ref();
    use_effect_with((node.clone(), props.clone()), |(node, props)| {
        let _ = node.cast::<HtmlCanvasElement>().and_then(|canvas| draw(&canvas, &props.model, props.size));
    });
    html! { <canvas ref={node} /> }
}

fn draw(canvas: &HtmlCanvasElement, model: &Model, (across, down): (f32, f32)) -> Option<()> {
    const SHARP: f32 = 2.0;
    canvas.set_width((across * SHARP) as u32);
    canvas.set_height((down * SHARP) as u32);
    let (theme, context) = (Theme::of(canvas)?, canvas.get_context("2d").ok()??);
    let context = context.dyn_into::<CanvasRenderingContext2d>().ok()?;
    let (by_x, by_y) = (across * SHARP / model.size[0].max(1.0), down * SHARP / model.size[1].max(1.0));
    let mut by_action = BTreeMap::<Action, Vec<[f32; 4]>>::new();
    for node in &model.nodes {
        by_action.entry(node.action.unwrap_or(Action::NoOp)).or_default().push(node.rect);
    }
    for (action, rects) in by_action {
        context.set_fill_style_str(theme.color(Ink::Act(action)));
        context.set_global_alpha(if action == Action::NoOp { 0.4 } else { 0.75 });
        for [left, top, width, height] in rects {
            let [x, y] = [left * by_x, top * by_y].map(f64::from);
            let [width, height] = [(width * by_x).max(1.5), (height * by_y).max(1.0)].map(f64::from);
            context.fill_rect(x, y, width, height);
        }
    }
    Some(())
}

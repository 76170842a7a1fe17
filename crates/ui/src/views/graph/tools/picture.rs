//! The whole drawing as an image of points.

use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Blob, CanvasRenderingContext2d, HtmlCanvasElement};
use yew::Callback;

use crate::views::graph::{camera::Camera, stage::Stage};

/// The longest side that browsers draw, the most points, and how many points a pixel of a small drawing gets.
const LONGEST: f32 = 8_192.0;
const MOST: f32 = 32_000_000.0;
const SHARP: f32 = 2.0;
const MARGIN: f32 = 24.0;

/// Draws everything on a canvas of its own, and calls back with that as a PNG file; with nothing where that failed.
pub(super) fn picture(stage: &Stage, then: Callback<Option<Blob>>) {
    if let Some(canvas) = drawn(stage) {
        let call = Closure::once_into_js({
            let then = then.clone();
            move |blob: Option<Blob>| then.emit(blob)
        });
        if canvas.to_blob(call.unchecked_ref()).is_ok() {
            return;
        }
    }
    then.emit(None);
}

fn drawn(stage: &Stage) -> Option<HtmlCanvasElement> {
    let size = stage.sheet()?.model.size;
    let scale = scale(size);
    let pane = ((size[0] + 2.0 * MARGIN) * scale, (size[1] + 2.0 * MARGIN) * scale);
    let document = web_sys::window()?.document()?;
    let canvas: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width(pane.0.ceil() as u32);
    canvas.set_height(pane.1.ceil() as u32);
    let context = canvas.get_context("2d").ok()??.dyn_into::<CanvasRenderingContext2d>().ok()?;
    stage.draw_on(&context, Camera { x: MARGIN * scale, y: MARGIN * scale, scale, wide: 1.0 }, pane, 1.0);
    Some(canvas)
}

/// As large as browsers allow, and not larger than is useful.
fn scale([width, height]: [f32; 2]) -> f32 {
    let (width, height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    SHARP.min(LONGEST / width.max(height)).min((MOST / (width * height)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::scale;

    #[test]
    fn an_image_is_sharp_and_never_too_large() {
        assert_eq!(scale([600.0, 400.0]), 2.0);
        for size in [[90_000.0, 500.0], [12_000.0, 15_000.0], [400.0, 60_000.0]] {
            let scale = scale(size);
            assert!((size[0] * scale).max(size[1] * scale) <= 8_192.0, "{size:?}");
            assert!(size[0] * size[1] * scale * scale <= 32_000_000.0, "{size:?}");
        }
    }
}

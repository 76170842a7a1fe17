//! Puts a scene onto a canvas.

mod edges;
mod nodes;
mod signs;

pub(super) use self::edges::pulse;

use js_sys::Array;
use wasm_bindgen::JsValue;
use web_sys::{CanvasRenderingContext2d, Path2d};

use super::{
    camera::Camera,
    ink::{Ink, Theme},
    model::{Model, Node},
    scene::{LABEL, Lights, Scene, Sheet},
};
use crate::IconName;

/// The context for drawing everything, in pixels of the pane.
pub(super) struct Pen<'a> {
    pub(super) context: &'a CanvasRenderingContext2d,
    pub(super) theme: &'a Theme,
    pub(super) camera: Camera,
    pub(super) sheet: &'a Sheet,
    pub(super) lights: &'a Lights,
    /// Device pixels in one of the page.
    pub(super) ratio: f32,
    pub(super) icons: &'a Icons,
}

impl Pen<'_> {
    /// Draws a scene on a pane of that width and height.
    pub(super) fn draw(&self, scene: &Scene, pane: (f32, f32)) {
        self.place(1.0, [0.0, 0.0]);
        self.alpha(1.0);
        self.fill(Ink::Ground);
        self.context.fill_rect(0.0, 0.0, pane.0.into(), pane.1.into());
        edges::draw(self, scene);
        nodes::draw(self, scene);
        self.labels(scene);
    }

    fn labels(&self, scene: &Scene) {
        self.alpha(1.0);
        self.align("left");
        for (size, groups) in [(LABEL.0, false), (LABEL.1, true)] {
            self.font(600, size);
            self.stroke(Ink::Ground, 4.0);
            self.fill(Ink::Text);
            let own =
                |(at, _): &&(usize, _)| self.node(*at).is_some_and(|node| node.members.is_empty() != groups);
            for (at, [x, y]) in scene.labels.iter().filter(own) {
                let text = self.node(*at).map(|node| self.sheet.label(node)).unwrap_or_default();
                let _ = self.context.stroke_text(&text, (*x).into(), (*y).into());
                let _ = self.context.fill_text(&text, (*x).into(), (*y).into());
            }
        }
    }

    fn model(&self) -> &Model {
        &self.sheet.model
    }

    fn node(&self, at: usize) -> Option<&Node> {
        self.model().nodes.get(at)
    }

    /// A size that grows with the drawing and is never less than `least`.
    fn scaled(&self, size: f32, least: f32) -> f32 {
        (size * self.camera.scale).max(least)
    }

    fn alpha(&self, alpha: f64) {
        self.context.set_global_alpha(alpha);
    }

    fn fill(&self, ink: Ink) {
        self.context.set_fill_style_str(self.theme.color(ink));
    }

    fn stroke(&self, ink: Ink, width: f32) {
        self.context.set_stroke_style_str(self.theme.color(ink));
        self.context.set_line_width(width.into());
    }

    fn font(&self, weight: u16, size: f32) {
        self.context.set_font(&format!("{weight} {size:.1}px {}", self.theme.font));
    }

    fn mono(&self, weight: u16, size: f32) {
        self.context.set_font(&format!("{weight} {size:.1}px {}", self.theme.mono));
    }

    fn align(&self, align: &str) {
        self.context.set_text_align(align);
    }

    fn text(&self, text: &str, x: f32, y: f32) {
        let _ = self.context.fill_text(text, x.into(), y.into());
    }

    fn dash(&self, lengths: &[f32]) {
        let lengths: Array = lengths.iter().map(|length| JsValue::from_f64(f64::from(*length))).collect();
        let _ = self.context.set_line_dash(&lengths);
    }

    fn round(&self, [left, top, width, height]: [f32; 4], radius: f32) {
        let radius = f64::from(radius.min(height / 2.0));
        let _ =
            self.context.round_rect_with_f64(left.into(), top.into(), width.into(), height.into(), radius);
    }

    /// A box of its own.
    fn solid(&self, rect: [f32; 4], radius: f32) {
        self.context.begin_path();
        self.round(rect, radius);
        self.context.fill();
    }

    fn line_around(&self, rect: [f32; 4], radius: f32) {
        self.context.begin_path();
        self.round(rect, radius);
        self.context.stroke();
    }

    /// Sets the scale and the origin of what is drawn next.
    fn place(&self, scale: f32, [x, y]: [f32; 2]) {
        let ratio = f64::from(self.ratio);
        let scale = f64::from(scale) * ratio;
        let _ =
            self.context.set_transform(scale, 0.0, 0.0, scale, f64::from(x) * ratio, f64::from(y) * ratio);
    }
}

/// The outlines of icons, each read once.
#[derive(Debug, Default)]
pub(super) struct Icons(std::cell::RefCell<Vec<(IconName, Path2d)>>);

impl Icons {
    fn outline(&self, icon: IconName) -> Option<Path2d> {
        let mut known = self.0.borrow_mut();
        if let Some((_, path)) = known.iter().find(|(other, _)| *other == icon) {
            return Some(path.clone());
        }
        let path = Path2d::new_with_path_string(icon.path()).ok()?;
        known.push((icon, path.clone()));
        Some(path)
    }
}

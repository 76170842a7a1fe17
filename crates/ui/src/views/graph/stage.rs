//! The canvas and its content, kept between frames: every change asks for a frame, and one frame draws them all.
//!
//! Hovering and panning must not cost a comparison of a thousand nodes, so none of it passes through a component.

use std::{
    cell::RefCell,
    rc::{Rc, Weak},
};

use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};
use yew::Callback;

use super::{
    camera::Camera,
    ink::Theme,
    neighbours::Neighbours,
    paint::{Icons, Pen, pulse},
    ripple::Ripple,
    scene::{Lights, Scene, Sheet},
};
use crate::views::Same;

/// A drawing on the page.
#[derive(Default)]
pub(in crate::views) struct Stage {
    canvas: Option<(HtmlCanvasElement, CanvasRenderingContext2d)>,
    sheet: Option<Rc<Sheet>>,
    camera: Option<Camera>,
    pane: (f32, f32),
    lights: Lights,
    stop: usize,
    theme: Theme,
    icons: Icons,
    ripple: Ripple,
    frame: Frame,
    /// Called after a frame with the camera that it was drawn with.
    on_drawn: Callback<Camera>,
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Stage")
            .field("camera", &self.camera)
            .field("lights", &self.lights)
            .finish_non_exhaustive()
    }
}

/// The next frame.
#[derive(Default)]
struct Frame {
    call: Option<Closure<dyn FnMut(f64)>>,
    request: Option<i32>,
}

impl Stage {
    /// Draws on a canvas from now on.
    pub(super) fn attach(stage: &Same<RefCell<Self>>, canvas: HtmlCanvasElement, on_drawn: Callback<Camera>) {
        let context = canvas.get_context("2d").ok().flatten();
        let context = context.and_then(|it| it.dyn_into::<CanvasRenderingContext2d>().ok());
        let mut own = stage.borrow_mut();
        own.theme = Theme::of(&canvas).unwrap_or_default();
        own.canvas = context.map(|context| (canvas, context));
        own.on_drawn = on_drawn;
        let weak = Rc::downgrade(&stage.0);
        own.frame.call = Some(Closure::new(move |now| frame(&weak, now)));
        own.invalidate();
    }

    /// Forgets the canvas.
    pub(super) fn detach(&mut self) {
        if let (Some(request), Some(window)) = (self.frame.request.take(), web_sys::window()) {
            let _ = window.cancel_animation_frame(request);
        }
        self.canvas = None;
        self.frame.call = None;
        self.on_drawn = Callback::noop();
    }

    /// Asks for a frame, if none is coming.
    fn invalidate(&mut self) {
        if let (None, Some(call), Some(window)) = (self.frame.request, &self.frame.call, web_sys::window()) {
            self.frame.request = window.request_animation_frame(call.as_ref().unchecked_ref()).ok();
        }
    }

    /// Reads the colours again.
    pub(super) fn dress(&mut self) {
        if let Some((canvas, _)) = &self.canvas {
            self.theme = Theme::of(canvas).unwrap_or_default();
            self.invalidate();
        }
    }

    /// Shows a model; highlights of the one before are dropped.
    pub(super) fn show(&mut self, sheet: Rc<Sheet>) {
        self.ripple.follow(&sheet.model);
        self.stop = self.stop.min(sheet.model.nodes.len().saturating_sub(1));
        self.lights = Lights { ring: self.lights.ring.map(|_| self.stop), ..Lights::default() };
        self.sheet = Some(sheet);
        self.invalidate();
    }

    /// The sheet on it; `None` before one was shown.
    pub(super) fn sheet(&self) -> Option<Rc<Sheet>> {
        self.sheet.clone()
    }

    /// The highlights.
    pub(super) const fn lights(&self) -> &Lights {
        &self.lights
    }

    /// Sets the camera, and the width and height of the pane.
    pub(super) fn look(&mut self, camera: Camera, pane: (f32, f32)) {
        if self.camera != Some(camera) || self.pane != pane {
            (self.camera, self.pane) = (Some(camera), pane);
            self.invalidate();
        }
    }

    /// Lifts a node with its neighbours and fades the rest; without any, nothing is lifted.
    pub(in crate::views) fn light(&mut self, middle: Option<usize>, lit: Option<Neighbours>) {
        self.change(|lights| Lights { middle, lit, ..lights });
    }

    /// Draws only these; everything without them.
    pub(super) fn set_shown(&mut self, shown: Option<Same<Neighbours>>) {
        self.change(|lights| Lights { shown, ..lights });
    }

    /// Fades everything but these.
    pub(super) fn keep(&mut self, kept: Option<Same<Neighbours>>) {
        self.change(|lights| Lights { kept, ..lights });
    }

    /// Marks the selected node.
    pub(super) fn select(&mut self, selected: Option<usize>) {
        self.change(|lights| Lights { selected, ..lights });
    }

    /// The node that the keyboard is on, or would come to.
    pub(super) const fn stop(&self) -> usize {
        self.stop
    }

    /// Makes a node the one that the keyboard is on.
    pub(super) fn stop_at(&mut self, node: usize) {
        self.stop = node;
        self.ring(self.lights.ring.is_some());
    }

    /// Marks the node that the keyboard is on, or no longer.
    pub(super) fn ring(&mut self, on: bool) {
        let ring = on.then_some(self.stop);
        self.change(|lights| Lights { ring, ..lights });
    }

    fn change(&mut self, to: impl FnOnce(Lights) -> Lights) {
        let now = to(self.lights.clone());
        if now != self.lights {
            self.lights = now;
            self.invalidate();
        }
    }

    /// The scene that is on it.
    pub(super) fn scene(&self) -> Option<Scene> {
        Some(Scene::of(self.sheet.as_deref()?, &self.lights, self.camera?, self.pane))
    }

    /// Draws everything on another canvas, with nothing set apart.
    pub(super) fn draw_on(
        &self,
        context: &CanvasRenderingContext2d,
        camera: Camera,
        pane: (f32, f32),
        ratio: f32,
    ) {
        let Some(sheet) = self.sheet.as_deref() else { return };
        let lights = Lights { shown: self.lights.shown.clone(), ..Lights::default() };
        let pen =
            Pen { context, theme: &self.theme, camera, sheet, lights: &lights, ratio, icons: &self.icons };
        pen.draw(&Scene::of(sheet, &lights, camera, pane), pane);
    }

    /// Draws everything; returns the camera, if there is a drawing.
    fn draw(&mut self, now: f64) -> Option<Camera> {
        self.frame.request = None;
        let (canvas, context) = self.canvas.as_ref()?;
        let (sheet, camera) = (self.sheet.as_deref()?, self.camera.filter(|_| self.pane.0 > 0.0)?);
        let ratio =
            web_sys::window().map_or(1.0, |window| window.device_pixel_ratio() as f32).clamp(1.0, 3.0);
        resize(canvas, self.pane, ratio);
        let pen = Pen {
            context,
            theme: &self.theme,
            camera,
            sheet,
            lights: &self.lights,
            ratio,
            icons: &self.icons,
        };
        pen.draw(&Scene::of(sheet, &self.lights, camera, self.pane), self.pane);
        let calm = self.theme.calm;
        let running = self.ripple.at(now, calm).map(|running| {
            for (edge, part) in running {
                sheet.model.edges.get(edge).into_iter().for_each(|edge| pulse(&pen, edge, part));
            }
        });
        if running.is_some() {
            self.invalidate();
        }
        Some(camera)
    }
}

fn frame(stage: &Weak<RefCell<Stage>>, now: f64) {
    let Some(stage) = stage.upgrade() else { return };
    let drawn = stage.borrow_mut().draw(now);
    // Nothing may hold the stage while others are told.
    let on_drawn = stage.borrow().on_drawn.clone();
    drawn.into_iter().for_each(|camera| on_drawn.emit(camera));
}

/// As many pixels as the pane has on this screen.
fn resize(canvas: &HtmlCanvasElement, pane: (f32, f32), ratio: f32) {
    let (width, height) = ((pane.0 * ratio).round() as u32, (pane.1 * ratio).round() as u32);
    if canvas.width() != width || canvas.height() != height {
        canvas.set_width(width);
        canvas.set_height(height);
    }
}

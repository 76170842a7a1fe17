//! Pointer and keys on the drawing.

use std::{cell::RefCell, rc::Rc};

use gloo::events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, WheelEvent};
use workspace::view::LocationView;
use yew::prelude::*;

use super::{
    camera::Camera,
    drag::{Drag, Gesture},
    held::{Held, held},
    model::Model,
    neighbours::Neighbours,
    scene::Detail,
    stage::Stage,
    walk::{Step, type_ahead, walk},
    zoom::STEP,
};
use crate::views::Same;

/// The state of pointer and keyboard on the drawing; no change of it needs a new render of the component.
#[derive(Default)]
pub(super) struct Hand {
    /// The view that the user chose.
    pub(super) view: View,
    /// The view from before only a neighbourhood was drawn.
    before: Option<View>,
    /// The addresses and rectangles of the nodes that were drawn last.
    known: Vec<(String, [f32; 4])>,
    /// The node or edge under the pointer.
    pub(super) over: Option<Hit>,
    drag: Drag,
    typed: String,
    typed_at: f64,
}

/// The part of the drawing that is in view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum View {
    /// The initial view.
    #[default]
    Start,
    /// The initial view, moved just as far as needed to show a box.
    Near([f32; 4]),
    /// Everything.
    All,
    /// The camera that the user chose.
    At(Camera),
}

/// The node or edge at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hit {
    Node(usize),
    Edge(usize),
}

/// A request of a key to the parts around the drawing, for the node that has the keyboard focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::views) enum Request {
    /// Finds a node by its name.
    Find,
    /// Shows everything about it.
    Describe,
    /// Folds the group that it is in.
    Fold,
    /// Closes the card over the drawing.
    Close,
}

/// The context that all handlers share.
#[derive(Clone)]
pub(super) struct CanvasContext {
    pub(super) hand: Rc<RefCell<Hand>>,
    pub(super) root: NodeRef,
    /// Width and height of the pane.
    pub(super) pane: (f32, f32),
    /// The part of the drawing that is of interest: left, top, width, height.
    pub(super) target: [f32; 4],
    /// The box that the initial view shows.
    pub(super) first: [f32; 4],
    pub(super) model: Same<Model>,
    pub(super) stage: Same<RefCell<Stage>>,
    pub(super) redraw: UseForceUpdateHandle,
    pub(super) center: Option<usize>,
    pub(super) on_center: Callback<Option<usize>>,
    pub(super) on_goto: Callback<LocationView>,
    pub(super) on_select: Callback<String>,
    pub(super) on_edge: Option<Callback<usize>>,
    pub(super) on_request: Callback<(Request, usize)>,
    pub(super) on_open: Option<Callback<usize>>,
}

/// Typing goes on as one word when the keys follow one another within this many milliseconds.
const TYPING: f64 = 900.0;

impl CanvasContext {
    /// The current camera.
    pub(super) fn camera(&self) -> Camera {
        match self.hand.borrow().view {
            View::Start => Camera::start(self.target, self.first, self.pane),
            View::Near(rect) => Camera::start(self.target, self.first, self.pane).showing(rect, self.pane),
            View::All => Camera::fit(self.target, self.pane),
            View::At(camera) => camera,
        }
    }

    /// Sets the view.
    pub(super) fn look(&self, view: View) {
        let view = match view {
            View::At(camera) => View::At(camera.bounded(self.model.size, self.pane)),
            View::Start | View::Near(_) | View::All => view,
        };
        let before = std::mem::replace(&mut self.hand.borrow_mut().view, view);
        self.stage.borrow_mut().look(self.camera(), self.pane);
        // Frames redraw what follows the camera; buttons say what the view is.
        if !matches!((before, view), (View::At(_), View::At(_))) {
            self.redraw.force_update();
        }
    }

    /// Zooms around the middle.
    pub(super) fn zoom(&self, factor: f32) {
        self.look(View::At(self.camera().zoomed(factor, (self.pane.0 / 2.0, self.pane.1 / 2.0))));
    }

    /// True if everything of interest can be seen.
    pub(super) fn shows_all(&self) -> bool {
        self.camera().shows(self.target, self.pane)
    }

    /// Keeps the node in view where it is when the drawing changes a little; returns to the initial view when none of
    /// the nodes drawn before is there any more: another workspace was opened.
    pub(super) fn follow(&self) {
        let now = self.model.nodes.iter().map(|node| (node.address.clone(), node.rect)).collect();
        let (known, view) = {
            let mut hand = self.hand.borrow_mut();
            hand.over = None;
            (std::mem::replace(&mut hand.known, now), hand.view)
        };
        let held = held(&self.model, &known, view, self.pane, self.stage.borrow().stop());
        match (held, view) {
            (Held::Nothing, _) => self.look(View::Start),
            (Held::Shift(dx, dy), View::At(camera)) => {
                self.look(View::At(camera.moved(dx * camera.across(), dy * camera.scale)));
            }
            (Held::Shift(..) | Held::First, _) => {}
        }
    }

    /// Brings a node into view, if it is not. If the user has not moved the drawing by hand, the view still shows all
    /// that fits.
    pub(super) fn reveal(&self, node: usize) {
        let Some(node) = self.model.nodes.get(node).filter(|_| self.pane.0 > 0.0) else { return };
        let camera = self.camera();
        let showing = camera.showing(node.rect, self.pane);
        if showing != camera {
            let by_hand = matches!(self.hand.borrow().view, View::At(_));
            self.look(if by_hand { View::At(showing) } else { View::Near(node.rect) });
        }
    }

    /// Brings a node into the middle, so large that it can be read.
    pub(super) fn approach(&self, node: usize) {
        const LEGIBLE: f32 = 0.8;
        let Some(rect) = self.model.nodes.get(node).map(|it| it.rect).filter(|_| self.pane.0 > 0.0) else {
            return;
        };
        let camera = self.camera();
        let camera = Camera { scale: camera.scale.max(LEGIBLE), wide: 1.0, ..camera };
        self.look(View::At(camera.centered((rect[0] + rect[2] / 2.0, rect[1] + rect[3] / 2.0), self.pane)));
    }

    /// Shows all of the neighbourhood that is drawn, if its names can be read then; afterwards returns to the view
    /// before.
    pub(super) fn focus(&self) {
        if self.center.is_none() {
            let before = self.hand.borrow_mut().before.take();
            return self.look(before.unwrap_or_default());
        }
        {
            let mut hand = self.hand.borrow_mut();
            let view = hand.view;
            hand.before.get_or_insert(view);
        }
        let legible = Detail::at(Camera::fit(self.target, self.pane).scale) > Detail::Far;
        self.look(if legible { View::All } else { View::Start });
    }

    /// Lifts a node with its neighbours; nothing without one.
    fn light(&self, node: Option<usize>) {
        let lit = node.map(|node| Neighbours::of(&self.model, node));
        self.stage.borrow_mut().light(node, lit);
    }

    fn goto(&self, node: usize) {
        match (self.model.nodes.get(node), &self.on_open) {
            (Some(it), Some(on_open)) if !it.members.is_empty() => on_open.emit(node),
            (Some(it), _) => {
                self.on_select.emit(it.address.clone());
                self.on_goto.emit(it.origin.clone());
            }
            (None, _) => {}
        }
    }

    fn follow_edge(&self, at: usize) {
        match (&self.on_edge, self.model.edges.get(at)) {
            (Some(on_edge), Some(_)) => on_edge.emit(at),
            (None, Some(edge)) => self.on_goto.emit(edge.origin.clone()),
            (_, None) => {}
        }
    }

    /// Shows only the neighbourhood of a node, or everything again; a group is unfolded instead.
    fn enter(&self, at: usize) {
        match (&self.on_open, self.model.nodes.get(at)) {
            (Some(on_open), Some(node)) if !node.members.is_empty() => on_open.emit(at),
            _ => self.on_center.emit((self.center != Some(at)).then_some(at)),
        }
    }

    /// Puts the keyboard on a node.
    fn stand(&self, node: usize) {
        {
            let mut stage = self.stage.borrow_mut();
            stage.ring(true);
            stage.stop_at(node);
        }
        self.light(Some(node));
        self.reveal(node);
        self.redraw.force_update();
    }

    /// The position of the pointer in the pane. Yew listens at the root, so the event's own element is not this one.
    fn point(&self, event: &web_sys::MouseEvent) -> (f32, f32) {
        let bounds = self.root.cast::<Element>().map(|element| element.get_bounding_client_rect());
        let (left, top) = bounds.map_or((0.0, 0.0), |bounds| (bounds.left(), bounds.top()));
        ((f64::from(event.client_x()) - left) as f32, (f64::from(event.client_y()) - top) as f32)
    }

    /// The node or edge below the pointer. Edges are found as long as they can be distinguished.
    fn hit(&self, event: &web_sys::MouseEvent) -> Option<Hit> {
        const NODE: f32 = 3.0;
        const EDGE: f32 = 7.0;
        let (camera, at) = (self.camera(), self.point(event));
        let stage = self.stage.borrow();
        let (sheet, lights) = (stage.sheet()?, stage.lights());
        let (at, reach) = (camera.below(at), 1.0 / camera.scale);
        let spot = [NODE / camera.across(), NODE * reach];
        let edge = || {
            let found =
                (Detail::at(camera.scale) != Detail::Far).then(|| sheet.edge_at(at, EDGE * reach, lights));
            found.flatten().map(Hit::Edge)
        };
        sheet.node_at(at, spot, lights).map(Hit::Node).or_else(edge)
    }

    fn hover(&self, hit: Option<Hit>) {
        if std::mem::replace(&mut self.hand.borrow_mut().over, hit) == hit {
            return;
        }
        match hit {
            Some(Hit::Edge(edge)) => {
                self.stage.borrow_mut().light(None, Some(Neighbours::of_edge(&self.model, edge)));
            }
            Some(Hit::Node(node)) => self.light(Some(node)),
            None => self.light(None),
        }
        self.redraw.force_update();
    }

    pub(super) fn on_over(&self) -> Callback<MouseEvent> {
        let context = self.clone();
        Callback::from(move |event: MouseEvent| {
            if event.buttons() == 0 {
                context.hover(context.hit(&event));
            }
        })
    }

    pub(super) fn on_leave(&self) -> Callback<MouseEvent> {
        let context = self.clone();
        Callback::from(move |_| context.hover(None))
    }

    pub(super) fn on_click(&self) -> Callback<MouseEvent> {
        let context = self.clone();
        Callback::from(move |event: MouseEvent| {
            if context.hand.borrow().drag.is_drag() {
                return;
            }
            match context.hit(&event) {
                Some(Hit::Node(node)) => {
                    context.stage.borrow_mut().stop_at(node);
                    context.goto(node);
                }
                Some(Hit::Edge(edge)) => context.follow_edge(edge),
                None => context.on_request.emit((Request::Close, context.stage.borrow().stop())),
            }
        })
    }

    pub(super) fn on_double(&self) -> Callback<MouseEvent> {
        let context = self.clone();
        Callback::from(move |event: MouseEvent| match context.hit(&event) {
            Some(Hit::Node(node)) => context.on_center.emit(Some(node)),
            Some(Hit::Edge(_)) => {}
            None => context.on_center.emit(None),
        })
    }

    /// Brings the focused node into view when the focus comes by keyboard.
    pub(super) fn on_focus(&self) -> Callback<FocusEvent> {
        let context = self.clone();
        Callback::from(move |_: FocusEvent| {
            let root = context.root.cast::<Element>();
            if root.is_some_and(|root| root.matches(":focus-visible").unwrap_or(false)) {
                let stop = context.stage.borrow().stop();
                context.stand(stop);
            }
        })
    }

    pub(super) fn on_blur(&self) -> Callback<FocusEvent> {
        let context = self.clone();
        Callback::from(move |_| {
            context.stage.borrow_mut().ring(false);
            context.light(None);
        })
    }

    pub(super) fn on_key(&self) -> Callback<KeyboardEvent> {
        let context = self.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.ctrl_key() || event.meta_key() || event.alt_key() {
                return;
            }
            let at = context.stage.borrow().stop();
            if context.key(&event.key(), at, event.time_stamp()) {
                event.prevent_default();
                event.stop_propagation();
            }
        })
    }

    /// Handles a key; `false` if it has no meaning here.
    fn key(&self, key: &str, at: usize, now: f64) -> bool {
        if let Some(step) = Step::of(key) {
            let shown = self.stage.borrow().lights().shown.clone();
            let to = walk(&self.model, at, step, shown.as_deref());
            self.stand(to.unwrap_or(at));
            return true;
        }
        let typing = now - self.hand.borrow().typed_at < TYPING && !self.hand.borrow().typed.is_empty();
        match key {
            " " => self.goto(at),
            "Enter" => self.enter(at),
            "Escape" if self.center.is_some() => self.on_center.emit(None),
            "Escape" => self.on_request.emit((Request::Close, at)),
            "F1" => self.on_request.emit((Request::Describe, at)),
            "Backspace" => self.on_request.emit((Request::Fold, at)),
            "/" => self.on_request.emit((Request::Find, at)),
            "f" if !typing => self.on_center.emit((self.center != Some(at)).then_some(at)),
            "+" | "=" => self.zoom(STEP),
            "-" | "−" if !typing => self.zoom(1.0 / STEP),
            "0" if !typing => self.look(View::All),
            _ if key.chars().count() == 1 => self.type_on(key, at, typing, now),
            _ => return false,
        }
        true
    }

    fn type_on(&self, key: &str, at: usize, typing: bool, now: f64) {
        let typed = {
            let mut hand = self.hand.borrow_mut();
            if !typing {
                hand.typed.clear();
            }
            hand.typed.push_str(key);
            hand.typed_at = now;
            hand.typed.clone()
        };
        if let Some(to) = type_ahead(&self.model, at, &typed) {
            self.stand(to);
        }
    }

    pub(super) fn on_down(&self) -> Callback<PointerEvent> {
        let context = self.clone();
        Callback::from(move |event: PointerEvent| {
            if event.button() <= 1 {
                context.hand.borrow_mut().drag.down(event.pointer_id(), context.point(&event));
            }
        })
    }

    /// The pointer is captured only once it drags, so that a click still reaches the element below it.
    pub(super) fn on_move(&self) -> Callback<PointerEvent> {
        let context = self.clone();
        Callback::from(move |event: PointerEvent| {
            let gesture = context.hand.borrow_mut().drag.moved(event.pointer_id(), context.point(&event));
            let Some(gesture) = gesture else { return };
            if let Some(element) = context.root.cast::<Element>() {
                let _ = element.set_pointer_capture(event.pointer_id());
            }
            context.look(View::At(match gesture {
                Gesture::Pan(dx, dy) => context.camera().moved(dx, dy),
                Gesture::Pinch(factor, at, (dx, dy)) => context.camera().zoomed(factor, at).moved(dx, dy),
            }));
        })
    }

    pub(super) fn on_up(&self) -> Callback<PointerEvent> {
        let hand = self.hand.clone();
        Callback::from(move |event: PointerEvent| hand.borrow_mut().drag.up(event.pointer_id()))
    }

    /// With Ctrl the wheel zooms, and a pinch on a touchpad is that too; without it only where the keyboard is, so that
    /// a page around the drawing still scrolls.
    fn on_wheel(&self, event: &WheelEvent) {
        let root = self.root.cast::<Element>();
        let focused = root.is_some_and(|root| root.matches(":focus").unwrap_or(false));
        if !(event.ctrl_key() || event.meta_key() || focused) {
            return;
        }
        event.prevent_default();
        let pixels = if event.delta_mode() == WheelEvent::DOM_DELTA_PIXEL { 1.0 } else { 16.0 };
        let speed = if event.ctrl_key() { 0.01 } else { 0.002 };
        let factor = (-event.delta_y() * pixels * speed).clamp(-0.5, 0.5).exp() as f32;
        self.look(View::At(self.camera().zoomed(factor, self.point(event))));
    }
}

/// Zooms by wheel. The listener may refuse the scroll, which Yew's own do not.
#[hook]
pub(super) fn use_wheel(root: NodeRef, context: CanvasContext) {
    let latest = use_mut_ref(|| None::<CanvasContext>);
    latest.replace(Some(context));
    use_effect_with(root, move |root| {
        let listener = root.cast::<Element>().map(|element| {
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&element, "wheel", options, move |event| {
                let context = latest.borrow().clone();
                if let (Some(context), Some(event)) = (context, event.dyn_ref::<WheelEvent>()) {
                    context.on_wheel(event);
                }
            })
        });
        move || drop(listener)
    });
}

//! Pointer and keys on the drawing.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use diag::order;
use gloo::events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, WheelEvent};
use workspace::view::LocationView;
use yew::prelude::*;

use super::{
    camera::Camera,
    drag::{Drag, Gesture},
    model::Model,
    neighbours::Neighbours,
    stage::{Stage, focus},
    walk::{Step, type_ahead, walk},
    zoom::STEP,
};
use crate::{dom, views::Same};

/// What the hand does to the drawing; none of it is worth drawing the nodes again.
#[derive(Default)]
pub(super) struct Hand {
    /// Where the user put the camera.
    pub(super) view: View,
    /// The addresses that were drawn last.
    known: BTreeSet<String>,
    drag: Drag,
    typed: String,
    typed_at: f64,
}

/// Where one looks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum View {
    /// Where one begins.
    #[default]
    Start,
    /// Where one begins, moved just as far as needed to show a box.
    Near([f32; 4]),
    /// At everything.
    All,
    /// Where the user went.
    At(Camera),
}

/// What all handlers share.
#[derive(Clone)]
pub(super) struct CanvasContext {
    pub(super) hand: Rc<RefCell<Hand>>,
    pub(super) svg: NodeRef,
    /// Width and height of the pane.
    pub(super) pane: (f32, f32),
    /// The part of the drawing that is of interest: left, top, width, height.
    pub(super) target: [f32; 4],
    /// The box that one begins to look at.
    pub(super) first: [f32; 4],
    pub(super) model: Same<Model>,
    pub(super) stage: Same<RefCell<Stage>>,
    /// The edge whose label is shown.
    pub(super) tip: UseStateHandle<Option<usize>>,
    pub(super) redraw: UseForceUpdateHandle,
    pub(super) center: Option<usize>,
    pub(super) on_center: Callback<Option<usize>>,
    pub(super) on_goto: Callback<LocationView>,
    pub(super) on_select: Callback<String>,
    pub(super) on_edge: Option<Callback<usize>>,
}

/// Typing goes on as one word when the keys follow one another within this many milliseconds.
const TYPING: f64 = 900.0;

impl CanvasContext {
    /// Where the camera is.
    pub(super) fn camera(&self) -> Camera {
        match self.hand.borrow().view {
            View::Start => Camera::start(self.target, self.first, self.pane),
            View::Near(rect) => Camera::start(self.target, self.first, self.pane).showing(rect, self.pane),
            View::All => Camera::fit(self.target, self.pane),
            View::At(camera) => camera,
        }
    }

    /// Looks somewhere.
    pub(super) fn look(&self, view: View) {
        let view = match view {
            View::At(camera) => View::At(camera.bounded(self.model.size, self.pane)),
            View::Start | View::Near(_) | View::All => view,
        };
        self.hand.borrow_mut().view = view;
        self.redraw.force_update();
    }

    /// Zooms around the middle.
    pub(super) fn zoom(&self, factor: f32) {
        self.look(View::At(self.camera().zoomed(factor, (self.pane.0 / 2.0, self.pane.1 / 2.0))));
    }

    /// Whether everything of interest can be seen.
    pub(super) fn shows_all(&self) -> bool {
        self.camera().shows(self.target, self.pane)
    }

    /// Looks again when none of what was drawn is there any more: another workspace was opened.
    pub(super) fn follow(&self) {
        let now: BTreeSet<String> = order::set(self.model.nodes.iter().map(|node| node.address.clone()));
        let known = std::mem::replace(&mut self.hand.borrow_mut().known, now.clone());
        if !known.is_empty() && known.is_disjoint(&now) {
            self.look(View::Start);
        }
    }

    /// Brings a node into view, if it is not. Who has not moved the drawing by hand still sees all that fits.
    pub(super) fn reveal(&self, node: usize) {
        let Some(node) = self.model.nodes.get(node).filter(|_| self.pane.0 > 0.0) else { return };
        let camera = self.camera();
        let showing = camera.showing(node.rect, self.pane);
        if showing != camera {
            let by_hand = matches!(self.hand.borrow().view, View::At(_));
            self.look(if by_hand { View::At(showing) } else { View::Near(node.rect) });
        }
    }

    /// Lifts a node with its neighbours; nothing without one.
    fn light(&self, node: Option<usize>) {
        let lit = node.map(|node| Neighbours::of(&self.model, node));
        self.stage.borrow_mut().light(node, lit);
    }

    fn light_edge(&self, edge: usize) {
        self.stage.borrow_mut().light(None, Some(Neighbours::of_edge(&self.model, edge)));
    }

    fn goto(&self, node: usize) {
        if let Some(node) = self.model.nodes.get(node) {
            self.on_select.emit(node.address.clone());
            self.on_goto.emit(node.origin.clone());
        }
    }

    fn follow_edge(&self, at: usize) {
        match (&self.on_edge, self.model.edges.get(at)) {
            (Some(on_edge), Some(_)) => on_edge.emit(at),
            (None, Some(edge)) => self.on_goto.emit(edge.origin.clone()),
            (_, None) => {}
        }
    }

    /// Puts the keyboard on a node.
    fn focus(&self, node: usize) {
        let element = self.stage.borrow().node(node);
        if let Some(element) = element {
            self.reveal(node);
            focus(&element);
        }
    }

    /// Where the pointer is in the pane. Yew listens at the root, so the event's own element is not this one.
    fn point(&self, event: &web_sys::MouseEvent) -> (f32, f32) {
        let bounds = self.svg.cast::<Element>().map(|element| element.get_bounding_client_rect());
        let (left, top) = bounds.map_or((0.0, 0.0), |bounds| (bounds.left(), bounds.top()));
        ((f64::from(event.client_x()) - left) as f32, (f64::from(event.client_y()) - top) as f32)
    }

    pub(super) fn on_over(&self) -> Callback<MouseEvent> {
        let desk = self.clone();
        Callback::from(move |event: MouseEvent| {
            if event.buttons() != 0 {
                return;
            }
            match hit(&event) {
                Some(Hit::Node(node)) => desk.light(Some(node)),
                Some(Hit::Edge(edge)) => desk.light_edge(edge),
                None => desk.light(None),
            }
            let tip = match hit(&event) {
                Some(Hit::Edge(edge)) => Some(edge),
                _ => None,
            };
            if *desk.tip != tip {
                desk.tip.set(tip);
            }
        })
    }

    pub(super) fn on_leave(&self) -> Callback<MouseEvent> {
        let desk = self.clone();
        Callback::from(move |_| {
            desk.light(None);
            desk.tip.set(None);
        })
    }

    pub(super) fn on_click(&self) -> Callback<MouseEvent> {
        let desk = self.clone();
        Callback::from(move |event: MouseEvent| {
            if desk.hand.borrow().drag.is_drag() {
                return;
            }
            match hit(&event) {
                Some(Hit::Node(node)) => desk.goto(node),
                Some(Hit::Edge(edge)) => desk.follow_edge(edge),
                None => {}
            }
        })
    }

    pub(super) fn on_double(&self) -> Callback<MouseEvent> {
        let desk = self.clone();
        Callback::from(move |event: MouseEvent| match hit(&event) {
            Some(Hit::Node(node)) => desk.on_center.emit(Some(node)),
            Some(Hit::Edge(_)) => {}
            None => desk.on_center.emit(None),
        })
    }

    pub(super) fn on_focus(&self) -> Callback<FocusEvent> {
        let desk = self.clone();
        Callback::from(move |event: FocusEvent| {
            if let Some(Hit::Node(node)) = hit(&event) {
                desk.stage.borrow_mut().stop_at(node);
                desk.light(Some(node));
            }
        })
    }

    pub(super) fn on_blur(&self) -> Callback<FocusEvent> {
        let desk = self.clone();
        Callback::from(move |_| desk.light(None))
    }

    pub(super) fn on_key(&self) -> Callback<KeyboardEvent> {
        let desk = self.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.ctrl_key() || event.meta_key() || event.alt_key() {
                return;
            }
            let at = match hit(&event) {
                Some(Hit::Node(node)) => node,
                _ => desk.stage.borrow().stop(),
            };
            if desk.key(&event.key(), at, event.time_stamp()) {
                event.prevent_default();
                event.stop_propagation();
            }
        })
    }

    /// Does what a key stands for; `false` when it stands for nothing here.
    fn key(&self, key: &str, at: usize, now: f64) -> bool {
        if let Some(step) = Step::of(key) {
            if let Some(to) = walk(&self.model, at, step) {
                self.focus(to);
            }
            return true;
        }
        let typing = now - self.hand.borrow().typed_at < TYPING && !self.hand.borrow().typed.is_empty();
        match key {
            " " => self.goto(at),
            "Enter" => self.on_center.emit((self.center != Some(at)).then_some(at)),
            "Escape" if self.center.is_some() => self.on_center.emit(None),
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
            self.focus(to);
        }
    }

    pub(super) fn on_down(&self) -> Callback<PointerEvent> {
        let desk = self.clone();
        Callback::from(move |event: PointerEvent| {
            if event.button() <= 1 {
                desk.hand.borrow_mut().drag.down(event.pointer_id(), desk.point(&event));
            }
        })
    }

    /// The pointer is caught only once it drags, so that a click still reaches what it is on.
    pub(super) fn on_move(&self) -> Callback<PointerEvent> {
        let desk = self.clone();
        Callback::from(move |event: PointerEvent| {
            let gesture = desk.hand.borrow_mut().drag.moved(event.pointer_id(), desk.point(&event));
            let Some(gesture) = gesture else { return };
            if let Some(element) = desk.svg.cast::<Element>() {
                let _ = element.set_pointer_capture(event.pointer_id());
            }
            desk.look(View::At(match gesture {
                Gesture::Pan(dx, dy) => desk.camera().moved(dx, dy),
                Gesture::Pinch(factor, at, (dx, dy)) => desk.camera().zoomed(factor, at).moved(dx, dy),
            }));
        })
    }

    pub(super) fn on_up(&self) -> Callback<PointerEvent> {
        let hand = self.hand.clone();
        Callback::from(move |event: PointerEvent| hand.borrow_mut().drag.up(event.pointer_id()))
    }

    /// With Ctrl the wheel zooms, and a pinch on a touchpad is that too; without it only where the keyboard
    /// is, so
    /// that a page around the drawing still scrolls.
    fn on_wheel(&self, event: &WheelEvent) {
        let focused = self
            .svg
            .cast::<Element>()
            .and_then(|element| element.query_selector(":focus").ok().flatten())
            .is_some();
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
pub(super) fn use_wheel(svg: NodeRef, desk: CanvasContext) {
    let latest = use_mut_ref(|| None::<CanvasContext>);
    latest.replace(Some(desk));
    use_effect_with(svg, move |svg| {
        let listener = svg.cast::<Element>().map(|element| {
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&element, "wheel", options, move |event| {
                let desk = latest.borrow().clone();
                if let (Some(desk), Some(event)) = (desk, event.dyn_ref::<WheelEvent>()) {
                    desk.on_wheel(event);
                }
            })
        });
        move || drop(listener)
    });
}

/// What an event is about.
enum Hit {
    Node(usize),
    Edge(usize),
}

fn hit(event: &web_sys::Event) -> Option<Hit> {
    let target = dom::origin(event)?;
    let index = |name: &str| {
        let element = target.closest(&format!("[{name}]")).ok().flatten()?;
        element.get_attribute(name)?.parse::<usize>().ok()
    };
    index("data-node").map(Hit::Node).or_else(|| index("data-edge").map(Hit::Edge))
}

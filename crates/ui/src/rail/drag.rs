//! Moving a file by its grip: the order changes while it is dragged.
//!
//! The page listens, not the grip: moving a row in the list would take a captured pointer from it.

use std::{cell::RefCell, rc::Rc};

use gloo::{
    events::{EventListener, EventListenerOptions},
    utils::document,
};
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

use super::RailEvent;
use crate::LayerBadge;

/// The file that is being dragged, and the callback that starts dragging one.
pub(super) struct Drag {
    /// The letter of the file that is held.
    pub held: Option<AttrValue>,
    /// Takes hold of a file by its letter.
    pub grab: Callback<AttrValue>,
}

/// Lets rows be dragged in `list`.
#[hook]
pub(super) fn use_drag(list: &NodeRef, layers: &Rc<Vec<LayerBadge>>, on_event: &Callback<RailEvent>) -> Drag {
    let held = use_state_eq(|| None::<AttrValue>);
    let current = use_mut_ref(|| (layers.clone(), on_event.clone()));
    *current.borrow_mut() = (layers.clone(), on_event.clone());
    {
        let (list, release) = (list.clone(), held.setter());
        use_effect_with((*held).clone(), move |held| {
            let listeners = held.clone().map(|letter| listen(&letter, &list, &current, &release));
            move || drop(listeners)
        });
    }
    let grab = {
        let (held, on_event) = (held.clone(), on_event.clone());
        Callback::from(move |letter| {
            on_event.emit(RailEvent::Grab);
            held.set(Some(letter));
        })
    };
    Drag { held: (*held).clone(), grab }
}

type Current = Rc<RefCell<(Rc<Vec<LayerBadge>>, Callback<RailEvent>)>>;

fn listen(
    letter: &AttrValue,
    list: &NodeRef,
    current: &Current,
    release: &UseStateSetter<Option<AttrValue>>,
) -> Vec<EventListener> {
    let moved = {
        let (letter, list, current) = (letter.clone(), list.clone(), current.clone());
        EventListener::new(&document(), "pointermove", move |event| {
            let Some(event) = event.dyn_ref::<PointerEvent>() else { return };
            let (layers, on_event) = current.borrow().clone();
            let at = layers.iter().position(|layer| layer.letter == letter);
            let to = target(&list, f64::from(event.client_y()));
            if let Some((at, to)) = at.zip(to).filter(|(at, to)| at != to) {
                on_event.emit(RailEvent::Move(at, to));
            }
        })
    };
    let end = |name: &'static str, keep: bool| {
        let (current, release) = (current.clone(), release.clone());
        EventListener::new(&document(), name, move |_| {
            release.set(None);
            let (_, on_event) = current.borrow().clone();
            on_event.emit(RailEvent::Drop(keep));
        })
    };
    let escape = {
        let (current, release) = (current.clone(), release.clone());
        let options = EventListenerOptions::run_in_capture_phase();
        EventListener::new_with_options(&document(), "keydown", options, move |event| {
            if event.dyn_ref::<KeyboardEvent>().is_some_and(|event| event.key() == "Escape") {
                event.stop_propagation();
                release.set(None);
                let (_, on_event) = current.borrow().clone();
                on_event.emit(RailEvent::Drop(false));
            }
        })
    };
    vec![moved, end("pointerup", true), end("pointercancel", false), escape]
}

/// The index in the order at a pointer: the row that it is over, or the nearest.
fn target(list: &NodeRef, y: f64) -> Option<usize> {
    let rows = list.cast::<Element>()?.children();
    let row = |idx| rows.item(idx).map(|row| row.get_bounding_client_rect());
    let under = (0..rows.length()).find(|idx| row(*idx).is_some_and(|place| y < place.bottom()));
    Some(under.unwrap_or(rows.length().saturating_sub(1)) as usize)
}

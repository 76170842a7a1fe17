//! Moves the focus of the keyboard after the focused element was moved or removed.

use gloo::timers::callback::Timeout;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The maximum number of turns of the event loop to wait for rendering.
const TURNS: u32 = 250;

/// Puts the focus on an element as soon as it is found. Yew renders in several turns of the event loop where a change is large, so
/// that `find` has to tell the page after a change from the page before it. A change that never comes moves no focus.
pub(crate) fn focus_when_found(find: impl Fn() -> Option<HtmlElement> + 'static) {
    try_to_focus(find, TURNS);
}

fn try_to_focus(find: impl Fn() -> Option<HtmlElement> + 'static, turns: u32) {
    let attempt = move || match find() {
        Some(element) => drop(element.focus()),
        None if turns > 0 => try_to_focus(find, turns - 1),
        None => {}
    };
    Timeout::new(0, attempt).forget();
}

/// Puts the focus on an element that has or will have this id.
pub(crate) fn focus_by_id(id: String) {
    focus_when_found(move || gloo::utils::document().get_element_by_id(&id)?.dyn_into().ok());
}

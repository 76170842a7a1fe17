//! Access of components to the page beyond drawing: properties of elements, the clipboard, media queries and the focus.

use std::fmt;

use gloo::events::EventListener;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// Notes in the timeline of the page that a component is drawn. Builds that ship note nothing.
pub fn note_drawn(component: impl fmt::Display) {
    if cfg!(debug_assertions)
        && let Some(performance) = web_sys::window().and_then(|it| it.performance())
    {
        let _ = performance.mark(&format!("drawn {component}"));
    }
}

/// Sets CSS custom properties on an element whenever they change. Through the object model, because a content
/// security policy refuses `style` attributes.
#[hook]
pub fn use_properties(node: &NodeRef, properties: Vec<(&'static str, String)>) {
    let node = node.clone();
    use_effect_with(properties, move |properties| {
        if let Some(element) = node.cast::<HtmlElement>() {
            for (name, value) in properties {
                let _ = element.style().set_property(name, value);
            }
        }
    });
}

/// Copies a text and calls `done` with true if that succeeded. Pages without a secure origin have no clipboard.
pub fn copy(text: &str, done: impl FnOnce(bool) + 'static) {
    let clipboard = web_sys::window().map(|window| window.navigator().clipboard());
    let Some(clipboard) = clipboard.filter(|clipboard| !clipboard.is_undefined()) else { return done(false) };
    let promise = clipboard.write_text(text);
    spawn_local(async move { done(JsFuture::from(promise).await.is_ok()) });
}

/// True if a media query holds.
#[hook]
pub fn use_media(query: &'static str) -> bool {
    let holds = use_state_eq(|| media(query).is_some_and(|list| list.matches()));
    {
        let holds = holds.setter();
        use_effect_with(query, move |query| {
            let query = *query;
            let listener = media(query).map(|list| {
                EventListener::new(&list, "change", move |_| {
                    holds.set(media(query).is_some_and(|list| list.matches()));
                })
            });
            move || drop(listener)
        });
    }
    *holds
}

fn media(query: &str) -> Option<web_sys::MediaQueryList> {
    web_sys::window()?.match_media(query).ok()?
}

/// Moves the focus to an element.
pub fn focus(node: &NodeRef) {
    if let Some(element) = node.cast::<HtmlElement>() {
        let _ = element.focus();
    }
}

/// The element an event comes from, also from inside a shadow root.
pub fn origin(event: &Event) -> Option<Element> {
    event.composed_path().get(0).dyn_into().ok()
}

/// True if text is being written where an event comes from, so that single keys are not commands.
pub fn is_writing(event: &Event) -> bool {
    let Some(element) = origin(event) else { return false };
    matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
        || element.closest("[contenteditable='true'], dialog").ok().flatten().is_some()
}

/// True if this is a Mac, where commands are given with ⌘.
pub fn is_mac() -> bool {
    let agent = web_sys::window().and_then(|window| window.navigator().user_agent().ok());
    agent.is_some_and(|agent| agent.contains("Mac"))
}

/// `⌘K` or `Ctrl K`.
pub fn chord(key: &str) -> String {
    if is_mac() { format!("⌘{key}") } else { format!("Ctrl {key}") }
}

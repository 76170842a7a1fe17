//! Style sheets that load when something first needs them.

use gloo::utils::document;
use js_sys::Promise;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Event, HtmlLinkElement};

/// Loads the style sheet at an address, once for all callers. Returns false if that failed; it can be tried again.
pub async fn load(address: &str) -> bool {
    let Some(link) = find(address).or_else(|| create(address)) else { return false };
    if link.sheet().is_some() {
        return true;
    }
    let event = JsFuture::from(settled(&link)).await;
    let is_loaded = event
        .ok()
        .and_then(|event| event.dyn_into::<Event>().ok())
        .is_some_and(|event| event.type_() == "load");
    if !is_loaded {
        link.remove();
    }
    is_loaded
}

fn find(address: &str) -> Option<HtmlLinkElement> {
    let found = document().query_selector(&format!("link[rel=stylesheet][href='{address}']")).ok()??;
    found.dyn_into().ok()
}

fn create(address: &str) -> Option<HtmlLinkElement> {
    let link: HtmlLinkElement = document().create_element("link").ok()?.dyn_into().ok()?;
    link.set_rel("stylesheet");
    link.set_href(address);
    document().head()?.append_child(&link).ok()?;
    Some(link)
}

/// The event that ends a request: "load" or "error". Neither fires before the task that called this ends.
fn settled(link: &HtmlLinkElement) -> Promise {
    Promise::new(&mut |resolve, _| {
        for event in ["load", "error"] {
            let _ = link.add_event_listener_with_callback(event, &resolve);
        }
    })
}

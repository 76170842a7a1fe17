//! Elements whose size matters.

use js_sys::Array;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

/// Calls back once when the element is there, and whenever its size changes.
#[hook]
pub(crate) fn use_size(node: NodeRef, changed: Callback<()>) {
    let latest = use_mut_ref(|| None::<Callback<()>>);
    latest.replace(Some(changed));
    use_effect_with(node, move |node| {
        let observed = node.cast::<Element>().and_then(|element| {
            let call = Closure::<dyn FnMut(Array)>::new(move |_entries| {
                let callback = latest.borrow().clone();
                if let Some(callback) = callback {
                    callback.emit(());
                }
            });
            let observer = ResizeObserver::new(call.as_ref().unchecked_ref()).ok()?;
            observer.observe(&element);
            Some((observer, call))
        });
        move || {
            if let Some((observer, call)) = observed {
                observer.disconnect();
                drop(call);
            }
        }
    });
}

//! Changes of the page's colours.

use js_sys::Array;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{MutationObserver, MutationObserverInit};
use yew::prelude::*;

use crate::dom::use_media;

/// Calls back when another theme holds, chosen in the page or by the system; a number that changes with it.
#[hook]
pub(super) fn use_theme(root: &NodeRef, changed: Callback<()>) -> u32 {
    let version = use_state(|| 0u32);
    let media = (
        use_media("(prefers-color-scheme: dark)"),
        use_media("(prefers-contrast: more)"),
        use_media("(forced-colors: active)"),
        use_media("(prefers-reduced-motion: reduce)"),
    );
    let chosen = use_state(|| 0u32);
    use_effect_with((), {
        let chosen = chosen.setter();
        move |()| {
            let observed = observe(move || chosen.set(js_sys::Date::now() as u32));
            move || {
                if let Some((observer, call)) = observed {
                    observer.disconnect();
                    drop(call);
                }
            }
        }
    });
    use_effect_with((media, *chosen, root.clone()), {
        let (version, now) = (version.setter(), *version);
        move |_| {
            changed.emit(());
            version.set(now.wrapping_add(1));
        }
    });
    *version
}

/// An observer, and the closure that it calls for as long as it observes.
type Observed = (MutationObserver, Closure<dyn FnMut(Array)>);

/// Calls when the page's own choice of a theme changes.
fn observe(mut changed: impl FnMut() + 'static) -> Option<Observed> {
    let root = web_sys::window()?.document()?.document_element()?;
    let call = Closure::<dyn FnMut(Array)>::new(move |_| changed());
    let observer = MutationObserver::new(call.as_ref().unchecked_ref()).ok()?;
    let options = MutationObserverInit::new();
    options.set_attributes(true);
    options.set_attribute_filter(&Array::of1(&"data-theme".into()));
    observer.observe_with_options(&root, &options).ok()?;
    Some((observer, call))
}

//! The parts of the module that are fetched when they are needed, and share its memory.
//!
//! A build with the feature `split` puts what only these functions reach into WebAssembly files of their own.
//! JavaScript fetches and instantiates a part and then calls [`add_part`], which keeps what the function gives: an object
//! through which all of the part is reached.

use std::{
    cell::RefCell,
    future::Future,
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
};

use ::workspace::Workspace;
use capabilities::{Part, Parts};
use js_sys::Function;
use wasm_bindgen::prelude::*;

use crate::failure;

thread_local! {
    static LOADED: RefCell<Parts> = RefCell::default();
    static LOADER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Makes of the table of parts what loads and what asks each.
macro_rules! define {
    ($(
        $(#[$doc:meta])*
        $name:ident $part:ident $hosts:ident {
            $(answers $answers:ident;)?
            $(registers $registration:path => $capability:expr;)*
        }
    )*) => {
        mod functions {
            use capabilities::{Parts, load_functions};

            load_functions! { $($name: pub(super) fn $name() -> Parts { Parts::$name() })* }
        }

        /// A part, once JavaScript has instantiated it.
        fn instantiated(part: Part) -> Option<Parts> {
            match part {
                $(Part::$part => ready(pin!(functions::$name())),)*
            }
        }

        $($(
            #[doc = concat!("The answers of the part `", stringify!($name), "`.")]
            pub(crate) fn $name() -> Result<&'static dyn capabilities::$answers, JsValue> {
                loaded(Part::$part)?.$name.ok_or_else(|| missing(Part::$part))
            }
        )?)*
    };
}

capabilities::parts!(define);

/// Stores the capabilities of a part that JavaScript has instantiated. Returns true if a part of that name exists and
/// is loaded now.
#[wasm_bindgen(skip_typescript, js_name = addPart)]
pub fn add_part(name: &str) -> bool {
    let Some(part) = Part::named(name) else { return false };
    let parts = LOADED.with_borrow(|it| *it).and(instantiated(part).unwrap_or_default());
    LOADED.set(parts);
    parts.has(part)
}

/// The names of all parts, for the build of a module that is not split: it has no files that would name them.
#[cfg(not(feature = "split"))]
#[wasm_bindgen(skip_typescript)]
pub fn parts() -> Vec<String> {
    Part::ALL.iter().map(|it| it.name()).chain(crate::runs::PARTS).map(str::to_owned).collect()
}

/// The content of a part, from the future that loads it; `None` if it could not be loaded. There is nothing to
/// wait for: JavaScript has instantiated the part by now, so the future is ready at once.
pub(crate) fn ready<T, E>(mut call: Pin<&mut dyn Future<Output = Result<T, E>>>) -> Option<T> {
    let mut context = Context::from_waker(Waker::noop());
    // Once to begin, once to ask, once for the answer.
    for _ in 0..3 {
        if let Poll::Ready(it) = call.as_mut().poll(&mut context) {
            return it.ok();
        }
    }
    None
}

/// Sets what loads a part at once, for hosts that can: a function that takes its name, and has called [`add_part`] when it
/// returns true.
#[wasm_bindgen(skip_typescript, js_name = setLoader)]
pub fn set_loader(load: Function) {
    LOADER.set(Some(load));
}

/// The parts that have these capabilities.
pub(crate) fn names_of(capabilities: &[&str]) -> Vec<&'static str> {
    Part::of_capabilities(capabilities).into_iter().map(Part::name).collect()
}

/// The parts, with that one among them.
fn loaded(part: Part) -> Result<Parts, JsValue> {
    if !LOADED.with_borrow(|it| it.has(part)) {
        load_now(part);
    }
    let parts = LOADED.with_borrow(|it| *it);
    if parts.has(part) { Ok(parts) } else { Err(missing(part)) }
}

/// Loads a part, if the host can do that synchronously. Returns true if it did.
fn load_now(part: Part) -> bool {
    let load = LOADER.with_borrow(Clone::clone);
    let loaded = load.and_then(|it| it.call1(&JsValue::UNDEFINED, &part.name().into()).ok());
    loaded.is_some_and(|it| it.is_truthy())
}

fn missing(part: Part) -> JsValue {
    failure::not_loaded(part.name())
}

/// Adds to a workspace the capabilities that its files need, as far as they are loaded or can be at once.
pub(crate) fn complete(workspace: &mut Workspace) {
    let missing = LOADED.with_borrow(|it| *it).complete(workspace);
    let now = missing.into_iter().filter(|it| load_now(*it)).count();
    if now > 0 {
        LOADED.with_borrow(|it| *it).complete(workspace);
    }
}

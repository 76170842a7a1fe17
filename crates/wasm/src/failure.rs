//! The errors that are thrown for mistakes of the calling program: an `Error` with a `code`.

use view::codes::wasm;
use wasm_bindgen::JsValue;

/// An argument that no call can be made with.
pub(crate) fn bad_argument(message: &str) -> JsValue {
    error(wasm::BAD_ARGUMENT.as_str(), message)
}

/// The error of a store; with the resource's `key`, if it is about one.
#[cfg(feature = "controllers")]
pub(crate) fn store(refused: &::store::StoreError) -> JsValue {
    let error = error(refused.code(), &refused.to_string());
    if let Some(key) = refused.key().and_then(|key| crate::answer::plain(key).ok()) {
        let _ = js_sys::Reflect::set(&error, &"key".into(), &key);
    }
    error
}

/// The error of a controller's call: denied to the controller, or refused by the store.
#[cfg(feature = "controllers")]
pub(crate) fn call(refused: &::runtime::CallError) -> JsValue {
    match refused {
        ::runtime::CallError::Store(refused) => store(refused),
        ::runtime::CallError::Denied(denied) => error(::runtime::AccessDenied::CODE, &denied.to_string()),
    }
}

/// A controller that is not registered, or a runtime that does not start.
#[cfg(feature = "controllers")]
pub(crate) fn refused(code: &str, message: &str) -> JsValue {
    error(code, message)
}

/// A plan that cannot be made or applied, with the engine's own code and `help`.
#[cfg(feature = "descriptors")]
pub(crate) fn engine(refused: &workspace::engine::EngineError) -> JsValue {
    helped(&refused.code, &refused.message, &refused.help)
}

/// The error for an adapter that cannot be used; `help` says what to do.
#[cfg(feature = "descriptors")]
pub(crate) fn obstacle(obstacle: &fetch::Obstacle) -> JsValue {
    helped(obstacle.code.as_str(), &obstacle.what, &obstacle.help)
}

#[cfg(feature = "descriptors")]
fn helped(code: &str, message: &str, help: &str) -> JsValue {
    let error = error(code, message);
    let _ = js_sys::Reflect::set(&error, &"help".into(), &help.into());
    error
}

/// A zip package that is refused.
#[cfg(feature = "descriptors")]
pub(crate) fn bad_package(message: &str) -> JsValue {
    error(wasm::BAD_PACKAGE.as_str(), message)
}

/// A part of the module that is needed and was not loaded.
#[cfg(feature = "descriptors")]
pub(crate) fn not_loaded(name: &str) -> JsValue {
    error(
        workspace::codes::capability::NOT_LOADED.as_str(),
        &format!("`{name}` is not loaded: call `await load(\"{name}\")` first"),
    )
}

/// A bug of ours that could be caught.
pub(crate) fn internal(message: &str) -> JsValue {
    error(wasm::INTERNAL.as_str(), message)
}

fn error(code: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    // Setting a property of a fresh object cannot fail.
    let _ = js_sys::Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}

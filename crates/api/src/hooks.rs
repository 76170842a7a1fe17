use std::{fmt, future::Future, pin::Pin, rc::Rc, sync::Arc};

use http::{HeaderMap, Response};
use serde_json::Value;

/// A request to a method that the specification adds.
#[derive(Clone, Debug, PartialEq)]
pub struct HookRequest {
    /// The service: `secrets.edgelq.com`.
    pub service: String,
    /// The method with its API: `SecretService/RotateSecret`.
    pub method: String,
    /// The request's message: fields of path, query and body together.
    pub request: Value,
    /// The user who sent it, if known.
    pub user: Option<Arc<str>>,
    /// The headers as they came.
    pub headers: HeaderMap,
}

/// Executes a method that the specification adds.
pub trait Hook {
    /// The response, complete.
    fn call(&self, request: HookRequest) -> Pin<Box<dyn Future<Output = Response<Vec<u8>>>>>;
}

/// Finds the hook of a method.
pub trait Hooks {
    /// The hook of `API/Method` of a service; `None` if there is none, which is answered with 501.
    fn find(&self, service: &str, method: &str) -> Option<Rc<dyn Hook>>;
}

/// No hooks.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHooks;

impl Hooks for NoHooks {
    fn find(&self, _: &str, _: &str) -> Option<Rc<dyn Hook>> {
        None
    }
}

impl fmt::Debug for dyn Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hook")
    }
}

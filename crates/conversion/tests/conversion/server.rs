//! A server of the new version, and what is sent to it.

use std::{
    cell::Cell,
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use api::{Api, Hooks, NoHooks, Reply};
use futures_core::Stream;
use http::{Request, Response};
use integrity::{Flags, MetadataPlugin, Plugins, Transactions};
use planloom_conversion::{Conversion, OldVersions};
use serde_json::Value;
use store::{Store, testing::ManualClock};

/// An API of a conversion over an empty store.
pub(crate) fn api(conversion: Conversion) -> Rc<Api> {
    api_with(conversion, Rc::new(NoHooks))
}

/// The same with methods of its specifications.
pub(crate) fn api_with(conversion: Conversion, hooks: Rc<dyn Hooks>) -> Rc<Api> {
    let given = conversion.given();
    let old_versions = OldVersions::new(vec![conversion]);
    let services = old_versions.stored(&given.0);
    let rules = api::rules(&services, &given.1).unwrap();
    let plugins = Plugins::new(MetadataPlugin::new(|| "uuid".to_owned()));
    let store = Store::in_memory(Arc::new(ManualClock::default()));
    let transactions =
        Transactions::new(store, rules, plugins, Flags { strict_naming: false, ..Flags::default() });
    let seed = Cell::new(0);
    let ids = move || seed.replace(seed.get() + 1);
    let api = Api::new(services, given.1, transactions, Rc::new(ids));
    Rc::new(api.with_hooks(hooks).with_old_versions(Rc::new(old_versions)))
}

fn reply(api: &Rc<Api>, request: &str, body: &Value) -> Reply {
    let (method, path) = request.split_once(' ').unwrap();
    let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
    api.answer(Request::builder().method(method).uri(path).body(body).unwrap())
}

fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}

/// The response to a request that is to have a status, without metadata.
#[track_caller]
pub(crate) fn sent(api: &Rc<Api>, request: &str, body: &Value, status: u16) -> Value {
    let response: Response<Vec<u8>> = match reply(api, request, body) {
        Reply::Whole(response) => response,
        Reply::Later(response) => ready(response),
        Reply::Long(_) | Reply::Stream(_) => panic!("{request} has a long response"),
    };
    while api.work() {}
    let text = String::from_utf8_lossy(response.body());
    assert_eq!(response.status().as_u16(), status, "{request} {body}\n{text}");
    let mut found: Value = serde_json::from_str(&text).unwrap_or_default();
    without_metadata(&mut found);
    found
}

fn without_metadata(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.shift_remove("metadata");
            fields.values_mut().for_each(without_metadata);
        }
        Value::Array(items) => items.iter_mut().for_each(without_metadata),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The messages of a watch that there are.
pub(crate) struct Watching(Pin<Box<dyn Stream<Item = Vec<u8>>>>);

impl Watching {
    pub(crate) fn open(api: &Rc<Api>, path: &str, body: &Value) -> Self {
        match reply(api, &format!("POST {path}"), body) {
            Reply::Stream(response) => Self(response.into_body()),
            Reply::Whole(response) => panic!("{}", String::from_utf8_lossy(response.body())),
            Reply::Long(_) | Reply::Later(_) => panic!("it is a stream"),
        }
    }

    pub(crate) fn messages(&mut self) -> Vec<Value> {
        let mut found = Vec::new();
        while let Poll::Ready(Some(part)) = self.0.as_mut().poll_next(&mut Context::from_waker(Waker::noop()))
        {
            let mut message = serde_json::from_slice(&part).unwrap();
            without_metadata(&mut message);
            message.as_object_mut().unwrap().shift_remove("resumeToken");
            found.push(message);
        }
        found
    }
}

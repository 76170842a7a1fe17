//! The browser's database, as texts by key.

use std::{cell::RefCell, rc::Rc};

use js_sys::{Array, JsString};
use state::BackendError;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;

use crate::keep;

/// The database; its copies are the same one.
#[derive(Clone, Debug)]
pub struct Database(JsValue);

/// What a transaction reads.
#[derive(Clone, Debug, Default)]
pub struct Reads {
    /// Texts by key.
    pub keys: Vec<String>,
    /// All between two keys.
    pub range: Option<(String, String)>,
}

/// What it found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// A text, or none, for each key.
    pub texts: Vec<Option<String>>,
    /// The texts of the range, in the order of their keys.
    pub range: Vec<String>,
}

/// What it writes.
#[derive(Clone, Debug)]
pub enum Put {
    /// This text stands there from now on.
    Text(String, String),
    /// Nothing does.
    Nothing(String),
    /// Nothing stands between these two.
    NothingBetween(String, String),
}

/// How a transaction is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It writes nothing.
    Read,
    /// What it writes may be lost when the machine loses its power.
    Relaxed,
    /// What it writes is on the disk when it is over.
    Strict,
}

impl Database {
    /// Opens it, or makes it.
    ///
    /// # Errors
    /// Where the browser does not give one, as in some private windows.
    pub async fn open(name: &str) -> Result<Self, BackendError> {
        JsFuture::from(keep::open_database(name)).await.map(Self).map_err(|error| unavailable(&error))
    }

    /// One transaction: what `decide` makes of what was found is written, all of it or nothing.
    ///
    /// # Errors
    /// What `decide` says, or that the database does not do it.
    pub async fn transact<T: 'static>(
        &self,
        mode: Mode,
        reads: Reads,
        decide: impl FnOnce(Found) -> Result<(Vec<Put>, T), BackendError> + 'static,
    ) -> Result<T, BackendError> {
        let decided: Rc<RefCell<Option<Result<T, BackendError>>>> = Rc::default();
        let (kept, ranged) = (decided.clone(), reads.range.is_some());
        let mut decide = Some(decide);
        let closure = Closure::new(move |found: Array| {
            let Some(decide) = decide.take() else { return Array::new() };
            match decide(read(&found, ranged)) {
                Ok((puts, answer)) => {
                    *kept.borrow_mut() = Some(Ok(answer));
                    puts.iter().map(put).collect()
                }
                Err(error) => {
                    *kept.borrow_mut() = Some(Err(error));
                    Array::new()
                }
            }
        });
        let keys: Array = reads.keys.iter().map(|key| JsValue::from_str(key)).collect();
        let range = reads.range.map_or(JsValue::NULL, |(from, to)| {
            Array::of2(&JsValue::from_str(&from), &JsValue::from_str(&to)).into()
        });
        let (write, strict) = (mode != Mode::Read, mode == Mode::Strict);
        let done = JsFuture::from(keep::transact(&self.0, write, strict, &keys, &range, &closure)).await;
        let decided = decided.borrow_mut().take();
        match (decided, done) {
            (Some(Err(error)), _) => Err(error),
            (_, Err(error)) => Err(unavailable(&error)),
            (Some(Ok(answer)), Ok(_)) => Ok(answer),
            (None, Ok(_)) => Err(BackendError::Unavailable("the browser's database did not answer".into())),
        }
    }
}

fn read(found: &Array, ranged: bool) -> Found {
    let text = |value: JsValue| value.as_string();
    let mut all: Vec<JsValue> = found.iter().collect();
    let range = if ranged { all.pop() } else { None };
    let range = range.map(|it| Array::from(&it).iter().filter_map(text).collect());
    Found { texts: all.into_iter().map(text).collect(), range: range.unwrap_or_default() }
}

fn put(put: &Put) -> JsValue {
    let text = |text: &str| JsValue::from(JsString::from(text));
    match put {
        Put::Text(key, value) => Array::of2(&text(key), &text(value)),
        Put::Nothing(key) => Array::of2(&text(key), &JsValue::NULL),
        Put::NothingBetween(from, to) => Array::of3(&text(from), &JsValue::NULL, &text(to)),
    }
    .into()
}

fn unavailable(error: &JsValue) -> BackendError {
    let why = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    let why = why.or_else(|| {
        let message = js_sys::Reflect::get(error, &JsValue::from_str("message")).ok()?;
        message.as_string()
    });
    BackendError::Unavailable(format!(
        "the browser's database: {}",
        why.unwrap_or_else(|| "it refuses".into())
    ))
}

//! The browser's database, as texts by key, in a page or in a worker.
//!
//! [`Database::transact`] reads and writes in one transaction: a function gets the texts that were read and
//! returns the writes. So no other page or worker can write between them.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

use std::{cell::RefCell, rc::Rc};

use js_sys::{Array, JsString, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen(module = "/js/database.js")]
extern "C" {
    #[wasm_bindgen(js_name = openDatabase)]
    fn open_database(name: &str) -> Promise;

    fn transact(
        db: &JsValue,
        write: bool,
        strict: bool,
        keys: &Array,
        range: &JsValue,
        decide: &Closure<dyn FnMut(Array) -> Array>,
    ) -> Promise;
}

/// The name of the database of the page and of its workers.
pub const DATABASE: &str = "planloom";

/// The database; its copies are the same one.
#[derive(Clone, Debug)]
pub struct Database(JsValue);

/// The reason for a refusal by the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseError {
    /// There is no room left.
    pub is_full: bool,
    /// The reason, in one line.
    pub message: String,
}

/// The reads of a transaction.
#[derive(Clone, Debug, Default)]
pub struct Reads {
    /// Texts by key.
    pub keys: Vec<String>,
    /// All between two keys.
    pub range: Option<(String, String)>,
}

/// The values that a transaction found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// A text, or none, for each key.
    pub texts: Vec<Option<String>>,
    /// The texts of the range, in the order of their keys.
    pub range: Vec<String>,
}

/// A write of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Put {
    /// This text stands there from now on.
    Text(String, String),
    /// Nothing does.
    Nothing(String),
    /// Nothing stands between these two.
    NothingBetween(String, String),
}

/// The access and the durability of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It writes nothing.
    Read,
    /// Its writes may be lost when the machine loses power.
    Relaxed,
    /// Its writes are on the disk when it is over.
    Strict,
}

impl Database {
    /// Opens it, or makes it.
    ///
    /// # Errors
    /// The browser does not give one, as in some private windows.
    pub async fn open(name: &str) -> Result<Self, DatabaseError> {
        JsFuture::from(open_database(name)).await.map(Self).map_err(|error| refusal(&error))
    }

    /// Runs one transaction: the writes that `decide` returns for the values found are made, all of them or none.
    ///
    /// # Errors
    /// The database refuses the transaction.
    pub async fn transact<T: 'static>(
        &self,
        mode: Mode,
        reads: Reads,
        decide: impl FnOnce(Found) -> (Vec<Put>, T) + 'static,
    ) -> Result<T, DatabaseError> {
        let decided: Rc<RefCell<Option<T>>> = Rc::default();
        let (kept, ranged) = (decided.clone(), reads.range.is_some());
        let mut decide = Some(decide);
        let closure = Closure::new(move |found: Array| {
            let Some(decide) = decide.take() else { return Array::new() };
            let (puts, answer) = decide(read(&found, ranged));
            *kept.borrow_mut() = Some(answer);
            puts.iter().map(put).collect()
        });
        let keys: Array = reads.keys.iter().map(|key| JsValue::from_str(key)).collect();
        let range = reads.range.map_or(JsValue::NULL, |(from, to)| {
            Array::of2(&JsValue::from_str(&from), &JsValue::from_str(&to)).into()
        });
        let (write, strict) = (mode != Mode::Read, mode == Mode::Strict);
        JsFuture::from(transact(&self.0, write, strict, &keys, &range, &closure))
            .await
            .map_err(|error| refusal(&error))?;
        let silent = || DatabaseError { is_full: false, message: "it did not answer".into() };
        decided.borrow_mut().take().ok_or_else(silent)
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

fn refusal(error: &JsValue) -> DatabaseError {
    let property = |name: &str| js_sys::Reflect::get(error, &JsValue::from_str(name)).ok()?.as_string();
    DatabaseError {
        is_full: property("name").as_deref() == Some("QuotaExceededError"),
        message: property("message").filter(|it| !it.is_empty()).unwrap_or_else(|| "it refuses".into()),
    }
}

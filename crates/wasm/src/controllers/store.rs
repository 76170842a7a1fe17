use std::sync::Arc;

use ::store::{Key, Kind, Query, Resource, Scope, StoreError};
use js_sys::{Function, Promise};
use serde::Serialize;
use timer::DateClock;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::{
    Watch, given,
    left::{left, listed},
    operation,
    options::{OwnedUpdate, Since, StoreOptions, WatchOptions, Writer, read},
};
use crate::{
    answer::{self, Answer},
    failure::{self, bad_argument},
};

/// Resources in one place.
#[wasm_bindgen(skip_typescript)]
#[derive(Clone, Debug)]
pub struct Store {
    pub(super) inner: ::store::Store,
}

/// The statistics of one kind.
#[derive(Serialize)]
struct Counted {
    #[serde(flatten)]
    kind: Kind,
    resources: usize,
    log_entries: usize,
    log_bytes: usize,
    watchers: usize,
    resyncs: u64,
}

#[wasm_bindgen]
impl Store {
    /// An empty store.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<Self, JsValue> {
        let options: StoreOptions = read(&options, "options")?;
        let inner = ::store::Store::new(options.into(), Arc::new(DateClock), None);
        Ok(Self { inner: inner.map_err(|error| failure::store(&error))? })
    }

    /// A resource; `null` where there is none.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn get(&self, key: JsValue) -> Answer {
        match self.inner.get(&given::key(&key)?) {
            Err(StoreError::NotFound { .. }) => Ok(JsValue::NULL),
            found => answered(found),
        }
    }

    /// The resources of a kind that match, and the moment that is true of.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn list(&self, kind: JsValue, query: JsValue) -> Answer {
        let (kind, query): (Kind, Query) = (given::kind(&kind, "kind")?, read(&query, "query")?);
        let snapshot = self.inner.list(&kind, &query);
        listed(&snapshot)
    }

    /// All of it or nothing.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn commit(&self, operations: JsValue, options: JsValue) -> Answer {
        let transaction = operation::transaction(&operations, "operations")?;
        let options: Writer = read(&options, "options")?;
        let committed = self.inner.commit(&options.actor(), transaction);
        let committed = committed.map_err(|error| failure::store(&error))?;
        left(committed)
    }

    /// A new resource.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn create(&self, draft: JsValue, options: JsValue) -> Answer {
        let draft = given::draft(&draft)?;
        let options: Writer = read(&options, "options")?;
        answered(self.inner.create(&options.actor(), draft))
    }

    /// Spec, labels and annotations of a resource as it was read and then changed.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn update(&self, resource: JsValue, options: JsValue) -> Answer {
        let resource = given::resource(&resource, "resource")?;
        let options: OwnedUpdate = read(&options, "options")?;
        answered(self.inner.update(&options.actor(), resource, options.options()))
    }

    /// Reads a resource, lets `change` make another of it, and updates it; again if another was quicker.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn modify(&self, key: JsValue, change: JsValue, options: JsValue) -> Answer {
        let (key, change) = (given::key(&key)?, function(&change, "change")?);
        let options: OwnedUpdate = read(&options, "options")?;
        let modified = self
            .inner
            .modify_with(&options.actor(), &key, options.options(), |resource| changed(&change, resource));
        modified.map_err(Thrown::value).and_then(|resource| answer::plain(&resource))
    }

    /// Modifies the resource of the draft's key, or creates it from the draft with the same change.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn upsert(&self, draft: JsValue, change: JsValue, options: JsValue) -> Answer {
        let (draft, change) = (given::draft(&draft)?, function(&change, "change")?);
        let options: OwnedUpdate = read(&options, "options")?;
        let upserted = self
            .inner
            .upsert_with(&options.actor(), draft, options.options(), |resource| changed(&change, resource));
        upserted.map_err(Thrown::value).and_then(|resource| answer::plain(&resource))
    }

    /// Tears a resource down: it is to be destroyed as soon as it has no finalizers. Returns true if it has none.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn teardown(&self, key: JsValue, options: JsValue) -> Result<bool, JsValue> {
        let (key, options): (_, Writer) = (given::key(&key)?, read(&options, "options")?);
        self.inner.teardown(&options.actor(), &key).map_err(|error| failure::store(&error))
    }

    /// These need it.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    #[wasm_bindgen(js_name = addFinalizers)]
    pub fn add_finalizers(&self, key: JsValue, names: JsValue) -> Answer {
        let (key, names): (_, Vec<Arc<str>>) = (given::key(&key)?, read(&names, "names")?);
        answered(self.inner.add_finalizers(&key, names))
    }

    /// These no longer need it.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    #[wasm_bindgen(js_name = removeFinalizers)]
    pub fn remove_finalizers(&self, key: JsValue, names: JsValue) -> Answer {
        let (key, names): (_, Vec<Arc<str>>) = (given::key(&key)?, read(&names, "names")?);
        answered(self.inner.remove_finalizers(&key, names))
    }

    /// It goes.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn destroy(&self, key: JsValue, options: JsValue) -> Result<(), JsValue> {
        let (key, options): (_, Writer) = (given::key(&key)?, read(&options, "options")?);
        self.inner.destroy(&options.actor(), &key).map_err(|error| failure::store(&error))
    }

    /// Tears it down, waits until nobody needs it, and destroys it.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    #[wasm_bindgen(js_name = teardownAndDestroy)]
    pub fn teardown_and_destroy(&self, key: JsValue, options: JsValue) -> Result<Promise, JsValue> {
        let (key, options): (Key, Writer) = (given::key(&key)?, read(&options, "options")?);
        let store = self.inner.clone();
        Ok(future_to_promise(async move {
            let gone = store.teardown_and_destroy(&options.actor(), &key).await;
            gone.map(|()| JsValue::UNDEFINED).map_err(|error| failure::store(&error))
        }))
    }

    /// Watches the changes of a resource, or of the resources of a kind that match a query.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn watch(&self, scope: JsValue, options: JsValue) -> Result<Watch, JsValue> {
        let WatchOptions { from, query } = read(&options, "options")?;
        let scope = self::scope(&scope, query)?;
        let from = from.map_or(Ok(::store::From::Now), Since::strict);
        let watch = from.and_then(|from| self.inner.watch(scope, from));
        watch.map(Watch::new).map_err(|error| failure::store(&error))
    }

    /// The last commit.
    #[wasm_bindgen(getter)]
    pub fn revision(&self) -> f64 {
        self.inner.revision().get() as f64
    }

    /// The statistics of the store, by kind.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn stats(&self) -> Answer {
        let stats = self.inner.stats();
        let counted = stats.kinds.into_iter().map(|(kind, of)| Counted {
            kind,
            resources: of.resources,
            log_entries: of.log_entries,
            log_bytes: of.log_bytes,
            watchers: of.watchers,
            resyncs: of.resyncs,
        });
        answer::plain(&counted.collect::<Vec<_>>())
    }

    /// Ends it: watches end, writes are refused.
    pub fn close(&self) {
        self.inner.close();
    }
}

/// The reason why a modification failed.
enum Thrown {
    ByStore(StoreError),
    ByCallback(JsValue),
}

impl Thrown {
    fn value(self) -> JsValue {
        match self {
            Self::ByStore(error) => failure::store(&error),
            Self::ByCallback(value) => value,
        }
    }
}

impl From<StoreError> for Thrown {
    fn from(error: StoreError) -> Self {
        Self::ByStore(error)
    }
}

impl Since {
    fn strict(self) -> Result<::store::From, StoreError> {
        Ok(match self {
            Self::Now => ::store::From::Now,
            Self::State => ::store::From::State,
            Self::Bookmark(text) => ::store::From::Revision(text.parse()?),
            Self::Tail(count) => ::store::From::Tail(count),
        })
    }
}

/// Passes a copy of a resource to a callback and takes over what it returns, or else the copy as the callback left it.
fn changed(change: &Function, resource: &mut Resource) -> Result<(), Thrown> {
    let shown = answer::plain(resource).map_err(Thrown::ByCallback)?;
    let returned = change.call1(&JsValue::UNDEFINED, &shown).map_err(Thrown::ByCallback)?;
    let value = if returned.is_undefined() { shown } else { returned };
    *resource = given::resource(&value, "the changed resource").map_err(Thrown::ByCallback)?;
    Ok(())
}

fn scope(value: &JsValue, query: Option<Query>) -> Result<Scope, JsValue> {
    let one = js_sys::Reflect::get(value, &"id".into()).is_ok_and(|id| !id.is_undefined());
    match (one, query) {
        (true, None) => Ok(Scope::One(given::key(value)?)),
        (true, Some(_)) => Err(bad_argument("`query` applies to a kind; `scope` names one resource")),
        (false, query) => {
            let kind = given::kind(value, "scope")?;
            Ok(Scope::Kind(kind, query.unwrap_or_default()))
        }
    }
}

fn function(value: &JsValue, name: &str) -> Result<Function, JsValue> {
    value.dyn_ref::<Function>().cloned().ok_or_else(|| bad_argument(&format!("`{name}` must be a function")))
}

fn answered(result: Result<Arc<Resource>, StoreError>) -> Answer {
    result.map_err(|error| failure::store(&error)).and_then(|resource| answer::plain(&resource))
}

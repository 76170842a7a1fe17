use std::rc::Rc;

use browser_state::{Database, IndexedBackend};
use database::DATABASE;
use serde::Serialize;
use state::{Backend, MemoryBackend, Snapshot};
use timer::HostTimer;
use wasm_bindgen::JsValue;

use super::given_backend::GivenBackend;

/// The place where a state is stored.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kept {
    /// In the browser's database, for all tabs and after a reload.
    Database,
    /// By the functions of the caller.
    Backend,
    /// Nowhere: the caller gets it and keeps it.
    Memory,
}

/// The backend of a state.
pub(super) struct Storage {
    pub(super) backend: Rc<dyn Backend>,
    pub(super) kept: Kept,
}

impl Storage {
    /// The functions of the caller, if there are any.
    ///
    /// # Errors
    /// The function that is missing, in one line.
    pub(super) fn functions(given: &JsValue) -> Result<Option<GivenBackend>, String> {
        let is_given = !given.is_undefined() && !given.is_null();
        is_given.then(|| GivenBackend::new(given)).transpose()
    }

    /// The functions of the caller, or the state that the caller gives, or the browser's database, or memory where there is
    /// none.
    pub(super) async fn open(
        name: &str,
        state: Option<Option<Snapshot>>,
        functions: Option<GivenBackend>,
    ) -> Self {
        if let Some(backend) = functions {
            return Self { backend: Rc::new(backend), kept: Kept::Backend };
        }
        if let Some(state) = state {
            return Self::memory(state);
        }
        match Database::open(DATABASE).await {
            Ok(database) => {
                let backend = Rc::new(IndexedBackend::new(database, name, Rc::new(HostTimer)));
                Self { backend, kept: Kept::Database }
            }
            Err(_) => Self::memory(None),
        }
    }

    fn memory(state: Option<Snapshot>) -> Self {
        let backend = Rc::new(state.map_or_else(MemoryBackend::default, MemoryBackend::of));
        Self { backend, kept: Kept::Memory }
    }
}

//! The store with the example's numbers, and the runtime on it.

use std::rc::Rc;
use workspace::view::GraphFormat;

use runtime::{Options, Runtime, Timer};
use store::{Actor, Draft, Key, Resource, Spec, Store, StoreError};
use ui::views::controllers::Snapshot;

use super::{chain, look::look, places::Places};

/// What the user finds at first.
const FIRST: [(&str, i64); 3] = [("a", 16), ("b", 2), ("c", 9)];

/// A store, and a runtime that can be stopped and started.
pub struct Bench {
    store: Store,
    timer: Rc<dyn Timer>,
    runtime: Runtime,
    places: Places,
}

impl Bench {
    /// The example at its beginning; its runtime has not been polled yet.
    pub fn new(store: Store, timer: Rc<dyn Timer>) -> Self {
        let runtime = example(&store, &timer);
        let bench = Self { store, timer, runtime, places: Places::default() };
        for (id, number) in FIRST {
            // A store in memory that is new refuses nothing.
            let _ = bench.put(id, number);
        }
        bench
    }

    /// The runtime, to be polled.
    pub fn runtime(&self) -> Runtime {
        self.runtime.clone()
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// A number says this from now on, whether there was one or not.
    ///
    /// # Errors
    /// One line on why not.
    pub fn put(&self, id: &str, number: i64) -> Result<(), String> {
        let spec = Spec::of(&number).map_err(|error| error.to_string())?;
        let set = |resource: &mut Resource| {
            resource.spec = spec.clone();
            Ok::<(), StoreError>(())
        };
        let draft = Draft::new(key(id), spec.clone());
        self.store.upsert(&Actor::user(), draft, set).map(drop).map_err(|error| refusal(&error))
    }

    /// A number shall go: it is torn down, and destroyed once nobody holds it.
    ///
    /// # Errors
    /// One line on why not.
    pub fn remove(&self, id: &str) -> Result<(), String> {
        let (user, key) = (Actor::user(), key(id));
        let removed = self
            .store
            .teardown(&user, &key)
            .and_then(|ready| if ready { self.store.destroy(&user, &key) } else { Ok(()) });
        removed.map_err(|error| refusal(&error))
    }

    /// Stops the runtime, or makes another on the same store: its counters begin anew. Whether there is a new one to
    /// be polled.
    pub fn run(&mut self, on: bool) -> bool {
        match (on, self.runtime.inspect().running) {
            (false, true) => {
                self.runtime.stop();
                false
            }
            (true, false) => {
                self.runtime = example(&self.store, &self.timer);
                true
            }
            _ => false,
        }
    }

    /// How everything is.
    pub fn look(&mut self) -> Snapshot {
        let graph = self.runtime.graph();
        self.places = std::mem::take(&mut self.places).of(&graph);
        look(&self.runtime, &self.store, &graph, &self.places)
    }

    /// The graph as text; nothing where a runtime has no such form.
    pub fn text(&self, format: GraphFormat) -> String {
        let graph = self.runtime.graph();
        match format {
            GraphFormat::Dot => graph.dot(),
            GraphFormat::Mermaid => graph.mermaid(),
            GraphFormat::Svg => String::new(),
        }
    }
}

impl std::fmt::Debug for Bench {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bench").field("runtime", &self.runtime).finish_non_exhaustive()
    }
}

fn example(store: &Store, timer: &Rc<dyn Timer>) -> Runtime {
    let runtime = Runtime::new(store.clone(), timer.clone(), Options::default());
    // The tests show that it is not refused.
    let _ = chain::register(&runtime);
    runtime
}

fn key(id: &str) -> Key {
    chain::numbers().key(id)
}

/// Why not, as the user of the view reads it.
fn refusal(error: &StoreError) -> String {
    match error {
        StoreError::PhaseConflict { key, .. } => {
            format!("{} is tearing down: it can be added again once it is destroyed", key.id)
        }
        StoreError::NotFound { key } => format!("{} no longer exists", key.id),
        other => other.to_string(),
    }
}

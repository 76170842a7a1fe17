use serde::Serialize;
use view::Action;

use crate::{EngineError, Report, StepView};

/// An event, as reported to listeners.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The state was opened.
    Opened {
        /// Its serial.
        serial: u64,
        /// The number of resources that are recorded.
        resources: usize,
    },
    /// The outcome of a write that an earlier run had started was determined.
    Recovered {
        /// The resource's address.
        address: String,
        /// The action that had been started.
        verb: Action,
        /// True if the resource exists.
        found: bool,
    },
    /// Progress of an observation.
    Observed {
        /// Resources observed so far.
        done: usize,
        /// Resources to observe.
        total: usize,
    },
    /// A plan was made.
    Planned {
        /// Its digest.
        digest: String,
        /// The number of actions that change something.
        actions: usize,
    },
    /// The state of a step changed: it started, progressed or ended.
    Step(StepView),
    /// The state was written.
    Committed {
        /// Its serial.
        serial: u64,
    },
    /// An adapter requires credentials.
    Unauthorized {
        /// The adapter's name.
        adapter: String,
    },
    /// An adapter that could not be reached is reachable again.
    Reached {
        /// The adapter's name.
        adapter: String,
    },
    /// A watch has restored a resource, and found again that it is gone, differs or could not be restored. It waits before the next
    /// time.
    BackOff {
        /// The resource's address.
        address: String,
        /// The number of times that it was restored in a row.
        restarts: u32,
        /// The pause in seconds.
        seconds: u64,
    },
    /// A run is over.
    Finished(Report),
    /// An error outside of the steps.
    #[serde(rename = "trouble")]
    Error(EngineError),
}

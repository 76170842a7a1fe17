use serde::Serialize;
use view::Action;

use crate::{EngineError, Report, StepView};

/// Something that happened, as it is told to whoever watches.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The state was opened.
    Opened {
        /// Its serial.
        serial: u64,
        /// How many resources are recorded.
        resources: usize,
    },
    /// What an earlier run had begun was looked for.
    Recovered {
        /// Of whom.
        address: String,
        /// What had been begun.
        verb: Action,
        /// Whether the real thing is there.
        found: bool,
    },
    /// So many of so many resources were looked at.
    Observed {
        /// So many.
        done: usize,
        /// Of so many.
        total: usize,
    },
    /// A plan was made.
    Planned {
        /// Its digest.
        digest: String,
        /// How many actions do something.
        actions: usize,
    },
    /// A step changed: it began, got on, or ended.
    Step(StepView),
    /// The state was written.
    Committed {
        /// Its serial.
        serial: u64,
    },
    /// An adapter wants to know who asks.
    Unauthorized {
        /// Which adapter.
        adapter: String,
    },
    /// An adapter that could not tell how things are can do so again.
    Reached {
        /// Which adapter.
        adapter: String,
    },
    /// A run is over.
    Finished(Report),
    /// Something went wrong besides the steps.
    #[serde(rename = "trouble")]
    Error(EngineError),
}

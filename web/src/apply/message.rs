//! The messages between the page and the worker that applies.

use serde::{Deserialize, Serialize};
use ui::views::{
    controllers::Snapshot,
    live::{ApplyStatus, Fault, VersionItem},
};
use workspace::{
    PlanOptions,
    view::{GraphFormat, PlanView, StateChange},
};

use crate::files_change::FilesChange;

/// To the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// The change of the files since the last time, and the options of the plan. The worker observes and plans again.
    Describe { revision: u64, change: FilesChange, options: PlanOptions },
    /// The page was opened by `planloom serve` with this token: the adapters beside it create real resources. With
    /// `simulates` they are offered and not used.
    Home { token: String, simulates: bool },
    /// Observes the resources, and plans again.
    Look,
    /// The same without saying so before something has changed: only where nothing else is to be done.
    Refresh,
    /// Carries out the plan of that digest.
    Apply { digest: String, keep_going: bool, allow_rebuild: bool },
    /// Ends what is under way: gently, or at once.
    Stop { at_once: bool },
    /// Keeps what exists as it is described, or no longer.
    Watch(bool),
    /// Takes the state from the holder with that id.
    Unlock(String),
    /// Sets the latency of the simulator's calls, in milliseconds.
    Latency(u32),
    /// Has something go wrong in the simulated world: `remove`, `change`, `fail`.
    Inject { fault: Fault, address: String },
    /// Starts or stops the reports of the controllers: they are only sent while the controllers are on screen.
    Inspect(bool),
    /// A question with one answer.
    Ask { id: u32, question: Question },
}

/// Something asked once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Question {
    /// The versions that are kept, latest first.
    Versions,
    /// The differences between two versions; without a second one, between a version and the current state.
    Compare { before: u64, after: Option<u64> },
    /// The text of a version.
    Version(u64),
    /// The graph of the controllers as text.
    Controllers(GraphFormat),
    /// The resources are those of that version again, as far as is recorded.
    Restore(u64),
    /// This text is the state from now on; with `simulate`, the simulator has what it records.
    Import { text: String, simulate: bool },
    /// The simulator has the recorded resources that it never had, as they are recorded.
    Simulate,
    /// Records the observed value of an attribute.
    Accept { address: String, path: String, value: serde_json::Value },
    /// This one value is set back to what was recorded, through the adapter.
    Revert { address: String, path: String },
    /// Uses an adapter, or with an empty address the simulator again.
    Connect { address: String, token: String },
}

/// An answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    Versions(Vec<VersionItem>),
    /// A version; `None` if it is no longer kept.
    Version(Option<String>),
    Text(String),
    Differences(Vec<Difference>),
    Done,
    /// The reason for the refusal, and its remedy.
    Refused {
        what: String,
        help: String,
    },
}

/// The change of one resource between two versions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The address of the resource.
    pub address: String,
    /// The kind of change.
    pub change: StateChange,
    /// The places that are not the same: pointer, before, after; both empty of a secret.
    pub places: Vec<(String, String, String)>,
}

/// From the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// The status of applying; without the steps.
    Live(Box<ApplyStatus>),
    /// The steps that have changed, each with its index; the other steps are as they were, unless these are `all`.
    Steps { all: bool, steps: Vec<(usize, ui::views::live::StepItem)> },
    /// The plan against what is recorded and seen; `None` where none can be made.
    Planned { revision: u64, plan: Option<Box<PlanView>> },
    /// The recorded state, as `planloom.state/1`; `None` if nothing was ever recorded.
    Recorded(Option<String>),
    /// The current state of the controllers.
    Controllers(Box<Snapshot>),
    /// The answer to a question.
    Answer { id: u32, answer: Answer },
    /// The worker stopped: our mistake. Nothing more will come from it.
    Stopped { message: String },
}

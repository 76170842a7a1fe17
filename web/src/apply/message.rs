//! What the page and the worker that applies say to each other.

use serde::{Deserialize, Serialize};
use ui::views::{
    controllers::Snapshot,
    live::{ApplyStatus, Fault, VersionItem},
};
use workspace::{
    File, PlanOptions,
    view::{GraphFormat, PlanView, StateChange},
};

/// To the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// What is described now, and how it is to be planned. It is looked at anew.
    Describe { revision: u64, files: Vec<File>, options: PlanOptions },
    /// The page was opened by `planloom serve` with this token: what makes real things is beside it. With `simulates` it is
    /// offered and not used.
    Home { token: String, simulates: bool },
    /// Looks at how things are, and plans again.
    Look,
    /// The same without saying so before something has changed: only where nothing else is to be done.
    Refresh,
    /// Carries out the plan of that digest.
    Apply { digest: String, keep_going: bool, allow_rebuild: bool },
    /// Ends what is under way: gently, or at once.
    Stop { at_once: bool },
    /// Keeps what exists as it is described, or no longer.
    Watch(bool),
    /// Takes the state from whoever holds it under that name.
    Unlock(String),
    /// How long the simulator's calls take, in milliseconds.
    Latency(u32),
    /// Has something go wrong in the simulated world: `remove`, `change`, `fail`.
    Inject { fault: Fault, address: String },
    /// Whether the controllers are on screen: if not, nothing is told of them.
    Inspect(bool),
    /// What is answered once.
    Ask { id: u32, question: Question },
}

/// Something asked once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Question {
    /// The versions that are kept, latest first.
    Versions,
    /// What is not the same in two versions; without a second one, in the state as it is now.
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
    /// What was seen counts as recorded.
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
    /// Why not, and what to do about it.
    Refused {
        what: String,
        help: String,
    },
}

/// What became of one resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Which.
    pub address: String,
    /// How it differs.
    pub change: StateChange,
    /// The places that are not the same: pointer, before, after; both empty of a secret.
    pub places: Vec<(String, String, String)>,
}

/// From the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// How it is; without the steps.
    Live(Box<ApplyStatus>),
    /// The steps from one on are these; what comes after them is as it was.
    Steps { all: bool, steps: Vec<(usize, ui::views::live::StepItem)> },
    /// The plan against what is recorded and seen; `None` where none can be made.
    Planned { revision: u64, plan: Option<Box<PlanView>> },
    /// What is recorded, as `planloom.state/1`; `None` where nothing ever was.
    Recorded(Option<String>),
    /// How the controllers are.
    Controllers(Box<Snapshot>),
    /// The answer to a question.
    Answer { id: u32, answer: Answer },
    /// The worker stopped: our mistake. Nothing more will come from it.
    Stopped { message: String },
}

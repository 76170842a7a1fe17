//! The state of applying, as plain data: sent by a worker and shown by the page.

use serde::{Deserialize, Serialize};
use workspace::view::Action;

use crate::Target;

/// The state of applying.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ApplyStatus {
    /// The current activity.
    pub doing: Doing,
    /// The target of an apply: the address of an adapter, empty for the simulator.
    pub adapter: String,
    /// The addresses of adapters that are served beside the page.
    #[serde(default)]
    pub offered: Vec<String>,
    /// True until it is known which adapters the `planloom serve` that opened the page offers.
    #[serde(default)]
    pub connecting: bool,
    /// The reason why the page is not connected to the `planloom serve` that opened it, as a sentence. Nothing is
    /// observed or created until the user chooses how to go on without it.
    #[serde(default)]
    pub adrift: Option<String>,
    /// True if the state of the resources is not known: the last check failed.
    #[serde(default)]
    pub unseen: bool,
    /// The time of the last observation, in milliseconds since 1970, if it is longer ago than the interval between
    /// checks.
    #[serde(default)]
    pub seen: Option<i64>,
    /// A deployment was opened; before that nothing is known of its state.
    #[serde(default)]
    pub opened: bool,
    /// The state outlives the page.
    pub kept: bool,
    /// The name of the state if `planloom serve` keeps it; empty if the browser does.
    #[serde(default)]
    pub shared: String,
    /// The digest that approves the last plan; `None` if nothing is to be done or the plan may not be applied.
    pub digest: Option<String>,
    /// The revision of the files that this plan is of.
    pub revision: u64,
    /// The steps of the run, or of the last one.
    pub steps: Vec<StepItem>,
    /// The outcome of the last run.
    pub outcome: Option<Outcome>,
    /// A note, as a sentence.
    pub note: String,
    /// The values that keeping in sync restores, as a sentence.
    #[serde(default)]
    pub restored: String,
    /// The changes that keeping in sync leaves to an apply, as a sentence.
    #[serde(default)]
    pub waiting: String,
    /// The error that concerns no single step.
    pub error: Option<ErrorItem>,
    /// The other holder of the state's lock.
    pub holder: Option<HolderItem>,
    /// The delay of the simulator, in milliseconds a call.
    pub latency: u32,
    /// The recorded resources that the simulator never had.
    #[serde(default)]
    pub absent: Vec<String>,
}

/// The adapter of `planloom serve` whose resources are not on its machine.
const GOLEM: &str = "golem";

impl ApplyStatus {
    /// The name of the target, for the user.
    pub fn place(&self) -> String {
        match self.target() {
            Target::Connecting | Target::Unreachable => "Not connected".into(),
            Target::Simulator => "Simulator".into(),
            Target::ThisMachine(adapter) => format!("{adapter} on this machine"),
            Target::GolemNetwork => "golem, which rents from the Golem network".into(),
            Target::Adapter(address) => address.to_string(),
        }
    }

    /// The target of an apply.
    pub fn target(&self) -> Target {
        match self.offered.iter().find(|it| **it == self.adapter) {
            _ if self.connecting => Target::Connecting,
            _ if self.adrift.is_some() => Target::Unreachable,
            _ if self.adapter.is_empty() => Target::Simulator,
            Some(address) if Self::short(address) == GOLEM => Target::GolemNetwork,
            Some(address) => Target::ThisMachine(Self::short(address).to_owned().into()),
            None => Target::Adapter(self.adapter.clone().into()),
        }
    }

    /// The short name of an adapter, for use beside its address: `process`.
    pub fn short(address: &str) -> &str {
        address.rsplit('/').next().unwrap_or(address)
    }
}

/// The current activity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Doing {
    /// Nothing.
    #[default]
    Idle,
    /// The resources are being checked.
    Looking,
    /// The plan is being applied.
    Applying,
    /// Everything is being destroyed.
    Destroying,
    /// The steps under way are coming to their end.
    Stopping,
    /// The resources are kept as they are described.
    Watching,
}

impl Doing {
    /// True if resources are being changed, or may be at any moment.
    pub const fn is_busy(self) -> bool {
        matches!(self, Self::Applying | Self::Destroying | Self::Stopping)
    }
}

/// A fault of the simulated resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// The resource is gone.
    Remove,
    /// The resource is changed.
    Change,
    /// The next call about it fails.
    Fail,
}

/// One step of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepItem {
    /// Its id.
    pub id: String,
    /// The address of its resource.
    pub address: String,
    /// The action.
    pub verb: Action,
    /// The state of the step.
    pub look: StepLook,
    /// The current activity, in a line.
    pub words: String,
    /// The progress, in percent.
    pub percent: Option<u8>,
    /// While it is at work: since when, in milliseconds since 1970.
    #[serde(default)]
    pub since: Option<i64>,
    /// The duration in milliseconds, once it has ended.
    #[serde(default)]
    pub took: Option<u64>,
    /// The address of the resource because of which it was skipped.
    pub because: Option<String>,
    /// The error, if it failed.
    #[serde(rename = "trouble")]
    pub error: Option<ErrorItem>,
}

/// The state of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepLook {
    /// Waiting; once the run is over: not begun.
    #[default]
    Waiting,
    /// Under way.
    Running,
    /// Ended well.
    Done,
    /// Failed.
    Failed,
    /// Not begun, because of another step.
    Skipped,
}

/// The outcome of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// True if everything was done.
    pub ok: bool,
    /// True if everything was to be destroyed.
    pub destroyed: bool,
    /// True if the user stopped it.
    pub stopped: bool,
    /// The number of steps that ended well.
    pub done: usize,
    /// The number of steps that failed.
    pub failed: usize,
    /// The number of steps that were skipped because of another.
    pub skipped: usize,
    /// Steps that were not begun.
    pub not_started: usize,
    /// The duration of the run, in milliseconds.
    #[serde(default)]
    pub took: Option<u64>,
}

/// An error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorItem {
    /// Its stable name.
    pub code: String,
    /// The message, lower case without full stop.
    pub message: String,
    /// The remedy.
    pub help: String,
    /// The places that caused it.
    pub places: Vec<PlaceItem>,
}

/// A place that caused an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceItem {
    /// The file.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
    /// The problem at this place.
    pub detail: String,
}

/// The holder of the state's lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HolderItem {
    /// The lock's name.
    pub id: String,
    /// The user or process that holds it.
    pub who: String,
    /// The operation that it is held for.
    pub operation: String,
}

/// One version of the state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionItem {
    /// Its serial.
    pub serial: u64,
    /// The time when it was recorded, in milliseconds since 1970; 0 if it is not known.
    pub at: i64,
    /// The number of resources.
    pub resources: usize,
}

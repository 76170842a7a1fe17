//! How applying is, as plain data: what a worker tells and the page shows.

use serde::{Deserialize, Serialize};
use workspace::view::Action;

use crate::Target;

/// How it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ApplyStatus {
    /// What is done at the moment.
    pub doing: Doing,
    /// Where things are made: the address of an adapter, empty for the simulator.
    pub adapter: String,
    /// The addresses of adapters that are served beside the page.
    #[serde(default)]
    pub offered: Vec<String>,
    /// It is not known yet what the `planloom serve` that opened the page offers.
    #[serde(default)]
    pub connecting: bool,
    /// Why the page is not connected to the `planloom serve` that opened it, as a sentence. Nothing is looked at and
    /// nothing is made until a person chooses what to do without it.
    #[serde(default)]
    pub adrift: Option<String>,
    /// How things are is not known: the last look failed.
    #[serde(default)]
    pub unseen: bool,
    /// When what is shown was observed, in milliseconds since 1970, where that is longer ago than looks are apart.
    #[serde(default)]
    pub seen: Option<i64>,
    /// A deployment was opened; before that nothing is known of its state.
    #[serde(default)]
    pub opened: bool,
    /// The state outlives the page.
    pub kept: bool,
    /// What the state is called where `planloom serve` keeps it; empty where the browser does.
    #[serde(default)]
    pub shared: String,
    /// What the plan that was looked at last is approved by; `None` where nothing is to be done or it may not be.
    pub digest: Option<String>,
    /// The revision of the files that this plan is of.
    pub revision: u64,
    /// The steps of the run, or of the last one.
    pub steps: Vec<StepItem>,
    /// What came of the last run.
    pub outcome: Option<Outcome>,
    /// What is worth knowing, as a sentence.
    pub note: String,
    /// What is restored by keeping in sync, as a sentence.
    #[serde(default)]
    pub restored: String,
    /// What keeping in sync leaves to an apply, as a sentence.
    #[serde(default)]
    pub waiting: String,
    /// What is wrong besides the steps.
    pub error: Option<ErrorItem>,
    /// Who else holds the state.
    pub holder: Option<HolderItem>,
    /// How slow the simulator is, in milliseconds a call.
    pub latency: u32,
    /// The recorded resources that the simulator never had.
    #[serde(default)]
    pub absent: Vec<String>,
}

/// The adapter of `planloom serve` whose resources are not on its machine.
const GOLEM: &str = "golem";

impl ApplyStatus {
    /// What the place is called in which things are made.
    pub fn place(&self) -> String {
        match self.target() {
            Target::Connecting | Target::Unreachable => "Not connected".into(),
            Target::Simulator => "Simulator".into(),
            Target::ThisMachine(adapter) => format!("{adapter} on this machine"),
            Target::GolemNetwork => "golem, which rents from the Golem network".into(),
            Target::Adapter(address) => address.to_string(),
        }
    }

    /// What an apply would touch.
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

    /// What an adapter is called by people who see its address beside it: `process`.
    pub fn short(address: &str) -> &str {
        address.rsplit('/').next().unwrap_or(address)
    }
}

/// What is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Doing {
    /// Nothing.
    #[default]
    Idle,
    /// It is looked how things are.
    Looking,
    /// The plan is carried out.
    Applying,
    /// Everything is being destroyed.
    Destroying,
    /// What is under way comes to its end.
    Stopping,
    /// What exists is kept as it is described.
    Watching,
}

impl Doing {
    /// Whether things are being changed, or may be at any moment.
    pub const fn is_busy(self) -> bool {
        matches!(self, Self::Applying | Self::Destroying | Self::Stopping)
    }
}

/// What goes wrong in the simulated world.
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
    /// What is done.
    pub verb: Action,
    /// How it is.
    pub look: StepLook,
    /// What is happening, in a line.
    pub words: String,
    /// How far it is.
    pub percent: Option<u8>,
    /// While it is at work: since when, in milliseconds since 1970.
    #[serde(default)]
    pub since: Option<i64>,
    /// How long it took, in milliseconds, once it has ended.
    #[serde(default)]
    pub took: Option<u64>,
    /// Because of whom it was skipped.
    pub because: Option<String>,
    /// What went wrong.
    #[serde(rename = "trouble")]
    pub error: Option<ErrorItem>,
}

/// How a step is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepLook {
    /// It waits; once the run is over: it was not begun.
    #[default]
    Waiting,
    /// It is at work.
    Running,
    /// It ended well.
    Done,
    /// It did not.
    Failed,
    /// It was not begun, because of another.
    Skipped,
}

/// What came of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// All was done.
    pub ok: bool,
    /// Everything was to be destroyed.
    pub destroyed: bool,
    /// It was stopped by hand.
    pub stopped: bool,
    /// Steps that ended well.
    pub done: usize,
    /// Steps that did not.
    pub failed: usize,
    /// Steps that were skipped because of another.
    pub skipped: usize,
    /// Steps that were not begun.
    pub not_started: usize,
    /// How long the run took, in milliseconds.
    #[serde(default)]
    pub took: Option<u64>,
}

/// What went wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorItem {
    /// Its stable name.
    pub code: String,
    /// What, lower case without full stop.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// The places that are to blame.
    pub places: Vec<PlaceItem>,
}

/// A place that is to blame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceItem {
    /// The file.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
    /// What is wrong there.
    pub detail: String,
}

/// Who holds the state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HolderItem {
    /// The lock's name.
    pub id: String,
    /// Who.
    pub who: String,
    /// For what.
    pub operation: String,
}

/// One version of the state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionItem {
    /// Its serial.
    pub serial: u64,
    /// When it was kept, in milliseconds since 1970; 0 where that is not known.
    pub at: i64,
    /// How many resources it has.
    pub resources: usize,
}

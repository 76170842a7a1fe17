//! Applying: what will be done before it is, how far it is, what came of it; how what exists differs, what was recorded.

mod connect;
mod drift;
mod elapsed;
mod history;
mod review;
mod run;
mod status;
mod strip;
mod use_state;

use serde_json::Value as Json;
use workspace::view::LocationView;

pub(in crate::views) use self::drift::is_ruined;
pub use self::{
    connect::{Connect, Refusal},
    drift::{DriftProps, drift, drifted},
    elapsed::seen,
    history::{Compared, Difference, History},
    review::Review,
    run::{RunPaneProps, run_pane, run_sentence},
    status::{
        ApplyStatus, Doing, ErrorItem, Fault, HolderItem, Outcome, PlaceItem, StepItem, StepLook, VersionItem,
    },
    strip::{StripProps, notices, strip},
    use_state::UseState,
};

/// What a person does about applying.
#[derive(Clone, Debug, PartialEq)]
pub enum LiveEvent {
    /// Looks how things are.
    Look,
    /// Has the plan that was reviewed carried out.
    Apply {
        /// After a failure go on with what does not depend on it.
        keep_going: bool,
        /// Rebuild what an adapter does not change in place.
        allow_rebuild: bool,
    },
    /// Ends the run: gently, or at once.
    Stop {
        /// What is at work is given up.
        at_once: bool,
    },
    /// Keeps what exists as it is described, or no longer.
    Watch(bool),
    /// Gives the simulator the recorded resources that it never had.
    Simulate,
    /// Reviews the removal of everything.
    Destroy,
    /// Takes the state from who holds it.
    Unlock(String),
    /// Reviews what is left to do after a run that did not do everything.
    Again,
    /// Has read what came of the run.
    Read,
    /// Tries again to load what applies.
    Retry,
    /// Opens the dialog that connects an adapter.
    Connect,
    /// Uses the adapter at that address, which is served beside the page.
    Use(String),
    /// Goes back to the simulator.
    Disconnect,
    /// Sets how slow the simulator is.
    Latency(u32),
    /// Injects a fault into the simulated world.
    Inject {
        /// What goes wrong.
        fault: Fault,
        /// Where.
        address: String,
    },
    /// Compares a version with another, or with how the state is now.
    Compare {
        /// The version.
        version: u64,
        /// What it is compared with.
        with: Option<u64>,
    },
    /// Brings back what a version recorded.
    Restore(u64),
    /// Writes what was seen into the file.
    Adopt {
        /// Where the value is written.
        place: LocationView,
        /// What was seen.
        value: Json,
    },
    /// Records what was seen.
    Accept {
        /// Of whom.
        address: String,
        /// Which attribute.
        path: String,
        /// What was seen.
        value: Json,
    },
    /// Sets one value back to what was recorded.
    Revert {
        /// Of whom.
        address: String,
        /// Which attribute.
        path: String,
    },
}

//! Applying: the review before a run, its progress and outcome; drift, and the recorded versions.

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

/// A user's action that concerns applying.
#[derive(Clone, Debug, PartialEq)]
pub enum LiveEvent {
    /// Checks the real state of the resources.
    Look,
    /// Applies the plan that was reviewed.
    Apply {
        /// True to continue after a failure with the steps that do not depend on it.
        keep_going: bool,
        /// True to rebuild resources that an adapter does not change in place.
        allow_rebuild: bool,
    },
    /// Ends the run: once the steps under way have ended, or at once.
    Stop {
        /// True to abort the steps under way.
        at_once: bool,
    },
    /// Keeps the resources as they are described, or stops doing so.
    Watch(bool),
    /// Gives the simulator the recorded resources that it never had.
    Simulate,
    /// Reviews the removal of everything.
    Destroy,
    /// Takes the lock of the state from its holder.
    Unlock(String),
    /// Reviews the changes that are left after an incomplete run.
    Again,
    /// Closes the report of the run.
    Read,
    /// Tries again to load the code that applies.
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
        /// The fault.
        fault: Fault,
        /// The address of the resource.
        address: String,
    },
    /// Compares a version with another, or with the current state.
    Compare {
        /// The version.
        version: u64,
        /// The version that it is compared with; `None` for the current state.
        with: Option<u64>,
    },
    /// Restores the state that a version recorded.
    Restore(u64),
    /// Writes an observed value into the file.
    Adopt {
        /// The place where the value is written.
        place: LocationView,
        /// The observed value.
        value: Json,
    },
    /// Records an observed value.
    Accept {
        /// The address of the resource.
        address: String,
        /// The path of the attribute.
        path: String,
        /// The observed value.
        value: Json,
    },
    /// Sets one value back to the recorded one.
    Revert {
        /// The address of the resource.
        address: String,
        /// The path of the attribute.
        path: String,
    },
}

use protocol::Problem;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::CallMatcher;

/// An effect that is ordered for some calls. As JSON:
/// `{"call": "update", "address": "services.web", "times": 1, "what": "rebuild_required"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Which calls: `create`, `read`, `update` or `destroy`.
    #[serde(flatten)]
    pub matcher: CallMatcher,
    /// What is to happen.
    pub what: OrderEffect,
}

impl Order {
    /// An order.
    pub const fn new(which: CallMatcher, what: OrderEffect) -> Self {
        Self { matcher: which, what }
    }
}

/// An effect on a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderEffect {
    /// Nothing is done, and this is said.
    Fail(Problem),
    /// It is done, and this is said all the same.
    FailAfter(Problem),
    /// An update is not possible in place.
    RebuildRequired,
    /// What is made stays pending for ever.
    NeverReady,
    /// It takes so much longer.
    Slow {
        /// In milliseconds.
        ms: u32,
    },
    /// It never comes back, and nothing is done.
    Hang,
}

/// What changes behind everybody's back, at each thing of an address (`*` standing for any run of characters).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drift {
    /// It is gone, as after a `kill`.
    Remove {
        /// Where.
        address: String,
    },
    /// It has ended but is still to be seen: its phase is terminated.
    Stop {
        /// Where.
        address: String,
    },
    /// It is not ready any more, and says so.
    Degrade {
        /// Where.
        address: String,
        /// What it says.
        message: String,
    },
    /// One of its attributes is another.
    Change {
        /// Where.
        address: String,
        /// Which one: a pointer into the spec. The maps it leads through must be there.
        pointer: String,
        /// What it is now; null takes it away.
        value: Json,
    },
}

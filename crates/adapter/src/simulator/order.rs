use protocol::Problem;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::CallMatcher;

/// An effect that is configured for some calls. As JSON:
/// `{"call": "update", "address": "services.web", "times": 1, "what": "rebuild_required"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The calls: `create`, `read`, `update` or `destroy`.
    #[serde(flatten)]
    pub matcher: CallMatcher,
    /// The effect.
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
    /// The call does nothing and returns this problem.
    Fail(Problem),
    /// The call is executed, and returns this problem all the same.
    FailAfter(Problem),
    /// An update is not possible in place.
    RebuildRequired,
    /// The resource stays pending for ever.
    NeverReady,
    /// The call takes longer.
    Slow {
        /// The additional latency in milliseconds.
        ms: u32,
    },
    /// The call never returns, and does nothing.
    Hang,
}

/// A change without a call, of each resource of an address (`*` matches any run of characters).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drift {
    /// The resource no longer exists, as after a `kill`.
    Remove {
        /// The address.
        address: String,
    },
    /// The resource has ended but can still be observed: its phase is terminated.
    Stop {
        /// The address.
        address: String,
    },
    /// The resource is not ready any more, and reports so.
    Degrade {
        /// The address.
        address: String,
        /// The reported message.
        message: String,
    },
    /// An attribute of the resource has changed.
    Change {
        /// The address.
        address: String,
        /// The attribute, as a pointer into the spec. The maps on its path must exist.
        pointer: String,
        /// The new value; null removes the attribute.
        value: Json,
    },
}

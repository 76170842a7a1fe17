use serde::{Deserialize, Serialize};

use crate::{Problem, Resource, ResourceId, Verb};

/// Work that continues after its call was answered with 202.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// The name of the operation, for `GET {base}/v1/operations/{op}`. An adapter keeps it for a day after it
    /// has ended.
    pub op: String,
    /// The kind of operation.
    pub verb: Verb,
    /// The resource.
    #[serde(flatten)]
    pub id: ResourceId,
    /// True if the operation has ended, successfully or not.
    pub done: bool,
    /// The progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// The resource after success; absent after a `destroy`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<Box<Resource>>,
    /// The error after a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Box<Problem>>,
}

/// The progress of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// A percentage from 0 to 100, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<u8>,
    /// A message of one line.
    #[serde(default)]
    pub message: String,
}

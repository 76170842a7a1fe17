use serde::{Deserialize, Serialize};

use crate::{Problem, Resource, ResourceId, Verb};

/// Work that goes on after its call was answered with 202.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Its name, for `GET {base}/v1/operations/{op}`. An adapter keeps it for a day after it is done.
    pub op: String,
    /// The kind of operation.
    pub verb: Verb,
    /// To whom.
    #[serde(flatten)]
    pub id: ResourceId,
    /// Whether it has come to an end, good or bad.
    pub done: bool,
    /// How far it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// Once done and well: the resource; nothing after a `destroy`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<Box<Resource>>,
    /// Once done and not well: what went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Box<Problem>>,
}

/// How far an operation is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// 0 to 100, where it can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<u8>,
    /// A message of one line.
    #[serde(default)]
    pub message: String,
}

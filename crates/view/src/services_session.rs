//! Services in memory: how they are opened, requests, responses.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::closed_set::closed_set;

closed_set! {
    /// The kind of a change of a resource. If fields of several classes were changed, the first of spec, state and meta
    /// decides.
    ResourceChangeKind {
        /// It was created.
        Creation = "creation",
        /// A field that users set was changed.
        SpecUpdate = "spec_update",
        /// A field that the server reports was changed.
        StateUpdate = "state_update",
        /// Only metadata was changed, or nothing.
        MetaUpdate = "meta_update",
        /// It was removed.
        Deletion = "deletion",
    }
}

/// The options with which a service in memory is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceOptions"))]
pub struct ServiceOptions {
    /// The limits on the number of resources. Creating more is refused with 429; updates and deletions are not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<ServiceLimit>>", optional))]
    pub limits: Vec<ServiceLimit>,
    /// True if responses contain the changes of resources, as the log of changes does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub changes: bool,
    /// The seed of the sequence of ids and UUIDs that the service assigns.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<u32>", optional))]
    pub seed: u32,
    /// True if the ids of new resources may have any form that their kind permits, not only that for new ones.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub lenient_naming: bool,
    /// True if creating a resource that exists updates it, instead of being refused with 409.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub override_on_creation: bool,
    /// True if deleting a resource that does not exist succeeds, instead of being refused with 404.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub allow_missing_on_deletion: bool,
}

/// The maximum number of resources of a kind in a project and a region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceLimit"))]
pub struct ServiceLimit {
    /// The id of the project.
    pub project: String,
    /// The id of the region; without it, resources whose names have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub region: Option<String>,
    /// The kind, with its service: `inventory.example.com/Device`.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "typescript", ts(rename = "type"))]
    pub type_name: String,
    /// The number.
    pub limit: u32,
}

/// A request to a service in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceRequest"))]
pub struct ServiceRequest {
    /// The method of HTTP.
    pub method: String,
    /// The path, with the query.
    pub path: String,
    /// The headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The body; empty where there is none.
    #[serde(default)]
    pub body: String,
    /// The time that passes before it, in seconds, besides the second that passes before each request.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<u32>", optional))]
    pub wait_seconds: u32,
}

/// The response of a service in memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceResponse"))]
pub struct ServiceResponse {
    /// The status.
    pub status: u16,
    /// The headers, by their names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: String,
    /// The resources that were changed since the response before, also by the work that deletions left for later; only if the
    /// service was opened with `changes`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<ServiceChange>>", optional))]
    pub changes: Vec<ServiceChange>,
}

/// A change of a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceResourceChange"))]
pub struct ServiceChange {
    /// The kind of the change.
    pub kind: ResourceChangeKind,
    /// The kind of the resource, with its service.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "typescript", ts(rename = "type"))]
    pub type_name: String,
    /// The name of the resource.
    pub name: String,
    /// The time of the change.
    pub time: String,
    /// Before, without hidden and sensitive fields; null if it was created.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub before: Option<serde_json::Value>,
    /// After, without hidden and sensitive fields; null if it was removed.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub after: Option<serde_json::Value>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires it")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

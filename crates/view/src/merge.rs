//! The merged document, and where each of its values came from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{DiagnosticView, LocationView, closed_set::closed_set};

closed_set! {
    /// The rule by which a value got where it is.
    #[cfg_attr(feature = "typescript", ts(rename = "Rule"))]
    MergeRule {
        /// One layer wrote it.
        Set = "set",
        /// Maps were merged key by key.
        Deep = "deep",
        /// A later scalar won.
        Override = "override",
        /// A later list was appended to an earlier one.
        Concatenate = "concatenate",
        /// The field's type, or the tag `!override`, says that a later value replaces an earlier one.
        Replace = "replace",
        /// A later list was appended to an earlier one, without the items that were there.
        Unique = "unique",
        /// Items of lists were merged by their key.
        ByKey = "by_key",
        /// The tag `!reset` removed it.
        Reset = "reset",
        /// Nobody wrote it: another value implies it.
        Inferred = "inferred",
        /// Nobody wrote it: its type has a default.
        Default = "default",
    }
}

/// `planloom.merge/1`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Merge"))]
pub struct MergeView {
    /// `planloom.merge/1`
    #[cfg_attr(feature = "typescript", ts(type = "\"planloom.merge/1\""))]
    pub format: String,
    /// The merged document; keys in merge order.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub document: Json,
    /// Every place, by RFC 6901 pointer; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub origins: Option<BTreeMap<String, OriginView>>,
    /// Values that nobody wrote: defaults and what rules put in. They are not part of `document`.
    pub inferred: Vec<InferredView>,
    /// What was wrong.
    pub diagnostics: Vec<DiagnosticView>,
}

/// Who wrote a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Origin"))]
pub struct OriginView {
    /// Where.
    #[serde(flatten)]
    pub location: LocationView,
    /// By which rule it got there.
    pub rule: MergeRule,
    /// What it replaced, latest first.
    pub shadowed: Vec<ShadowedView>,
}

/// A value that was replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Shadowed"))]
pub struct ShadowedView {
    /// Where it is written.
    #[serde(flatten)]
    pub location: LocationView,
    /// By which rule it had got there.
    pub rule: MergeRule,
    /// The value; null with `sensitive` when it must be hidden.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub value: Json,
}

/// A value that nobody wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Inferred"))]
pub struct InferredView {
    /// Where it would be written in the merged document.
    pub pointer: String,
    /// The value; null when it must be hidden.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub value: Json,
    /// [`MergeRule::Default`] or [`MergeRule::Inferred`].
    #[cfg_attr(feature = "typescript", ts(type = "\"default\" | \"inferred\""))]
    pub rule: MergeRule,
    /// Why it is there.
    pub because: String,
    /// The place that it was put in for.
    pub origin: LocationView,
}

/// A value that replaces others. It is not serialised: hosts count and mark with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverrideView {
    /// Where it is written.
    pub location: LocationView,
    /// Where those are written that it replaces, the latest first.
    pub shadowed: Vec<LocationView>,
}

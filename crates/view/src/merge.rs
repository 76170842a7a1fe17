//! The merged document, and where each of its values came from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{DiagnosticView, LocationView, closed_set::closed_set};

closed_set! {
    /// The merge rule of a value.
    #[cfg_attr(feature = "typescript", ts(rename = "Rule"))]
    MergeRule {
        /// One layer sets it.
        Set = "set",
        /// Maps were merged key by key.
        Deep = "deep",
        /// A later scalar overrides an earlier one.
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
        /// The merge behavior of the field discarded it.
        Discard = "discard",
        /// Inferred from another value.
        Inferred = "inferred",
        /// The default of its type.
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
    /// The origins by RFC 6901 pointer, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub origins: Option<BTreeMap<String, OriginView>>,
    /// Values that no file sets: defaults and inferred values. They are not part of `document`.
    pub inferred: Vec<InferredView>,
    /// The problems that were found.
    pub diagnostics: Vec<DiagnosticView>,
}

/// The origin of a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Origin"))]
pub struct OriginView {
    /// The location.
    #[serde(flatten)]
    pub location: LocationView,
    /// The merge rule.
    pub rule: MergeRule,
    /// The overridden values, latest first.
    pub shadowed: Vec<ShadowedView>,
}

/// An overridden value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Shadowed"))]
pub struct ShadowedView {
    /// The location at which it is written.
    #[serde(flatten)]
    pub location: LocationView,
    /// The merge rule.
    pub rule: MergeRule,
    /// The value; null with `sensitive` when it must be hidden.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub value: Json,
}

/// A value that no file sets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Inferred"))]
pub struct InferredView {
    /// Its path in the merged document.
    pub pointer: String,
    /// The value; null when it must be hidden.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub value: Json,
    /// [`MergeRule::Default`] or [`MergeRule::Inferred`].
    #[cfg_attr(feature = "typescript", ts(type = "\"default\" | \"inferred\""))]
    pub rule: MergeRule,
    /// The reason for its presence.
    pub because: String,
    /// The location of the value that it is inferred from.
    pub origin: LocationView,
}

/// A value that overrides others. It is not serialised; hosts use it for counts and marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverrideView {
    /// The location at which it is written.
    pub location: LocationView,
    /// The locations of the overridden values, the latest first.
    pub shadowed: Vec<LocationView>,
}

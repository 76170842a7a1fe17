//! Hovers, completions and definitions for editors.

use serde::{Deserialize, Serialize};

use crate::{Action, EditView, LocationView, MergeRule, closed_set::closed_set};

closed_set! {
    /// The kind of a completion.
    CompletionKind {
        /// A key of a map.
        Key = "key",
        /// A value.
        Value = "value",
        /// A `${…}` reference.
        Reference = "reference",
    }
}

/// The hover of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Hover"))]
pub struct HoverView {
    /// The range of the word.
    pub range: LocationView,
    /// The place in the merged document.
    pub pointer: String,
    /// The name of the key, and its description in the type definition.
    pub title: String,
    /// Documentation, plain text.
    pub doc: String,
    /// The permitted values, as a short phrase, e.g. `text`, `list of addresses`, `name of a network`.
    pub shape: String,
    /// The effective value as short YAML; null where there is none, `••••••` when it must be hidden.
    pub value: Option<String>,
    /// The layers that set it, last to first: the effective value, then the overridden ones.
    pub origins: Vec<HoverOriginView>,
    /// The planned action on the resource, as a sentence; null if there is none.
    pub plan: Option<String>,
    /// The planned action on the resource; null if there is none.
    pub action: Option<Action>,
    /// The effect of a change of the value on what is deployed, as a sentence; null if nothing that uses it is deployed.
    pub effect: Option<String>,
}

/// A layer that sets a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "HoverOrigin"))]
pub struct HoverOriginView {
    /// The location.
    #[serde(flatten)]
    pub location: LocationView,
    /// The merge rule.
    pub rule: MergeRule,
    /// The value as short YAML.
    pub value: String,
    /// True if a later layer overrides it. Absent for a value that is in effect, alone or as a part of a list or map.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub shadowed: bool,
}

/// A completion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Completion"))]
pub struct CompletionView {
    /// The label.
    pub label: String,
    /// The kind of the completion.
    pub kind: CompletionKind,
    /// A short phrase that is shown beside the label.
    pub detail: String,
    /// Documentation.
    pub doc: String,
    /// The edit that inserts it.
    pub edit: EditView,
}

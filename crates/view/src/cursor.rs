//! What an editor asks about a place in a file.

use serde::{Deserialize, Serialize};

use crate::{Action, EditView, LocationView, MergeRule, closed_set::closed_set};

closed_set! {
    /// What a completion writes.
    CompletionKind {
        /// A key of a map.
        Key = "key",
        /// A value.
        Value = "value",
        /// A `${…}` reference.
        Reference = "reference",
    }
}

/// What is known of a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Hover"))]
pub struct HoverView {
    /// The word it is about.
    pub range: LocationView,
    /// The place in the merged document.
    pub pointer: String,
    /// What this key is: its name, and what the type definition says.
    pub title: String,
    /// Documentation, plain text.
    pub doc: String,
    /// What it may hold, as a short phrase, e.g. `text`, `list of addresses`, `name of a network`.
    pub shape: String,
    /// The effective value as short YAML; null where there is none, `••••••` when it must be hidden.
    pub value: Option<String>,
    /// Who set it, last to first: the effective one, then what it replaced.
    pub origins: Vec<HoverOriginView>,
    /// What the plan does with the resource, as a sentence; null when nothing.
    pub plan: Option<String>,
    /// What the plan does with the resource; null when nothing.
    pub action: Option<Action>,
}

/// One writer of a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "HoverOrigin"))]
pub struct HoverOriginView {
    /// Where.
    #[serde(flatten)]
    pub location: LocationView,
    /// By which rule it got there.
    pub rule: MergeRule,
    /// The value as short YAML.
    pub value: String,
}

/// Something that can be written at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Completion"))]
pub struct CompletionView {
    /// What is shown.
    pub label: String,
    /// What kind of text it is.
    pub kind: CompletionKind,
    /// A short phrase beside it.
    pub detail: String,
    /// Documentation.
    pub doc: String,
    /// The edit that writes it.
    pub edit: EditView,
}

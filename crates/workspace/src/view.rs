//! Plain data for hosts: what the command line prints, the npm package returns and the app shows. Field names are
//! stable. Lines and columns count from 1, columns in characters.

mod files;
mod links;
mod versions;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

pub use files::*;
pub use links::*;
pub use versions::*;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocationView {
    /// The file's name.
    pub file: String,
    /// Line of the first character.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Line after the last character.
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticView {
    /// The stable name of this kind of mistake.
    pub code: String,
    /// `error`, `warning`, `hint`.
    pub severity: String,
    /// What is wrong.
    pub message: String,
    /// The file; null where there is none. Flattened location fields.
    pub file: Option<String>,
    /// See [`LocationView`]; null without a file.
    pub line: Option<u32>,
    /// See [`LocationView`].
    pub column: Option<u32>,
    /// See [`LocationView`].
    pub end_line: Option<u32>,
    /// See [`LocationView`].
    pub end_column: Option<u32>,
    /// Other places that belong to it.
    pub related: Vec<RelatedView>,
    /// What to do.
    pub help: Option<String>,
    /// Edits that remove it.
    pub fixes: Vec<FixView>,
}

/// Another place that belongs to a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelatedView {
    /// Where.
    #[serde(flatten)]
    pub location: LocationView,
    /// What it has to do with it.
    pub message: String,
}

/// An edit that removes a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixView {
    /// What it does.
    pub title: String,
    /// The edits, applied together.
    pub edits: Vec<EditView>,
}

/// A replacement of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditView {
    /// What is replaced.
    #[serde(flatten)]
    pub location: LocationView,
    /// What stands there afterwards.
    pub new_text: String,
}

/// `planloom.check/1`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckView {
    /// `planloom.check/1`
    pub format: String,
    /// By file in merge order, then by place.
    pub diagnostics: Vec<DiagnosticView>,
}

/// `planloom.merge/1`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MergeView {
    /// `planloom.merge/1`
    pub format: String,
    /// The merged document; keys in merge order.
    pub document: Json,
    /// Every place, by RFC 6901 pointer; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origins: Option<BTreeMap<String, OriginView>>,
    /// Values that nobody wrote: defaults and what rules put in. They are not part of `document`.
    pub inferred: Vec<InferredView>,
    /// What was wrong.
    pub diagnostics: Vec<DiagnosticView>,
}

/// Who wrote a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OriginView {
    /// Where.
    #[serde(flatten)]
    pub location: LocationView,
    /// `set`, `deep`, `override`, `concatenate`, `replace`, `unique`, `by_key`, `reset`, `inferred`, `default`.
    pub rule: String,
    /// What it replaced, latest first.
    pub shadowed: Vec<ShadowedView>,
}

/// A value that nobody wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InferredView {
    /// Where it would be written in the merged document.
    pub pointer: String,
    /// The value; null when it must be hidden.
    pub value: Json,
    /// `default` or `inferred`.
    pub rule: String,
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

/// A value that was replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShadowedView {
    /// Where it is written.
    #[serde(flatten)]
    pub location: LocationView,
    /// By which rule it had got there.
    pub rule: String,
    /// The value; null with `sensitive` when it must be hidden.
    pub value: Json,
}

/// `planloom.graph/1`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphView {
    /// `planloom.graph/1`
    pub format: String,
    /// The resources, in the order they are declared.
    pub nodes: Vec<NodeView>,
    /// The connections.
    pub edges: Vec<EdgeView>,
    /// What was wrong.
    pub diagnostics: Vec<DiagnosticView>,
}

/// One resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeView {
    /// Its address.
    pub address: String,
    /// Its kind.
    pub kind: String,
    /// Its step of a parallel creation, from 0.
    pub wave: u32,
    /// Where it is declared.
    pub origin: LocationView,
}

/// One connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeView {
    /// The dependent's address.
    pub from: String,
    /// The address of what it needs.
    pub to: String,
    /// `depends_on`, `reference`, `attachment`.
    pub kind: String,
    /// The attribute that says so.
    pub path: String,
    /// Where it is written.
    pub origin: LocationView,
    /// No longer way says the same: draw it.
    pub direct: bool,
}

/// The graph with places to draw it at. Same order as [`GraphView`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayoutView {
    /// The graph.
    pub graph: GraphView,
    /// Each node's left, top, width, height.
    pub boxes: Vec<[f32; 4]>,
    /// Each edge's polyline; empty for edges that need not be drawn.
    pub routes: Vec<Vec<[f32; 2]>>,
    /// Width and height of it all.
    pub size: [f32; 2],
}

/// `planloom.plan/1`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanView {
    /// `planloom.plan/1`
    pub format: String,
    /// `apply` or `destroy`.
    pub mode: String,
    /// The deployment's name.
    pub deployment: String,
    /// The state's serial that this was planned against.
    pub serial: u64,
    /// `sha256:` and 64 hexadecimal digits of everything else but the diagnostics.
    pub digest: String,
    /// `values` or `all`.
    pub knock_on: String,
    /// What has to happen, in order.
    pub actions: Vec<ActionView>,
    /// How many of each.
    pub summary: SummaryView,
    /// What was wrong. With an error in the input, `actions` is empty; with one about a protected resource it is not,
    /// and the plan cannot be applied.
    pub diagnostics: Vec<DiagnosticView>,
}

/// How many of each action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryView {
    /// Made.
    pub create: usize,
    /// Changed in place.
    pub update: usize,
    /// Destroyed and made again.
    pub rebuild: usize,
    /// Destroyed.
    pub destroy: usize,
    /// Left alone.
    pub unchanged: usize,
}

/// One thing that has to happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActionView {
    /// `a1`, `a2` …
    pub id: String,
    /// Whom it happens to.
    pub address: String,
    /// Its kind.
    pub kind: String,
    /// `create`, `update`, `rebuild`, `destroy`, `no_op`, `forget`.
    pub action: String,
    /// Where it is declared, as in the graph; left out for what is not described any more.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub origin: Option<LocationView>,
    /// Ids of the actions that must be done before.
    pub after: Vec<String>,
    /// Why; null for a `no_op`.
    pub reason: Option<ReasonView>,
    /// The values that differ.
    pub changes: Vec<ChangeView>,
}

/// Why an action is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonView {
    /// `new`, `changed`, `drifted`, `gone`, `removed`, `knock_on`, `requested`, `destroy_mode`.
    pub kind: String,
    /// For `knock_on`: the action that caused it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cause: Option<String>,
    /// For `knock_on`: along which connection.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub via: Option<ViaView>,
    /// The reason as a sentence.
    pub sentence: String,
}

/// The connection along which an action causes another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViaView {
    /// `depends_on`, `reference`, `attachment`.
    pub edge: String,
    /// The place in the merged document, e.g. `/services/web/init/0/run/args/2`.
    pub path: String,
    /// The address of what is needed.
    pub to: String,
}

/// One value that differs. A sensitive one has `null` for all three.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangeView {
    /// Where in the resource.
    pub path: String,
    /// What is desired; its expression (`${…}` text) when not known; null when it is to go away.
    pub desired: Json,
    /// What was recorded; null when nothing was.
    pub persisted: Json,
    /// What exists; null when nothing does or it was not looked at.
    pub observed: Json,
    /// What is desired is not known yet.
    pub unknown: bool,
    /// None of the three is shown.
    pub sensitive: bool,
    /// It cannot be changed in place.
    pub forces_rebuild: bool,
    /// Where the desired value comes from.
    pub origin: Option<ChangeOriginView>,
}

/// Where a desired value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeOriginView {
    /// Where.
    #[serde(flatten)]
    pub location: LocationView,
    /// Nobody wrote it: a default or a rule put it in, because of what stands there.
    pub inferred: bool,
}

/// What is known of a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// The action's symbol word (`create`, `update`, `rebuild`, `destroy`) for its colour.
    pub action: Option<String>,
}

/// One writer of a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HoverOriginView {
    /// Where.
    #[serde(flatten)]
    pub location: LocationView,
    /// The rule.
    pub rule: String,
    /// The value as short YAML.
    pub value: String,
}

/// Something that can be written at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompletionView {
    /// What is shown.
    pub label: String,
    /// `key`, `value`, `reference`.
    pub kind: String,
    /// A short phrase beside it.
    pub detail: String,
    /// Documentation.
    pub doc: String,
    /// The edit that writes it.
    pub edit: EditView,
}

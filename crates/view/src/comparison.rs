//! The differences of two sets of files, or of files and a state.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{Action, ChangeOriginView, EdgeKind, LocationView, StateChange, SummaryView, words::count};

/// `planloom.compare/1`: how `after` differs from `before`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Comparison"))]
pub struct ComparisonView {
    /// `planloom.compare/1`
    #[cfg_attr(feature = "typescript", ts(type = "\"planloom.compare/1\""))]
    pub format: String,
    /// The one side.
    pub before: ComparedView,
    /// The other side.
    pub after: ComparedView,
    /// The resources that differ, and those on which an apply would act although they do not: in the order of the plan.
    pub resources: Vec<ResourceDifferenceView>,
    /// The dependencies that only one side has.
    pub edges: Vec<EdgeDifferenceView>,
    /// The values of the merged documents that differ and that no resource has.
    pub document: Vec<ValueDifferenceView>,
    /// The number of resources of each kind of difference.
    pub summary: ComparisonSummaryView,
    /// The counts of actions if `after` is applied where `before` is deployed; absent if `after` is a state.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub plan: Option<SummaryView>,
}

impl ComparisonView {
    /// True if anything differs.
    pub fn differs(&self) -> bool {
        !self.resources.is_empty() || !self.edges.is_empty() || !self.document.is_empty()
    }

    /// The differences, and the effect of applying one side where the other is deployed, in one or two sentences. `before` and
    /// `after` are the names of the sides.
    pub fn sentence(&self, before: &str, after: &str) -> String {
        let summary = self.summary;
        let numbers = [(summary.added, "added"), (summary.removed, "removed"), (summary.changed, "changed")];
        let numbers = numbers.into_iter().filter(|(number, _)| *number > 0);
        let parts: Vec<String> =
            numbers.map(|(number, word)| format!("{} {word}", count(number, "resource"))).collect();
        let what = if parts.is_empty() { "no resource differs".to_owned() } else { parts.join(", ") };
        let first = format!("From {before} to {after}: {what}; {} unchanged.", summary.unchanged);
        match self.effect() {
            Some(effect) => format!("{first} Applying {after} where {before} is deployed: {effect}."),
            None => first,
        }
    }

    /// `1 to create, 2 to rebuild`; `None` where nothing would be done or that is not known.
    fn effect(&self) -> Option<String> {
        let counts = self.plan?.by_risk().filter(|(_, number)| *number > 0);
        let parts: Vec<String> =
            counts.map(|(action, number)| format!("{number} to {}", action.words().word)).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// One side of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Compared"))]
pub struct ComparedView {
    /// The name of the deployment; empty if there is none.
    pub deployment: String,
    /// The number of its resources.
    pub resources: usize,
    /// The number of errors; with one on either side there are no differences.
    pub errors: usize,
}

/// The number of resources of each kind of difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ComparisonSummary"))]
pub struct ComparisonSummaryView {
    /// Only in `after`.
    pub added: usize,
    /// Only in `before`.
    pub removed: usize,
    /// The number of those on both sides that differ.
    pub changed: usize,
    /// The same in both.
    pub unchanged: usize,
}

/// A resource that differs, or on which an apply would act.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ResourceDifference"))]
pub struct ResourceDifferenceView {
    /// Its address.
    pub address: String,
    /// Its address in `before`, if `after` says that it has moved; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub previous_address: Option<String>,
    /// Its kind.
    pub kind: String,
    /// The kind of difference; absent if only its dependencies differ.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub change: Option<StateChange>,
    /// The action on it if `after` is applied where `before` is deployed; absent if `after` is a state.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub action: Option<Action>,
    /// The reason, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub reason: Option<String>,
    /// The location of its declaration in `before`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub before: Option<LocationView>,
    /// The location of its declaration in `after`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub after: Option<LocationView>,
    /// The values that differ.
    pub values: Vec<ValueDifferenceView>,
}

/// A value that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ValueDifference"))]
pub struct ValueDifferenceView {
    /// Its path in the resource, or in the merged document.
    pub path: String,
    /// The value before; null if there is none or it must be hidden.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub before: Json,
    /// The value after; its expression (`${…}` text) if it is not known yet; null if there is none or it must be hidden.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub after: Json,
    /// True if the values are hidden.
    pub sensitive: bool,
    /// True if the change requires a rebuild.
    pub forces_rebuild: bool,
    /// The origin of the value before; absent for a value that is not in files.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub before_origin: Option<ChangeOriginView>,
    /// The origin of the value after; absent for a value that is not in files.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub after_origin: Option<ChangeOriginView>,
}

/// A dependency that only one side has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "EdgeDifference"))]
pub struct EdgeDifferenceView {
    /// The dependent's address.
    pub from: String,
    /// The address of the dependency.
    pub to: String,
    /// The kind of dependency.
    pub kind: EdgeKind,
    /// The side that has it: `added` or `removed`.
    pub change: StateChange,
    /// The location at which that side declares it.
    pub origin: LocationView,
}

/// The graphs of both sides in one, for drawing how they differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedGraphView {
    /// The resources of either side: those of `after` in its order, then those that only `before` has.
    pub nodes: Vec<ComparedNodeView>,
    /// The dependencies that are drawn, each pair of resources once.
    pub edges: Vec<ComparedEdgeView>,
}

/// A resource of either side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedNodeView {
    /// Its address; in `after`, if both sides have it.
    pub address: String,
    /// Its kind.
    pub kind: String,
    /// The kind of difference; absent if it is the same on both sides.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub change: Option<StateChange>,
}

/// A dependency of either side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedEdgeView {
    /// The index of the dependent.
    pub from: usize,
    /// The index of the node that it needs.
    pub to: usize,
    /// The kind of dependency; in `after`, if both sides have it.
    pub kind: EdgeKind,
    /// The side that has it, `added` or `removed`; absent if both have it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub change: Option<StateChange>,
}

/// A comparison and the graph of both sides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DrawnComparisonView {
    /// The comparison.
    pub comparison: ComparisonView,
    /// The graph; empty where a side has errors.
    pub graph: ComparedGraphView,
}

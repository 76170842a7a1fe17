//! The graph of the kinds of services.

use serde::{Deserialize, Serialize};

use crate::{LocationView, SpecificationDiagnostic, closed_set::closed_set};

closed_set! {
    /// The effect on a resource when its parent, or one that it refers to, is deleted; as specifications write it.
    DeleteBehavior {
        /// The other cannot be deleted.
        Block = "BLOCK",
        /// The reference is removed in the same transaction.
        Unset = "UNSET",
        /// The resource is deleted in the same transaction.
        CascadeDelete = "CASCADE_DELETE",
        /// The reference is removed later.
        AsyncUnset = "ASYNC_UNSET",
        /// The resource is deleted later.
        AsyncCascadeDelete = "ASYNC_CASCADE_DELETE",
        /// Nothing; the reference may lead to nothing.
        AllowDangling = "ALLOW_DANGLING",
    }
}

closed_set! {
    /// A text format of the graph of the kinds of services.
    ServiceGraphFormat {
        /// DOT, for Graphviz.
        Dot = "dot",
        /// A Mermaid flowchart.
        Mermaid = "mermaid",
    }
}

/// The kinds of services, and how they depend on each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceGraph"))]
pub struct ServiceGraphView {
    /// `planloom.spec-graph/1`
    pub format: String,
    /// The services: first those that were requested, then their imports.
    pub services: Vec<ServiceNodeView>,
    /// The kinds of all of them.
    pub kinds: Vec<KindNodeView>,
    /// The edges between kinds and their parents.
    pub parents: Vec<ParentEdgeView>,
    /// The references between kinds.
    pub references: Vec<ReferenceEdgeView>,
    /// The imports between services.
    pub imports: Vec<ImportEdgeView>,
    /// The deletions that can get stuck.
    pub stuck_deletions: Vec<StuckDeletionView>,
    /// The problems of the specifications.
    pub diagnostics: Vec<SpecificationDiagnostic>,
}

/// A service in one version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceNode"))]
pub struct ServiceNodeView {
    /// The id that edges use: `secrets.edgelq.com/v1`.
    pub id: String,
    /// Its domain: `secrets.edgelq.com`.
    pub name: String,
    /// Its version: `v1`.
    pub version: String,
    /// True if its specification was given only to be imported.
    pub is_import: bool,
}

/// A kind of resources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "KindNode"))]
pub struct KindNodeView {
    /// The id that edges use: `secrets.edgelq.com/v1/Secret`.
    pub id: String,
    /// Its name: `Secret`.
    pub name: String,
    /// The id of its service that edges use: `secrets.edgelq.com/v1`.
    pub service: String,
    /// True if it may be without a parent.
    pub is_root: bool,
    /// The location of its declaration.
    pub location: LocationView,
}

/// A kind that another one contains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ParentEdge"))]
pub struct ParentEdgeView {
    /// The kind that is contained.
    pub from: String,
    /// The kind that contains it.
    pub to: String,
    /// True if it may have no parent at all.
    pub is_optional: bool,
    /// The effect when the parent is deleted: as declared by the specification, or else the default.
    pub behavior: DeleteBehavior,
    /// True if that is the default, because the specification does not declare it.
    pub is_default: bool,
    /// The actual effect: across services, what would be done in the same transaction is done later.
    pub effective_behavior: DeleteBehavior,
    /// True if it can block a deletion forever.
    pub is_stuck: bool,
}

/// A field that refers to another kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ReferenceEdge"))]
pub struct ReferenceEdgeView {
    /// The kind that has the field.
    pub from: String,
    /// The kind that it refers to.
    pub to: String,
    /// The field: `spec.image_pull_secrets[].name`.
    pub field: String,
    /// The effect when the other is deleted, as declared by the specification.
    pub behavior: DeleteBehavior,
    /// The actual effect: across services, what would be done in the same transaction is done later.
    pub effective_behavior: DeleteBehavior,
    /// True if it can block a deletion forever.
    pub is_stuck: bool,
}

/// A service that another one imports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ImportEdge"))]
pub struct ImportEdgeView {
    /// The service that imports.
    pub from: String,
    /// The service that is imported.
    pub to: String,
}

/// A deletion that can get stuck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "StuckDeletion"))]
pub struct StuckDeletionView {
    /// The kind that is deleted.
    pub root: String,
    /// The kind whose deletion follows, and can be blocked.
    pub stuck: String,
    /// The kind that blocks it.
    pub blocker: String,
    /// The field of the blocker; `parent` if the stuck kind contains it.
    pub field: String,
    /// The steps of the deletion from the root to the stuck kind.
    pub steps: Vec<StuckStepView>,
}

/// A deletion that follows another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "StuckStep"))]
pub struct StuckStepView {
    /// The kind that is deleted first.
    pub from: String,
    /// The kind that is deleted because of it.
    pub to: String,
    /// The field of the latter; `parent` if the former contains it.
    pub field: String,
    /// `CASCADE_DELETE` or `ASYNC_CASCADE_DELETE`.
    pub behavior: DeleteBehavior,
}

//! The graph of the kinds of services.

use serde::{Deserialize, Serialize};

use crate::{LocationView, SpecificationDiagnostic, closed_set::closed_set};

closed_set! {
    /// What happens to a resource when the one that contains it, or that it refers to, is deleted; as specifications write it.
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
    /// Which kinds contain which.
    pub parents: Vec<ParentEdgeView>,
    /// Which kinds refer to which.
    pub references: Vec<ReferenceEdgeView>,
    /// Which services import which.
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
    /// What edges call it: `secrets.edgelq.com/v1`.
    pub id: String,
    /// Its domain: `secrets.edgelq.com`.
    pub name: String,
    /// Its version: `v1`.
    pub version: String,
    /// Whether its specification was only given to be imported.
    pub is_import: bool,
}

/// A kind of resources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "KindNode"))]
pub struct KindNodeView {
    /// What edges call it: `secrets.edgelq.com/v1/Secret`.
    pub id: String,
    /// Its name: `Secret`.
    pub name: String,
    /// What edges call its service: `secrets.edgelq.com/v1`.
    pub service: String,
    /// Whether it may be without parent.
    pub is_root: bool,
    /// Where it is declared.
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
    /// Whether it may have no parent at all.
    pub is_optional: bool,
    /// What happens when the parent is deleted: as the specification says, or else the default.
    pub behavior: DeleteBehavior,
    /// Whether that is the default, because the specification does not say it.
    pub is_default: bool,
    /// What happens in truth: across services, what would be done in the same transaction is done later.
    pub effective_behavior: DeleteBehavior,
    /// Whether it can block a deletion for ever.
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
    /// What happens when the other is deleted, as the specification says.
    pub behavior: DeleteBehavior,
    /// What happens in truth: across services, what would be done in the same transaction is done later.
    pub effective_behavior: DeleteBehavior,
    /// Whether it can block a deletion for ever.
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
    /// How the deletion gets from the root to the stuck kind.
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

//! The effects that the deletion of one of some example resources would have.

use serde::{Deserialize, Serialize};

use crate::{DeleteBehavior, LocationView, closed_set::closed_set};

closed_set! {
    /// The effect of a deletion on a resource.
    DeletionEffect {
        /// It is removed.
        Removed = "removed",
        /// It is marked as being deleted, and stays until nothing refers to it.
        Deleting = "deleting",
        /// A reference of it is cleared.
        Cleared = "cleared",
    }
}

/// A resource with its kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "NamedResource"))]
pub struct NamedResourceView {
    /// Its kind, with the service.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// The trial of the deletion of an example resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DeletionTrial"))]
pub struct DeletionTrialView {
    /// `planloom.deletion-trial/1`
    pub format: String,
    /// The resources that were accepted, in the order in which they are written.
    pub resources: Vec<TriedResourceView>,
    /// The problems of the others.
    pub problems: Vec<TrialProblemView>,
    /// The effects of the deletion; null if none was requested, or if the resource does not exist.
    pub preview: Option<DeletionView>,
}

/// An example resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TriedResource"))]
pub struct TriedResourceView {
    /// The resource.
    #[serde(flatten)]
    pub resource: NamedResourceView,
    /// The location at which it is written; the file has no name if it is not in the workspace.
    pub location: LocationView,
}

/// The reason why an example resource was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TrialProblem"))]
pub struct TrialProblemView {
    /// The stable code.
    pub code: String,
    /// The problem.
    pub message: String,
    /// The action that fixes it; empty if nothing certain is known.
    pub help: String,
    /// The place.
    pub location: LocationView,
}

/// The effects that a deletion would have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Deletion"))]
pub struct DeletionView {
    /// The resource to delete.
    pub root: NamedResourceView,
    /// The references that forbid it; if there are any, the deletion is refused and does nothing.
    pub blocked_by: Vec<DeletionReferenceView>,
    /// The steps, in order.
    pub steps: Vec<DeletionStepView>,
    /// The references that should be followed, but are blocked until other resources change.
    pub stuck: Vec<DeletionReferenceView>,
    /// The resources that are still being deleted in the end, because of the stuck ones.
    pub still_deleting: Vec<NamedResourceView>,
}

/// A resource that depends on another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DeletionReference"))]
pub struct DeletionReferenceView {
    /// The resource that refers to the other one, or is contained in it.
    pub referrer: NamedResourceView,
    /// The field of the reference; `parent` if it is contained in it.
    pub field: String,
    /// The other one.
    pub target: NamedResourceView,
}

/// A step of a deletion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DeletionStep"))]
pub struct DeletionStepView {
    /// 0 for the transaction of the deletion itself; later work is done in waves, from 1.
    pub wave: u32,
    /// The effect.
    pub effect: DeletionEffect,
    /// The affected resource.
    pub resource: NamedResourceView,
    /// The cause: the reference that leads to a deleted resource, and the behavior declared for it; null for the resource that
    /// is deleted itself.
    pub because: Option<DeletionCauseView>,
}

/// The cause of the effect of a deletion on a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DeletionCause"))]
pub struct DeletionCauseView {
    /// Its field; `parent` if it is contained in the other one.
    pub field: String,
    /// The deleted resource.
    pub target: NamedResourceView,
    /// The behavior declared for this case.
    pub behavior: DeleteBehavior,
}

//! What the deletion of one of some example resources would do.

use serde::{Deserialize, Serialize};

use crate::{DeleteBehavior, LocationView, closed_set::closed_set};

closed_set! {
    /// What a deletion does to a resource.
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

/// What the deletion of an example resource would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DeletionTrial"))]
pub struct DeletionTrialView {
    /// `planloom.deletion-trial/1`
    pub format: String,
    /// The resources that were accepted, in the order in which they are written.
    pub resources: Vec<TriedResourceView>,
    /// What is wrong with the others.
    pub problems: Vec<TrialProblemView>,
    /// What would be deleted; null if none was requested, or if it does not exist.
    pub preview: Option<DeletionView>,
}

/// An example resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TriedResource"))]
pub struct TriedResourceView {
    /// Which one.
    #[serde(flatten)]
    pub resource: NamedResourceView,
    /// Where it is written; the file has no name if it is none of the workspace.
    pub location: LocationView,
}

/// Why an example resource was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TrialProblem"))]
pub struct TrialProblemView {
    /// The stable code.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What to do; empty where nothing certain is known.
    pub help: String,
    /// The place.
    pub location: LocationView,
}

/// What a deletion would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Deletion"))]
pub struct DeletionView {
    /// What is deleted.
    pub root: NamedResourceView,
    /// What forbids it; the deletion is refused if there is anything, and does nothing.
    pub blocked_by: Vec<DeletionReferenceView>,
    /// What it does, in order.
    pub steps: Vec<DeletionStepView>,
    /// What should follow, but is blocked until other resources change.
    pub stuck: Vec<DeletionReferenceView>,
    /// The resources that are still being deleted in the end, because of what is stuck.
    pub still_deleting: Vec<NamedResourceView>,
}

/// A resource that depends on another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DeletionReference"))]
pub struct DeletionReferenceView {
    /// What refers to the other one, or is contained in it.
    pub referrer: NamedResourceView,
    /// Through which field; `parent` if it is contained in it.
    pub field: String,
    /// The other one.
    pub target: NamedResourceView,
}

/// A step of a deletion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DeletionStep"))]
pub struct DeletionStepView {
    /// 0 for the transaction of the deletion itself; what follows is done in waves, from 1.
    pub wave: u32,
    /// What happens.
    pub effect: DeletionEffect,
    /// To which resource.
    pub resource: NamedResourceView,
    /// Why: the reference that leads to something that is deleted, and what is declared for it; null for the resource that is
    /// deleted itself.
    pub because: Option<DeletionCauseView>,
}

/// Why a deletion affects a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DeletionCause"))]
pub struct DeletionCauseView {
    /// Its field; `parent` if it is contained in the other one.
    pub field: String,
    /// What is deleted.
    pub target: NamedResourceView,
    /// What happens to the resource then.
    pub behavior: DeleteBehavior,
}

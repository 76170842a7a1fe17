//! What has to happen, and why.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{DiagnosticView, EdgeKind, LocationView, closed_set::closed_set};

closed_set! {
    /// What a plan does to a resource.
    #[derive(Default)]
    #[cfg_attr(feature = "typescript", ts(rename = "ActionKind"))]
    Action {
        /// It is created.
        Create = "create",
        /// It is changed in place.
        Update = "update",
        /// It is destroyed and created again.
        Rebuild = "rebuild",
        /// It is destroyed.
        Destroy = "destroy",
        /// Nothing happens to it.
        #[default]
        NoOp = "no_op",
        /// It does not exist any more; its record is dropped.
        Forget = "forget",
    }
}

closed_set! {
    /// Why an action is needed.
    ReasonKind {
        /// It is desired and was never created.
        New = "new",
        /// What is desired differs from what was recorded.
        Changed = "changed",
        /// What exists differs from what was recorded.
        Drifted = "drifted",
        /// It was recorded and does not exist any more.
        Gone = "gone",
        /// It was begun and is not ready yet.
        NotReady = "not_ready",
        /// It is not desired any more.
        Removed = "removed",
        /// Something happens to what it needs.
        KnockOn = "knock_on",
        /// A person asked for it.
        Requested = "requested",
        /// The plan destroys everything.
        DestroyMode = "destroy_mode",
    }
}

closed_set! {
    /// How a recorded resource differs from one version of a state to another.
    StateChange {
        /// It was not there before.
        Added = "added",
        /// It is not there any more.
        Removed = "removed",
        /// It is not the same.
        Changed = "changed",
    }
}

closed_set! {
    /// What a plan is for.
    PlanMode {
        /// Making what exists as it is described.
        Apply = "apply",
        /// Destroying all that is recorded.
        Destroy = "destroy",
    }
}

closed_set! {
    /// When dependents act because of what happens to what they need.
    #[derive(Default)]
    KnockOn {
        /// When a value that they take changes or may change.
        #[default]
        Values = "values",
        /// Always.
        All = "all",
    }
}

/// `planloom.plan/1`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Plan"))]
pub struct PlanView {
    /// `planloom.plan/1`
    #[cfg_attr(feature = "typescript", ts(type = "\"planloom.plan/1\""))]
    pub format: String,
    /// What it is for.
    pub mode: PlanMode,
    /// The deployment's name.
    pub deployment: String,
    /// The state's serial that this was planned against.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub serial: u64,
    /// `sha256:` and 64 hexadecimal digits of everything else but the diagnostics.
    pub digest: String,
    /// When dependents act.
    pub knock_on: KnockOn,
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
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Summary"))]
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
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Action"))]
pub struct ActionView {
    /// `a1`, `a2` …
    pub id: String,
    /// Whom it happens to.
    pub address: String,
    /// Its kind.
    pub kind: String,
    /// What happens.
    pub action: Action,
    /// Where it is declared, as in the graph; left out for what is not described any more.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
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
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Reason"))]
pub struct ReasonView {
    /// The kind of reason.
    pub kind: ReasonKind,
    /// For `knock_on`: the action that caused it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub cause: Option<String>,
    /// For `knock_on`: along which connection.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub via: Option<ViaView>,
    /// The reason as a sentence.
    pub sentence: String,
}

/// The connection along which an action causes another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Via"))]
pub struct ViaView {
    /// How they are connected.
    pub edge: EdgeKind,
    /// The place in the merged document, e.g. `/services/web/init/0/run/args/2`.
    pub path: String,
    /// The address of what is needed.
    pub to: String,
}

/// One value that differs. A sensitive one has `null` for all three.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Change"))]
pub struct ChangeView {
    /// Where in the resource.
    pub path: String,
    /// What is desired; its expression (`${…}` text) when not known; null when it is to go away.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub desired: Json,
    /// What was recorded; null when nothing was.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub persisted: Json,
    /// What exists; null when nothing does or it was not looked at.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
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
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ChangeOrigin"))]
pub struct ChangeOriginView {
    /// Where.
    #[serde(flatten)]
    pub location: LocationView,
    /// Nobody wrote it: a default or a rule put it in, because of what stands there.
    pub inferred: bool,
}

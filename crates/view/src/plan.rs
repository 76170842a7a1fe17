//! Plans and the reasons of their actions.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{DiagnosticView, EdgeKind, LocationView, closed_set::closed_set};

// The order of those that act is that of their strength: of two that one change leads to, the later one is planned and shown.
closed_set! {
    /// The action of a plan on a resource.
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
        /// It is unchanged.
        #[default]
        NoOp = "no_op",
        /// It no longer exists and is removed from the state.
        Forget = "forget",
        /// It has another name, under which the state records it.
        Move = "move",
    }
}

closed_set! {
    /// The reason of an action.
    ReasonKind {
        /// It is desired and was never created.
        New = "new",
        /// The desired attributes differ from the recorded ones.
        Changed = "changed",
        /// The observed attributes differ from the recorded ones.
        Drifted = "drifted",
        /// It is recorded and no longer exists.
        Gone = "gone",
        /// It was begun and is not ready yet.
        NotReady = "not_ready",
        /// It is not desired any more.
        Removed = "removed",
        /// An action on a dependency.
        KnockOn = "knock_on",
        /// A user requested it.
        Requested = "requested",
        /// The plan destroys everything.
        DestroyMode = "destroy_mode",
        /// It is described under another name than it is recorded.
        Moved = "moved",
    }
}

closed_set! {
    /// The difference of a recorded resource between two versions of a state.
    StateChange {
        /// It is new.
        Added = "added",
        /// It was removed.
        Removed = "removed",
        /// It was changed.
        Changed = "changed",
    }
}

closed_set! {
    /// The mode of a plan.
    PlanMode {
        /// Create, change and destroy resources as described.
        Apply = "apply",
        /// Destroy all recorded resources.
        Destroy = "destroy",
    }
}

closed_set! {
    /// The condition under which an action on a resource causes an action on its dependents.
    #[derive(Default)]
    KnockOn {
        /// If a value that the dependent uses changes or may change.
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
    /// The mode of the plan.
    pub mode: PlanMode,
    /// The deployment's name.
    pub deployment: String,
    /// The state's serial that this was planned against.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub serial: u64,
    /// `sha256:` and 64 hexadecimal digits of everything else but the diagnostics.
    pub digest: String,
    /// The condition under which an action causes actions on dependents.
    pub knock_on: KnockOn,
    /// The actions, in order.
    pub actions: Vec<ActionView>,
    /// The number of actions of each kind.
    pub summary: SummaryView,
    /// The problems that were found. With an error in the input, `actions` is empty; with one about a protected resource
    /// it is not, and the plan cannot be applied.
    pub diagnostics: Vec<DiagnosticView>,
}

/// The number of actions of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Summary"))]
pub struct SummaryView {
    /// Resources to create.
    pub create: usize,
    /// Resources to update in place.
    pub update: usize,
    /// Resources to rebuild.
    pub rebuild: usize,
    /// Resources to destroy.
    pub destroy: usize,
    /// Resources to forget: they are recorded, no longer desired, and no longer exist. Absent if there are none.
    #[serde(skip_serializing_if = "is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub forget: usize,
    /// Resources that only have another name. Absent if there are none.
    #[serde(rename = "move", skip_serializing_if = "is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub moved: usize,
    /// Unchanged resources.
    pub unchanged: usize,
}

const fn is_none(count: &usize) -> bool {
    *count == 0
}

impl SummaryView {
    /// The summary of these actions.
    pub fn count(actions: impl IntoIterator<Item = Action>) -> Self {
        let mut summary = Self::default();
        for action in actions {
            *summary.number_of(action) += 1;
        }
        summary
    }

    const fn number_of(&mut self, action: Action) -> &mut usize {
        match action {
            Action::Create => &mut self.create,
            Action::Update => &mut self.update,
            Action::Rebuild => &mut self.rebuild,
            Action::Destroy => &mut self.destroy,
            Action::Forget => &mut self.forget,
            Action::Move => &mut self.moved,
            Action::NoOp => &mut self.unchanged,
        }
    }

    /// The number of actions of this kind.
    pub const fn of(mut self, action: Action) -> usize {
        *self.number_of(action)
    }

    /// The numbers to show, in the order of [`Action::BY_RISK`]: of each action on a real resource, even if it is 0, and
    /// of resources to forget if there are any. Unchanged resources are not counted.
    pub fn by_risk(self) -> impl Iterator<Item = (Action, usize)> {
        let counts = Action::BY_RISK.into_iter().map(move |it| (it, self.of(it)));
        counts.filter(|(action, count)| action.acts() || (action.changes_state() && *count > 0))
    }

    /// The number of actions that change a resource or the state.
    pub fn changes(self) -> usize {
        self.by_risk().map(|(_, count)| count).sum()
    }

    /// The number of actions that destroy something.
    pub fn losses(self) -> usize {
        self.by_risk().filter(|(action, _)| action.destroys()).map(|(_, count)| count).sum()
    }
}

/// An action on a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Action"))]
pub struct ActionView {
    /// `a1`, `a2` …
    pub id: String,
    /// The address of the resource.
    pub address: String,
    /// The address that it is recorded under, if it has moved since; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub previous_address: Option<String>,
    /// Its kind.
    pub kind: String,
    /// The action.
    pub action: Action,
    /// The location of the declaration, as in the graph; absent for resources that are no longer described.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub origin: Option<LocationView>,
    /// The ids of the actions that must be completed before.
    pub after: Vec<String>,
    /// The reason; null for a `no_op`.
    pub reason: Option<ReasonView>,
    /// The values that differ.
    pub changes: Vec<ChangeView>,
}

/// The reason of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Reason"))]
pub struct ReasonView {
    /// The kind of reason.
    pub kind: ReasonKind,
    /// For `knock_on`: the action that caused it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub cause: Option<String>,
    /// For `knock_on`: the dependency between the two resources.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub via: Option<ViaView>,
    /// The reason as a sentence.
    pub sentence: String,
}

/// The dependency by which an action causes another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Via"))]
pub struct ViaView {
    /// The kind of dependency.
    pub edge: EdgeKind,
    /// The place in the merged document, e.g. `/services/web/init/0/run/args/2`.
    pub path: String,
    /// The address of the dependency.
    pub to: String,
}

/// One value that differs. A sensitive one has `null` for all three.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Change"))]
pub struct ChangeView {
    /// The path in the resource.
    pub path: String,
    /// The desired value; its expression (`${…}` text) if it is not known yet; null if it is to be removed.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub desired: Json,
    /// The recorded value; null if there is none.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub persisted: Json,
    /// The observed value; null if there is none or it was not observed.
    #[cfg_attr(feature = "typescript", ts(type = "Json"))]
    pub observed: Json,
    /// True if the desired value is not known yet.
    pub unknown: bool,
    /// True if the values are hidden.
    pub sensitive: bool,
    /// True if the change requires a rebuild.
    pub forces_rebuild: bool,
    /// The origin of the desired value.
    pub origin: Option<ChangeOriginView>,
}

/// The origin of a desired value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ChangeOrigin"))]
pub struct ChangeOriginView {
    /// The location.
    #[serde(flatten)]
    pub location: LocationView,
    /// True if no file sets it: a default or a rule inferred it from the value at this location.
    pub inferred: bool,
}

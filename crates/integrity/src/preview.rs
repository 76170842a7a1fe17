use serde::Serialize;
use store::{Key, Kind};

use crate::{
    Blocker, Cause, Clearing, Deletion, InstanceMap, Instances, Outcome, Problem, Work, deletion,
    preview_graph::PreviewGraph, preview_hidden::PreviewHidden, work,
};

/// The effects that the deletion of some resources would have, as data: in its transaction, and afterwards in waves, each of
/// which does what the one before it made possible.
///
/// It is what [`Transactions`](crate::Transactions) then do, if nobody else writes. Effects of time alone, such as the expiry
/// of references to owners which never appeared, are not part of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DeletionPreview {
    /// The resources to delete.
    pub roots: Vec<Named>,
    /// Those of them that do not exist; the deletion is refused if there are any.
    pub not_found: Vec<Named>,
    /// The references that forbid it; the deletion is refused if there are any.
    pub blocked_by: Vec<PreviewBlocker>,
    /// The effects in the transaction; none if it is refused.
    pub transaction: PreviewEffects,
    /// The waves of asynchronous work that follow.
    pub waves: Vec<Vec<PreviewStep>>,
    /// The deletions that should follow, but are blocked for as long as nobody changes anything else.
    pub stuck: Vec<PreviewStuck>,
    /// The resources that are still `DELETING` in the end, because of the stuck ones.
    pub still_deleting: Vec<Named>,
    /// The doubtful parts.
    pub warnings: Vec<Problem>,
    /// Everything that it is about, to be drawn.
    pub graph: PreviewGraph,
    /// The counts of resources that the reader may not see, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden: Option<PreviewHidden>,
}

/// A resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Named {
    /// Its kind: `service/Kind`.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// A reference that forbids a deletion.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct PreviewBlocker {
    /// The resource that would be deleted.
    pub target: Named,
    /// The resource that refers to it.
    pub referrer: Named,
    /// The field of the reference; `parent` if it is contained in it.
    pub field: String,
}

/// The effects of one transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PreviewEffects {
    /// The resources that are removed, in order.
    pub removed: Vec<Named>,
    /// The resources that become `DELETING`, in order.
    pub deleting: Vec<Named>,
    /// The references that are cleared, in order.
    pub cleared: Vec<PreviewClearing>,
}

/// A reference that is cleared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct PreviewClearing {
    /// The resource that changes.
    pub referrer: Named,
    /// The field.
    pub field: String,
    /// The resource that it referred to.
    pub target: Named,
}

/// A transaction of the asynchronous part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PreviewStep {
    /// The resource that it is about; without name where the reader may not see it.
    pub resource: Named,
    /// Its effects.
    #[serde(flatten)]
    pub effects: PreviewEffects,
}

/// A deletion that cannot happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PreviewStuck {
    /// The resource that should be deleted.
    pub resource: Named,
    /// The references that forbid it.
    pub blocked_by: Vec<PreviewBlocker>,
}

impl DeletionPreview {
    /// The effects of the deletion of `roots` on these resources. Depends on its arguments only.
    pub fn of(instances: &InstanceMap, roots: &[Key]) -> Self {
        let not_found =
            roots.iter().filter(|key| instances.value(key).is_none()).map(Named::from).collect::<Vec<_>>();
        let plan = deletion::plan(instances.rules(), instances, roots, Cause::Requested);
        let mut preview = Self {
            roots: roots.iter().map(Named::from).collect(),
            not_found,
            blocked_by: plan.blockers.iter().map(PreviewBlocker::from).collect(),
            transaction: PreviewEffects::default(),
            waves: Vec::new(),
            stuck: Vec::new(),
            still_deleting: Vec::new(),
            warnings: plan.warnings.clone(),
            graph: PreviewGraph::default(),
            hidden: None,
        };
        if preview.is_possible() {
            preview.transaction = PreviewEffects::from(&plan);
            preview.follow(instances, &plan);
        }
        preview.graph = PreviewGraph::of(instances, &preview);
        preview
    }

    /// True if the deletion would not be refused.
    pub fn is_possible(&self) -> bool {
        self.blocked_by.is_empty() && self.not_found.is_empty()
    }

    fn follow(&mut self, before: &InstanceMap, plan: &Deletion) {
        let mut now = before.clone();
        now.change(|overlay| work::apply(overlay, plan));
        loop {
            let wave = wave(&mut now);
            if wave.is_empty() {
                break;
            }
            self.waves.push(wave);
        }
        for it in work::pending(&now) {
            if let Outcome::Blocked(blockers) = work::outcome(now.rules(), &now, &it) {
                let blocked_by = blockers.iter().map(PreviewBlocker::from).collect();
                self.stuck.push(PreviewStuck { resource: it.key().into(), blocked_by });
            }
        }
        let left = now.leaving().into_iter().filter(|key| now.is_deleting(key));
        self.still_deleting = left.map(|key| Named::from(&key)).collect();
    }
}

/// Does everything that is pending now, as far as possible.
fn wave(now: &mut InstanceMap) -> Vec<PreviewStep> {
    let mut steps = Vec::new();
    for it in work::pending(now) {
        if let Outcome::Done(deletion) = work::outcome(now.rules(), now, &it) {
            now.change(|overlay| work::apply(overlay, &deletion));
            steps.push(PreviewStep::of(&it, &deletion));
        }
    }
    steps
}

impl PreviewStep {
    /// The effects of some work, as a step.
    pub fn of(work: &Work, deletion: &Deletion) -> Self {
        Self { resource: work.key().into(), effects: deletion.into() }
    }
}

impl Named {
    /// Its key in a store; `None` if its kind is not `service/Kind`.
    pub fn key(&self) -> Option<Key> {
        let (namespace, name) = self.kind.split_once('/')?;
        Some(Kind::new(namespace, name).key(self.name.as_str()))
    }
}

impl From<&Key> for Named {
    fn from(key: &Key) -> Self {
        Self { kind: key.kind.to_string(), name: key.id.to_string() }
    }
}

impl From<&Blocker> for PreviewBlocker {
    fn from(blocker: &Blocker) -> Self {
        let (target, referrer) = (Named::from(&blocker.target), Named::from(&blocker.referrer));
        Self { target, referrer, field: blocker.place.clone() }
    }
}

impl From<&Clearing> for PreviewClearing {
    fn from(clearing: &Clearing) -> Self {
        let (referrer, target) = (Named::from(&clearing.referrer), Named::from(&clearing.target));
        Self { referrer, field: clearing.place.clone(), target }
    }
}

impl From<&Deletion> for PreviewEffects {
    fn from(deletion: &Deletion) -> Self {
        Self {
            removed: deletion.removed.iter().map(Named::from).collect(),
            deleting: deletion.deleting.iter().map(Named::from).collect(),
            cleared: deletion.cleared.iter().map(PreviewClearing::from).collect(),
        }
    }
}

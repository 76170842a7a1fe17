use std::collections::BTreeSet;

use diag::order;
use graph::Graph;
use model::{DesiredResource, EdgeKind, Pointer, RecordedResource};
use view::Action;

use crate::action::{Change, Reason, Via};
use crate::field_states::same;
use crate::reconcile::Decision;
use crate::template::edited;

/// True if the action on a resource changes, or may change, its value at `path`.
pub(crate) fn touched(decision: &Decision, path: &Pointer) -> bool {
    match decision.action {
        Action::Create | Action::Rebuild => true,
        Action::Update => overlaps(&decision.touched, path),
        Action::Destroy | Action::NoOp | Action::Forget | Action::Move => false,
    }
}

/// True if one of `paths` is `path`, lies in it or around it.
fn overlaps(paths: &BTreeSet<Pointer>, path: &Pointer) -> bool {
    let mut around = Some(path.clone());
    while let Some(place) = around {
        if paths.contains(&place) {
            return true;
        }
        around = place.split_last().map(|(parent, _)| parent);
    }
    let inside = Pointer::parse(&format!("{path}/"));
    paths.range(inside..).next().is_some_and(|next| next.is_within(path))
}

/// The consequences of others' actions for one resource that exists.
#[derive(Clone, Copy)]
pub(crate) struct Causes<'k> {
    pub(crate) graph: &'k Graph,
    pub(crate) decisions: &'k [Option<Decision>],
    pub(crate) desired: &'k DesiredResource,
    pub(crate) recorded: &'k RecordedResource,
}

impl Causes<'_> {
    /// The node whose action changes what stands at `path`, and the connection. `None` where a person wrote
    /// something else there since it was recorded.
    pub(crate) fn of(&self, path: &Pointer) -> Option<(usize, Via)> {
        let edited = self.edited(path);
        self.desired.dependencies.iter().find_map(|dependency| {
            let takes = dependency.takes.as_ref()?;
            if !path.is_within(&dependency.path) && !dependency.path.is_within(path) {
                return None;
            }
            let (target, decision) = self.decision(&dependency.to)?;
            // Without a template, a reference to something that never was must itself be new.
            let newly_written = edited.unwrap_or(decision.reason == Some(Reason::New));
            let acts = match dependency.kind {
                EdgeKind::Attachment => decision.action.creates(),
                EdgeKind::Reference | EdgeKind::DependsOn | EdgeKind::Link | EdgeKind::Version => {
                    touched(decision, takes)
                }
            };
            (acts && !newly_written).then(|| (target, self.via(dependency)))
        })
    }

    /// The places whose text stays while the identity of what it names is new.
    pub(crate) fn lost_places(&self) -> Vec<Pointer> {
        let attachments = self.desired.dependencies.iter().filter(|it| it.kind == EdgeKind::Attachment);
        let lost = attachments.filter(|it| self.decision(&it.to).is_some_and(|(_, to)| to.action.creates()));
        let kept = lost.filter(|it| same(self.desired.spec.at(&it.path), self.recorded.spec.at(&it.path)));
        order::set(kept.map(|it| it.path.clone())).into_iter().collect()
    }

    /// The action that `knock_on: all` requires: the strongest one among those of the dependencies; of equal ones the first
    /// in the order of declaration. A new dependency requires none, because nothing used it before.
    pub(crate) fn follow_on(&self) -> Option<(Action, usize, Via)> {
        let mut strongest: Option<(Action, usize, Via)> = None;
        for dependency in &self.desired.dependencies {
            let Some((target, decision)) = self.decision(&dependency.to) else { continue };
            let action = match (decision.action, &decision.reason) {
                (Action::Create, Some(Reason::Gone)) | (Action::Rebuild, _) => Action::Rebuild,
                (Action::Update, _) => Action::Update,
                (Action::Create | Action::Destroy | Action::NoOp | Action::Forget | Action::Move, _) => {
                    continue;
                }
            };
            if strongest.as_ref().is_none_or(|(least, _, _)| action > *least) {
                strongest = Some((action, target, self.via(dependency)));
            }
        }
        strongest
    }

    fn decision(&self, address: &model::Address) -> Option<(usize, &Decision)> {
        let target = self.graph.find(address)?;
        Some((target, self.decisions[target].as_ref()?))
    }

    /// True if the text at `path` is not the one that was recorded; `None` if no text was recorded.
    fn edited(&self, path: &Pointer) -> Option<bool> {
        Some(edited(self.recorded.template.as_ref()?, self.desired, path))
    }

    fn via(&self, dependency: &model::Dependency) -> Via {
        Via { edge: dependency.kind, path: dependency.path.clone(), to: dependency.to.clone() }
    }
}

/// The paths of changes, for [`touched`].
pub(crate) fn paths(changes: &[Change]) -> BTreeSet<Pointer> {
    order::set(changes.iter().map(|change| change.path.clone()))
}

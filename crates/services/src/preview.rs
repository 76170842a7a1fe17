//! The preview of a deletion as steps, each with its cause.

use serde::Deserialize;
use serde_json::Value;
use workspace::view::{
    DeleteBehavior, DeletionCauseView, DeletionEffect, DeletionReferenceView, DeletionStepView, DeletionView,
    NamedResourceView,
};

/// The response of the API to a deletion that is only validated.
#[derive(Deserialize)]
struct Preview {
    blocked_by: Vec<DeletionReferenceView>,
    transaction: Effects,
    waves: Vec<Vec<Step>>,
    stuck: Vec<Stuck>,
    still_deleting: Vec<NamedResourceView>,
    graph: Graph,
}

#[derive(Deserialize)]
struct Step {
    #[serde(flatten)]
    effects: Effects,
}

#[derive(Deserialize)]
struct Effects {
    removed: Vec<NamedResourceView>,
    deleting: Vec<NamedResourceView>,
    cleared: Vec<DeletionReferenceView>,
}

#[derive(Deserialize)]
struct Stuck {
    blocked_by: Vec<DeletionReferenceView>,
}

#[derive(Deserialize)]
struct Graph {
    edges: Vec<Edge>,
}

/// A resource depends on another one.
#[derive(Deserialize)]
struct Edge {
    from: NamedResourceView,
    to: NamedResourceView,
    field: String,
    behavior: DeleteBehavior,
}

/// The preview of the deletion of `root`; `None` if this is none.
pub(crate) fn view(root: &NamedResourceView, preview: &Value) -> Option<DeletionView> {
    let preview = Preview::deserialize(preview).ok()?;
    let mut steps = Steps { root, edges: &preview.graph.edges, steps: Vec::new() };
    steps.add(0, &preview.transaction);
    for (wave, all) in (1..).zip(&preview.waves) {
        all.iter().for_each(|it| steps.add(wave, &it.effects));
    }
    Some(DeletionView {
        root: root.clone(),
        steps: steps.steps,
        blocked_by: preview.blocked_by,
        stuck: preview.stuck.into_iter().flat_map(|it| it.blocked_by).collect(),
        still_deleting: preview.still_deleting,
    })
}

struct Steps<'a> {
    root: &'a NamedResourceView,
    edges: &'a [Edge],
    steps: Vec<DeletionStepView>,
}

impl Steps<'_> {
    fn add(&mut self, wave: u32, effects: &Effects) {
        let gone =
            [(DeletionEffect::Removed, &effects.removed), (DeletionEffect::Deleting, &effects.deleting)];
        for (effect, all) in gone {
            for resource in all {
                let because = self.cause(resource);
                self.steps.push(DeletionStepView { wave, effect, resource: resource.clone(), because });
            }
        }
        for it in &effects.cleared {
            let because = self.edge(&it.referrer, &it.target, &it.field);
            let resource = it.referrer.clone();
            self.steps.push(DeletionStepView { wave, effect: DeletionEffect::Cleared, resource, because });
        }
    }

    /// The deleted resource that it depends on by a reference that deletes it too; `None` for the root of the deletion.
    fn cause(&self, resource: &NamedResourceView) -> Option<DeletionCauseView> {
        if resource == self.root {
            return None;
        }
        let is_gone = |it: &NamedResourceView| {
            it == self.root
                || self
                    .steps
                    .iter()
                    .any(|step| step.effect != DeletionEffect::Cleared && step.resource == *it)
        };
        let edges = || self.edges.iter().filter(|it| it.from == *resource);
        let cause = edges().find(|it| deletes(it.behavior) && is_gone(&it.to));
        Some(cause.or_else(|| edges().find(|it| deletes(it.behavior)))?.cause())
    }

    fn edge(
        &self,
        from: &NamedResourceView,
        to: &NamedResourceView,
        field: &str,
    ) -> Option<DeletionCauseView> {
        let edge = self.edges.iter().find(|it| it.from == *from && it.to == *to && it.field == field);
        edge.map(Edge::cause)
    }
}

impl Edge {
    fn cause(&self) -> DeletionCauseView {
        DeletionCauseView { field: self.field.clone(), target: self.to.clone(), behavior: self.behavior }
    }
}

const fn deletes(behavior: DeleteBehavior) -> bool {
    match behavior {
        DeleteBehavior::CascadeDelete | DeleteBehavior::AsyncCascadeDelete => true,
        DeleteBehavior::Block
        | DeleteBehavior::Unset
        | DeleteBehavior::AsyncUnset
        | DeleteBehavior::AllowDangling => false,
    }
}

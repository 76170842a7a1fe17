use std::collections::BTreeSet;

use serde::Serialize;

use crate::{DeletionPreview, Named, PreviewBlocker, PreviewEffects, PreviewStep};

/// The part of a deletion that its reader may not see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PreviewHidden {
    /// The number of resources that are left out.
    pub resources: usize,
    /// The number of blockers that are left out, because a resource that they name is.
    pub blockers: usize,
    /// The meaning of that, in one line.
    pub message: String,
}

impl DeletionPreview {
    /// The preview without the resources that its reader may not see; their number is in `hidden`. The resources to delete
    /// remain, since the reader has named them.
    #[must_use]
    pub fn visible(mut self, is_visible: impl Fn(&Named) -> bool) -> Self {
        let hidden: BTreeSet<Named> =
            self.named().filter(|it| !self.roots.contains(it) && !is_visible(it)).cloned().collect();
        if hidden.is_empty() {
            return self;
        }
        let is_hidden = |it: &PreviewBlocker| hidden.contains(&it.referrer) || hidden.contains(&it.target);
        let blockers = self.blocked_by.iter().filter(|it| is_hidden(it)).count();
        self.hidden = Some(PreviewHidden::new(hidden.len(), blockers));
        self.remove(&hidden);
        self
    }

    /// All resources that are named.
    fn named(&self) -> impl Iterator<Item = &Named> {
        let steps = self.waves.iter().flatten();
        let effects = steps.clone().map(|it| &it.effects).chain([&self.transaction]);
        let stuck = self.stuck.iter().flat_map(|it| &it.blocked_by);
        let blockers = self.blocked_by.iter().chain(stuck).flat_map(|it| [&it.target, &it.referrer]);
        let nodes = self.graph.nodes.iter().map(|it| &it.resource);
        effects
            .flat_map(PreviewEffects::named)
            .chain(steps.map(|it| &it.resource))
            .chain(self.stuck.iter().map(|it| &it.resource))
            .chain(&self.still_deleting)
            .chain(blockers)
            .chain(nodes)
    }

    fn remove(&mut self, hidden: &BTreeSet<Named>) {
        let shows = |it: &Named| !hidden.contains(it);
        let shows_blocker = |it: &PreviewBlocker| shows(&it.referrer) && shows(&it.target);
        self.blocked_by.retain(shows_blocker);
        self.transaction.remove(hidden);
        for wave in &mut self.waves {
            wave.iter_mut().for_each(|it| it.remove(hidden));
            wave.retain(|it| shows(&it.resource) || !it.effects.is_empty());
        }
        self.stuck.retain(|it| shows(&it.resource));
        self.stuck.iter_mut().for_each(|it| it.blocked_by.retain(shows_blocker));
        self.still_deleting.retain(shows);
        self.graph.nodes.retain(|it| shows(&it.resource));
        self.graph.edges.retain(|it| shows(&it.from) && shows(&it.to));
    }
}

impl PreviewHidden {
    fn new(resources: usize, blockers: usize) -> Self {
        let (what, forbid) = match resources {
            1 => ("resource that it is about is", "forbids"),
            _ => ("resources that it is about are", "forbid"),
        };
        let consequence = if blockers == 0 { String::new() } else { format!(", and {forbid} the deletion") };
        let message = format!("{resources} {what} not visible to the caller{consequence}");
        Self { resources, blockers, message }
    }
}

impl PreviewEffects {
    fn named(&self) -> impl Iterator<Item = &Named> {
        let cleared = self.cleared.iter().flat_map(|it| [&it.referrer, &it.target]);
        self.removed.iter().chain(&self.deleting).chain(cleared)
    }

    fn remove(&mut self, hidden: &BTreeSet<Named>) {
        self.removed.retain(|it| !hidden.contains(it));
        self.deleting.retain(|it| !hidden.contains(it));
        self.cleared.retain(|it| !hidden.contains(&it.referrer) && !hidden.contains(&it.target));
    }

    fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.deleting.is_empty() && self.cleared.is_empty()
    }
}

impl PreviewStep {
    /// A step that is about a hidden resource keeps its effects on others, without the name.
    fn remove(&mut self, hidden: &BTreeSet<Named>) {
        self.effects.remove(hidden);
        if hidden.contains(&self.resource) && !self.effects.is_empty() {
            self.resource.name.clear();
        }
    }
}

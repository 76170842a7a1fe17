//! The model of a drawing: nodes and edges with everything that can be said of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::views::live::{StepItem, StepLook, is_ruined};
use diag::order;
use workspace::view::{
    Action, ActionView, EdgeKind, EdgeView, LayoutView, LocationView, NodeView, PlanView, ReasonKind,
    ReasonView, Severity, UpgradeKind,
};

/// A graph ready to be drawn; indices are those of the layout.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::views) struct Model {
    /// The resources.
    pub(in crate::views) nodes: Vec<Node>,
    /// The connections whose two ends exist.
    pub(in crate::views) edges: Vec<Edge>,
    /// Width and height of it all.
    pub(in crate::views) size: [f32; 2],
    /// Addresses that the plan destroys and the graph no longer has.
    pub(in crate::views) leaving: Vec<String>,
    /// Every node in the order of creation.
    pub(in crate::views) order: Vec<usize>,
    /// The meaning of its connections.
    pub(in crate::views) sort: Sort,
}

/// The meaning of the connections of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::views) enum Sort {
    /// Dependencies between resources, in waves. Everything that a node needs, directly or not, is part of its
    /// neighbourhood.
    #[default]
    Needs,
    /// Links from providers to consumers. They may form a cycle, and only the direct neighbours are of concern.
    Links,
    /// Upgrades between versions: a newer one "needs" those that it replaces.
    Upgrades,
    /// Dependencies between resources on either of two sides, which may form a cycle.
    Comparison,
}

/// One resource.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::views) struct Node {
    /// Its address.
    pub(in crate::views) address: String,
    /// Its name: the address without the group.
    pub(in crate::views) name: String,
    /// Its kind.
    pub(in crate::views) kind: String,
    /// Its step of a parallel creation, from 0.
    pub(in crate::views) wave: u32,
    /// Left, top, width, height.
    pub(in crate::views) rect: [f32; 4],
    /// The place where it is declared.
    pub(in crate::views) origin: LocationView,
    /// The action of the plan for it; `None` without a plan, or when it stays.
    pub(in crate::views) action: Option<Action>,
    /// The state of the existing resource, compared with its description.
    pub(in crate::views) state: State,
    /// The line under its name.
    pub(in crate::views) sub: String,
    /// The reason for the action, as a sentence.
    pub(in crate::views) why: Option<String>,
    /// Edges to the nodes that it needs, by index.
    pub(in crate::views) needs: Vec<usize>,
    /// Edges from the nodes that need it, by index.
    pub(in crate::views) needed_by: Vec<usize>,
    /// The places where files change something of it: the first such place of each file.
    pub(in crate::views) origins: Vec<LocationView>,
    /// The state of its step, while a plan is applied.
    pub(in crate::views) look: Option<StepLook>,
    /// The number of problems that it has.
    pub(in crate::views) problems: usize,
    /// The marks that distinguish it from others of its kind.
    pub(in crate::views) dress: Dress,
    /// The nodes that it is a group of, by their index in the model that was grouped; empty for a single resource.
    pub(in crate::views) members: Vec<usize>,
}

/// The marks that distinguish a node; its `sub` says them as well.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::views) struct Dress {
    /// Its standing among others.
    pub(in crate::views) standing: Standing,
    /// Badges of the channels or files that it is in.
    pub(in crate::views) letters: Vec<crate::LayerBadge>,
}

/// The standing of a version among others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::views) enum Standing {
    /// It is one of many.
    #[default]
    Plain,
    /// It was chosen.
    Chosen,
    /// It should not be used.
    Deprecated,
    /// It is installed.
    Installed,
    /// Another one skips it.
    Skipped,
}

impl Standing {
    /// The class of its element.
    pub(super) const fn class(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Chosen => Some("bundle-chosen"),
            Self::Deprecated => Some("bundle-deprecated"),
            Self::Installed => Some("bundle-installed"),
            Self::Skipped => Some("bundle-skipped"),
        }
    }

    /// The sign in its corner.
    pub(in crate::views) const fn sign(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Chosen => Some("✓"),
            Self::Deprecated => Some("!"),
            Self::Installed => Some("●"),
            Self::Skipped => Some("⊘"),
        }
    }
}

/// One connection.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::views) struct Edge {
    /// The dependent.
    pub(in crate::views) from: usize,
    /// The node that it needs.
    pub(in crate::views) to: usize,
    /// Its meaning.
    pub(in crate::views) kind: Connection,
    /// The attribute that declares it.
    pub(in crate::views) path: String,
    /// The place where it is written.
    pub(in crate::views) origin: LocationView,
    /// The way from `to` to `from`; empty when it is not drawn.
    pub(in crate::views) route: Vec<[f32; 2]>,
    /// An action goes on along it: the action of the dependent.
    pub(in crate::views) knock_on: Option<Action>,
    /// The text at its middle.
    pub(in crate::views) label: Option<String>,
}

/// The meaning of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::views) enum Connection {
    /// A resource needs another.
    Need(EdgeKind),
    /// A version can be upgraded to another.
    Upgrade(UpgradeKind),
}

impl Connection {
    /// The class that sets its line.
    pub(in crate::views) const fn class(self) -> &'static str {
        match self {
            Self::Need(EdgeKind::DependsOn) => "edge-depends_on",
            Self::Need(EdgeKind::Reference) => "edge-reference",
            Self::Need(EdgeKind::Attachment) => "edge-attachment",
            Self::Need(EdgeKind::Link) => "edge-link",
            Self::Need(EdgeKind::Version) => "edge-version",
            Self::Upgrade(UpgradeKind::Replaces) => "edge-replaces",
            Self::Upgrade(UpgradeKind::Skips) => "edge-skips",
            Self::Upgrade(UpgradeKind::SkipRange) => "edge-skip_range",
        }
    }

    /// Its name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Need(kind) => kind.as_str(),
            Self::Upgrade(kind) => kind.as_str(),
        }
    }

    /// The relation of one end to the other, as a verb phrase.
    pub(super) const fn phrase(self) -> &'static str {
        match self {
            Self::Need(kind) => kind.phrase(),
            Self::Upgrade(UpgradeKind::Replaces) => UpgradeKind::Replaces.phrase(),
            // The range stands below.
            Self::Upgrade(UpgradeKind::Skips | UpgradeKind::SkipRange) => UpgradeKind::Skips.phrase(),
        }
    }

    /// True if its line is double.
    pub(in crate::views) const fn is_link(self) -> bool {
        matches!(self, Self::Need(EdgeKind::Link))
    }
}

/// The state of an existing resource, compared with its description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::views) enum State {
    /// It was not observed.
    Unknown,
    /// There is none yet.
    Absent,
    /// It differs.
    Differs,
    /// It is as described.
    InSync,
}

impl State {
    /// In a word or two.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Unknown => "not planned",
            Self::Absent => "does not exist",
            Self::Differs => "differs",
            Self::InSync => "as described",
        }
    }
}

impl Model {
    /// The same while a plan is applied.
    pub(super) fn running(mut self, steps: &[StepItem]) -> Self {
        for step in steps {
            // A rebuild is two steps: the one that is not over yet counts.
            let place = self.find(&step.address);
            if let Some(node) = place.and_then(|at| self.nodes.get_mut(at))
                && (node.look.is_none_or(|look| look == StepLook::Done))
            {
                node.look = Some(step.look);
                node.sub = said(step);
            }
        }
        self
    }

    /// Puts a layout and a plan together.
    pub(super) fn new(layout: &LayoutView, plan: Option<&PlanView>) -> Self {
        let index: BTreeMap<&str, usize> =
            order::map(layout.graph.nodes.iter().enumerate().map(|(at, node)| (node.address.as_str(), at)));
        let actions = actions(plan);
        let planned = plan
            .is_some_and(|plan| !plan.diagnostics.iter().any(|problem| problem.severity == Severity::Error));
        let rects = layout.boxes.iter().copied().chain(std::iter::repeat([0.0; 4]));
        let nodes = layout.graph.nodes.iter().zip(rects).map(|(node, rect)| {
            let action = actions.get(node.address.as_str()).copied();
            Node::new(node, rect, action, planned)
        });
        let mut model = Self {
            nodes: nodes.collect(),
            edges: Vec::new(),
            size: layout.size,
            leaving: leaving(plan, &index),
            order: Vec::new(),
            sort: Sort::Needs,
        };
        let routes = layout.routes.iter().map(Vec::as_slice).chain(std::iter::repeat([].as_slice()));
        for (edge, route) in layout.graph.edges.iter().zip(routes) {
            if let (Some(&from), Some(&to)) = (index.get(edge.from.as_str()), index.get(edge.to.as_str())) {
                let knock_on = actions
                    .get(edge.from.as_str())
                    .filter(|action| goes_along(action, edge))
                    .map(|action| action.action);
                model.connect(from, to, edge, route, knock_on);
            }
        }
        model.order = (0..model.nodes.len()).collect();
        order::by_key(&mut model.order, |&at| model.nodes.get(at).map_or(0, |node| node.wave));
        model
    }

    fn connect(
        &mut self,
        from: usize,
        to: usize,
        edge: &EdgeView,
        route: &[[f32; 2]],
        knock_on: Option<Action>,
    ) {
        let at = self.edges.len();
        if let Some(node) = self.nodes.get_mut(from) {
            node.needs.push(at);
        }
        if let Some(node) = self.nodes.get_mut(to) {
            node.needed_by.push(at);
        }
        let kind = Connection::Need(edge.kind);
        let (path, origin) = (edge.path.clone(), edge.origin.clone());
        let route =
            if route.is_empty() && knock_on.is_some() { self.straight(to, from) } else { route.to_vec() };
        self.edges.push(Edge { from, to, kind, path, origin, route, knock_on, label: None });
    }

    /// The way between two nodes that has no layout. A longer way implies such an edge, so it is not drawn; but where
    /// an action goes along it, it has to be seen.
    fn straight(&self, from: usize, to: usize) -> Vec<[f32; 2]> {
        let rect = |at: usize| self.nodes.get(at).map(|node| node.rect);
        let (Some(from), Some(to)) = (rect(from), rect(to)) else { return Vec::new() };
        vec![[from[0] + from[2], from[1] + from[3] / 2.0], [to[0], to[1] + to[3] / 2.0]]
    }

    /// The node of an address.
    pub(in crate::views) fn find(&self, address: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.address == address)
    }

    /// The nodes that a node needs, each once, in the order of its edges.
    pub(super) fn needs(&self, node: usize) -> Vec<usize> {
        self.ends(node, |node| &node.needs, |edge| edge.to)
    }

    /// The nodes that need a node, each once, in the order of the edges.
    pub(super) fn needed_by(&self, node: usize) -> Vec<usize> {
        self.ends(node, |node| &node.needed_by, |edge| edge.from)
    }

    fn ends(&self, node: usize, edges: fn(&Node) -> &Vec<usize>, end: fn(&Edge) -> usize) -> Vec<usize> {
        let edges = self.nodes.get(node).into_iter().flat_map(edges).filter_map(|edge| self.edges.get(*edge));
        let mut seen = BTreeSet::new();
        edges.map(end).filter(|end| seen.insert(*end)).collect()
    }

    /// The text of a node for screen readers: `db, service, rebuild because its image changed, needs 1, needed by 2, 3
    /// of 12`.
    pub(super) fn spoken(&self, at: usize) -> String {
        let Some(node) = self.nodes.get(at) else { return String::new() };
        if self.sort != Sort::Needs {
            return format!("{}, {}, {}", node.name, node.kind, node.sub);
        }
        let action =
            node.action.map_or_else(|| node.state.word().to_owned(), |it| it.words().word.to_owned());
        let action = node.look.map_or(action, |_| node.sub.clone());
        let why = node.why.as_ref().map(|why| format!(" because {why}")).unwrap_or_default();
        let (needs, needed) = (self.needs(at).len(), self.needed_by(at).len());
        let action = if node.members.is_empty() { action } else { node.sub.clone() };
        let place = self.order.iter().position(|other| *other == at).unwrap_or(0) + 1;
        let count = self.nodes.len();
        format!(
            "{}, {}, {action}{why}, needs {needs}, needed by {needed}, {place} of {count}",
            node.name, node.kind
        )
    }
}

/// The state of a step, in a word or two.
fn said(step: &StepItem) -> String {
    match step.look {
        StepLook::Waiting => "waiting".into(),
        StepLook::Running if step.words.is_empty() => "running".into(),
        StepLook::Running => step.words.clone(),
        StepLook::Done => "done".into(),
        StepLook::Failed => "failed".into(),
        StepLook::Skipped => "skipped".into(),
    }
}

fn actions(plan: Option<&PlanView>) -> BTreeMap<&str, &ActionView> {
    plan.into_iter().flat_map(|plan| &plan.actions).map(|action| (action.address.as_str(), action)).collect()
}

fn leaving(plan: Option<&PlanView>, index: &BTreeMap<&str, usize>) -> Vec<String> {
    let actions = plan.into_iter().flat_map(|plan| &plan.actions);
    let gone = actions
        .filter(|action| action.action == Action::Destroy && !index.contains_key(action.address.as_str()));
    gone.map(|action| action.address.clone()).collect()
}

/// True if an action was caused along an edge.
fn goes_along(action: &ActionView, edge: &EdgeView) -> bool {
    let via = action.reason.as_ref().and_then(|reason| reason.via.as_ref());
    via.is_some_and(|via| via.to == edge.to && via.edge == edge.kind)
}

impl Node {
    fn new(node: &NodeView, rect: [f32; 4], action: Option<&ActionView>, planned: bool) -> Self {
        let act = action.map(|action| action.action).filter(|action| *action != Action::NoOp);
        let state = match (act, planned) {
            (_, false) => State::Unknown,
            (None, true) => State::InSync,
            (Some(Action::Create), true) => State::Absent,
            (Some(_), true) => State::Differs,
        };
        let reason = action.and_then(|action| action.reason.as_ref()).filter(|_| act.is_some());
        let sub = action.zip(reason).map(|(action, reason)| short_reason(action, reason));
        let changes = action.into_iter().flat_map(|action| &action.changes);
        let mut origins: Vec<LocationView> =
            changes.filter_map(|change| Some(change.origin.as_ref()?.location.clone())).collect();
        order::by_key(&mut origins, |place| (place.file.clone(), place.line));
        origins.dedup_by(|next, first| next.file == first.file);
        Self {
            address: node.address.clone(),
            name: node.address.split_once('.').map_or(node.address.as_str(), |(_, name)| name).to_owned(),
            kind: node.kind.clone(),
            wave: node.wave,
            rect,
            origin: node.origin.clone(),
            action: act,
            state,
            sub: sub.unwrap_or_else(|| node.kind.clone()),
            why: reason.map(|reason| reason.sentence.clone()),
            needs: Vec::new(),
            needed_by: Vec::new(),
            origins,
            look: None,
            problems: 0,
            dress: Dress::default(),
            members: Vec::new(),
        }
    }
}

/// A reason short enough for a line in a box.
fn short_reason(action: &ActionView, reason: &ReasonView) -> String {
    let name =
        |path: &str| path.rsplit('/').find(|part| part.parse::<u32>().is_err()).unwrap_or(path).to_owned();
    let forcing = action.changes.iter().find(|change| change.forces_rebuild);
    let what = forcing.or_else(|| action.changes.first()).map(|change| name(&change.path));
    let others = match action.changes.len() {
        0 | 1 => String::new(),
        count => format!(" +{}", count - 1),
    };
    match (reason.kind, what, &reason.via) {
        (ReasonKind::New, ..) => "new".into(),
        (ReasonKind::Changed, Some(what), _) => format!("{what}{others}"),
        (ReasonKind::Drifted, ..) if is_ruined(action) => "its last change failed".into(),
        (ReasonKind::Drifted, Some(what), _) => format!("{what} drifted{others}"),
        (ReasonKind::Drifted, None, _) => "drifted".into(),
        (ReasonKind::Gone, ..) => "is gone".into(),
        (ReasonKind::Removed, ..) => "no longer in any file".into(),
        (ReasonKind::KnockOn, _, Some(via)) => {
            format!("via {}", via.to.split_once('.').map_or(via.to.as_str(), |(_, name)| name))
        }
        (ReasonKind::Requested, ..) => "requested".into(),
        (ReasonKind::DestroyMode, ..) => "to be destroyed".into(),
        (ReasonKind::Moved, ..) => match &action.previous_address {
            Some(previous) => format!("was {previous}"),
            None => "renamed".into(),
        },
        (ReasonKind::Changed | ReasonKind::KnockOn | ReasonKind::NotReady, ..) => reason.sentence.clone(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;
    use workspace::view::{Action, LayoutView};

    use super::{Model, State};

    /// Nodes by address and wave, edges `(from, to, kind)`; boxes stand in columns by wave.
    pub(in crate::views::graph) fn model(nodes: &[(&str, u32)], edges: &[(&str, &str, &str)]) -> Model {
        Model::new(&layout(nodes, edges), None)
    }

    fn layout(nodes: &[(&str, u32)], edges: &[(&str, &str, &str)]) -> LayoutView {
        let place = json!({"file": "a", "line": 1, "column": 1, "end_line": 1, "end_column": 2});
        let with = |extra: serde_json::Value| extra;
        let boxes: Vec<_> = nodes
            .iter()
            .enumerate()
            .map(|(at, (_, wave))| [*wave as f32 * 300.0, at as f32 * 80.0, 200.0, 52.0])
            .collect();
        serde_json::from_value(json!({
            "graph": {"format": "", "diagnostics": [],
                "nodes": nodes.iter().map(|(address, wave)|
                    with(json!({"address": address, "kind": "service", "wave": wave, "origin":
                    place}))).collect::<Vec<_>>(),
                "edges": edges.iter().map(|(from, to, kind)|
                    json!({"from": from, "to": to, "kind": kind, "path": "/p", "origin": place, "direct":
                    true})).collect::<Vec<_>>()},
            "boxes": boxes, "routes": edges.iter().map(|_| [[0.0, 0.0], [1.0, 1.0]]).collect::<Vec<_>>(),
                "size": [1000.0, 800.0],
        }))
        .expect("a layout")
    }

    #[test]
    fn a_plan_marks_nodes_edges_and_what_leaves() {
        let layout = layout(
            &[("services.db", 0), ("services.web", 1), ("services.idle", 0)],
            &[("services.web", "services.db", "reference")],
        );
        let plan = serde_json::from_value(json!({
            "format": "", "mode": "apply", "deployment": "", "serial": 0, "digest": "", "knock_on": "values",
                "diagnostics": [],
            "summary": {"create": 0, "update": 0, "rebuild": 2, "destroy": 1, "unchanged": 1},
            "actions": [
                {"id": "a0", "address": "services.old", "kind": "service", "action": "destroy", "after": [],
                    "reason": {"kind": "removed", "sentence": "it is no longer in any file"}, "changes": []},
                {"id": "a1", "address": "services.db", "kind": "service", "action": "rebuild", "after": [],
                    "reason": {"kind": "changed", "sentence": "its image changes"},
                 "changes": [{"path": "/payload/params/image_hash", "desired": "b", "persisted": "a",
                     "observed": null, "unknown": false, "sensitive": false, "forces_rebuild": true, "origin":
                     null}]},
                {"id": "a2", "address": "services.web", "kind": "service", "action": "rebuild", "after":
                    ["a1"], "changes": [],
                 "reason": {"kind": "knock_on", "cause": "a1", "via":
                     {"edge": "reference", "path": "/p", "to": "services.db"}, "sentence":
                     "it takes db's address"}}]
        }))
        .expect("a plan");
        let model = Model::new(&layout, Some(&plan));
        let said: Vec<_> =
            model.nodes.iter().map(|node| (node.action, node.state, node.sub.as_str())).collect();
        assert_eq!(
            said,
            [
                (Some(Action::Rebuild), State::Differs, "image_hash"),
                (Some(Action::Rebuild), State::Differs, "via db"),
                (None, State::InSync, "service")
            ]
        );
        assert_eq!(model.leaving, ["services.old"]);
        assert_eq!(model.edges.first().and_then(|edge| edge.knock_on), Some(Action::Rebuild));
        assert_eq!(
            model.spoken(0),
            "db, service, rebuild because its image changes, needs 0, needed by 1, 1 of 3"
        );
    }

    #[test]
    fn ends_are_named_once_and_edges_to_nowhere_are_left_out() {
        let edges =
            [("a.x", "a.y", "reference"), ("a.x", "a.y", "depends_on"), ("a.x", "a.gone", "reference")];
        let model = model(&[("a.x", 1), ("a.y", 0)], &edges);
        assert_eq!((model.needs(0), model.needed_by(1), model.edges.len()), (vec![1], vec![0], 2));
        assert_eq!(model.order, [1, 0]);
    }
}

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::Serialize;
use store::{Kind, Millis};

use crate::{
    Inspection, Lint, Output, Sharing, State, Strength, Style,
    engine::Engine,
    inspect::KindView,
    lint::{lint, lint_running},
    worker::Worker,
};

/// The graph of controllers and the kinds that they read and write, with problems. Ids are stable: they name
/// the controller and the kind, and stay the same as long as those are declared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Graph {
    /// In the order of registration.
    pub controllers: Vec<ControllerNode>,
    /// By namespace and name.
    pub kinds: Vec<KindNode>,
    /// By controller: outputs, then inputs, in the order of the declaration.
    pub edges: Vec<Edge>,
    /// First those of the declarations, then those at run time.
    pub lints: Vec<Lint>,
}

/// A controller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ControllerNode {
    /// `controller:planner`.
    pub id: String,
    /// Its id.
    pub controller: Arc<str>,
    /// The way it is run.
    pub style: Style,
    /// Its state.
    pub state: State,
    /// The number of waiting jobs.
    pub queue: usize,
    /// The number of times that an input, or its own request, woke it.
    pub wakes: u64,
    /// The number of runs that succeeded.
    pub ok: u64,
    /// The number of runs that failed.
    pub failed: u64,
    /// The number of runs that did nothing.
    pub skipped: u64,
    /// The time of the next retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backoff_until: Option<Millis>,
}

/// A kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KindNode {
    /// `kind:app/Plans`; for an output in any namespace that no controller reads, `kind:*/Plans`.
    pub id: String,
    /// The kind.
    #[serde(flatten)]
    pub kind: Kind,
    /// The number of resources.
    pub resources: usize,
    /// The number of resources that are tearing down.
    pub tearing_down: usize,
    /// True if no controller writes it: its resources come from outside.
    pub source: bool,
    /// True if no controller reads it: its resources are used outside.
    pub result: bool,
}

/// An input or output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edge {
    /// `controller|edge|namespace|kind|id`, the last part empty for the whole kind.
    pub id: String,
    /// The source node: a kind for inputs, a controller for outputs.
    pub from: String,
    /// The target node.
    pub to: String,
    /// The kind of edge.
    pub edge: EdgeKind,
    /// The id of the only resource that is read, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<Arc<str>>,
    /// The number of times that it woke the controller, or that the controller wrote.
    pub count: u64,
    /// True if it is part of a loop of writes that does not settle.
    pub livelock: bool,
}

/// The kind of an input or output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    /// An output that no other controller writes.
    Exclusive,
    /// An output that others write too.
    Shared,
    /// An output that is only torn down and destroyed.
    Removes,
    /// An input that it may hold a finalizer on.
    Strong,
    /// An input it only reads.
    Weak,
    /// An input that wakes only for resources that can be destroyed.
    DestroyReady,
}

impl Graph {
    pub(crate) fn of(engine: &Engine) -> Self {
        let inspection = Inspection::of(engine);
        let state = engine.state.borrow();
        let declarations: Vec<_> =
            state.workers.iter().map(|worker| worker.controller.declaration()).collect();
        let known = known(&state.workers);
        let edges: Vec<Edge> = state.workers.iter().flat_map(|it| it.edges(&known, inspection.at)).collect();
        let mut lints = lint(&declarations);
        lints.extend(lint_running(&state, inspection.at, engine.options.stuck));
        let controllers = inspection.controllers.iter().map(ControllerNode::of).collect();
        let kinds = kinds(&inspection.kinds, &state.workers, &known, &edges);
        Self { controllers, kinds, edges, lints }
    }
}

/// The kinds that declarations name with their namespace.
fn known(workers: &[Worker]) -> BTreeSet<Kind> {
    let read = workers.iter().flat_map(Worker::kinds);
    let written = workers.iter().flat_map(|worker| &worker.controller.outputs);
    read.chain(written.filter(|output| output.namespace.is_some()).map(Output::kind)).collect()
}

fn kinds(views: &[KindView], workers: &[Worker], known: &BTreeSet<Kind>, edges: &[Edge]) -> Vec<KindNode> {
    let views: BTreeMap<&Kind, &KindView> = views.iter().map(|view| (&view.kind, view)).collect();
    let written = workers.iter().flat_map(|worker| worker.controller.outputs.iter());
    let named: BTreeSet<Kind> =
        written.flat_map(|output| targets(output, known)).chain(known.clone()).collect();
    let nodes = named.into_iter().map(|kind| {
        let id = kind_id(&kind);
        let view = views.get(&kind);
        KindNode {
            resources: view.map_or(0, |view| view.resources),
            tearing_down: view.map_or(0, |view| view.tearing_down),
            source: !edges.iter().any(|edge| edge.to == id && edge.edge != EdgeKind::Removes),
            result: !edges.iter().any(|edge| edge.from == id && edge.edge != EdgeKind::DestroyReady),
            id,
            kind,
        }
    });
    nodes.collect()
}

/// The kinds that an output covers.
fn targets(output: &Output, known: &BTreeSet<Kind>) -> Vec<Kind> {
    let covered: Vec<Kind> = known.iter().filter(|kind| output.covers(kind)).cloned().collect();
    if covered.is_empty() { vec![output.kind()] } else { covered }
}

impl Worker {
    fn edges(&self, known: &BTreeSet<Kind>, now: Millis) -> Vec<Edge> {
        let written = self.controller.written();
        let outputs = self.controller.outputs.iter().flat_map(|output| {
            let count = |kind: &Kind| written.get(kind).copied().unwrap_or_default();
            let targets = targets(output, known).into_iter();
            targets.map(move |kind| self.edge(EdgeKind::of_output(output), &kind, None, count(&kind), false))
        });
        let inputs = self.entries.iter().map(|entry| {
            let (input, edge) = (&entry.input, EdgeKind::of_strength(entry.input.strength));
            let looped = entry.looped.is_some() && self.looped_at(now).is_some();
            self.edge(edge, &input.kind, input.id.clone(), entry.wakes, looped)
        });
        outputs.chain(inputs).collect()
    }

    fn edge(&self, edge: EdgeKind, kind: &Kind, id: Option<Arc<str>>, count: u64, livelock: bool) -> Edge {
        let controller = &self.controller.id;
        let (own, other) = (controller_id(controller), kind_id(kind));
        let (from, to) = if edge.is_output() { (own, other) } else { (other, own) };
        let resource = id.as_deref().unwrap_or_default();
        let id_text = format!("{controller}|{}|{}|{}|{resource}", edge.name(), kind.namespace, kind.name);
        Edge { id: id_text, from, to, edge, resource: id, count, livelock }
    }
}

impl ControllerNode {
    fn of(view: &crate::ControllerView) -> Self {
        Self {
            id: controller_id(&view.id),
            controller: view.id.clone(),
            style: view.style,
            state: view.state,
            queue: view.queue,
            wakes: view.wakes,
            ok: view.ok,
            failed: view.failed,
            skipped: view.skipped,
            backoff_until: view.backoff_until,
        }
    }
}

impl EdgeKind {
    fn of_output(output: &Output) -> Self {
        match output.sharing {
            _ if output.removes_only => Self::Removes,
            Sharing::Exclusive => Self::Exclusive,
            Sharing::Shared => Self::Shared,
        }
    }

    fn of_strength(strength: Strength) -> Self {
        match strength {
            Strength::Strong => Self::Strong,
            Strength::Weak => Self::Weak,
            Strength::DestroyReady => Self::DestroyReady,
        }
    }

    /// True if it leads from a controller to a kind.
    pub fn is_output(self) -> bool {
        matches!(self, Self::Exclusive | Self::Shared | Self::Removes)
    }

    /// The name in ids: `destroy_ready`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exclusive => "exclusive",
            Self::Shared => "shared",
            Self::Removes => "removes",
            Self::Strong => "strong",
            Self::Weak => "weak",
            Self::DestroyReady => "destroy_ready",
        }
    }
}

fn controller_id(id: &str) -> String {
    format!("controller:{id}")
}

fn kind_id(kind: &Kind) -> String {
    format!("kind:{kind}")
}

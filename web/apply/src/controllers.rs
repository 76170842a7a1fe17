//! The controllers that carry out plans, as the page shows them: those of the engine's runtime, and the watch, which is
//! not one of them but asks them to observe.

use runtime::{ControllerView, EdgeKind, Graph, Inspection, Runtime, State, Style};
use ui::views::{
    controllers::{ControllerItem, EdgeItem, KindItem, LintItem, Snapshot},
    live::{ApplyStatus, Doing},
};
use workspace::view::{ControllerEdge, ControllerState, ControllerStyle};

use crate::places::Places;

/// The id of the watch among the controllers.
const WATCH: &str = "watch";

/// The current state of the controllers of a runtime. `places` are the positions of its graph.
pub(crate) fn snapshot(runtime: &Runtime, places: &Places, live: &ApplyStatus) -> Snapshot {
    let (graph, inspection) = (runtime.graph(), runtime.inspect());
    let mut controllers = controllers(&graph, &inspection, places);
    controllers.push(watch(live));
    Snapshot {
        running: inspection.running,
        controllers,
        kinds: kinds(&graph, &inspection, places),
        edges: graph.edges.iter().map(|it| edge(it, places)).collect(),
        lints: lints(&graph),
        wide: places.wide,
        tall: places.tall,
    }
}

fn controllers(graph: &Graph, inspection: &Inspection, places: &Places) -> Vec<ControllerItem> {
    let place = |node: &str| places.nodes.get(node).copied().unwrap_or_default();
    let pairs = graph.controllers.iter().zip(&inspection.controllers);
    let item = |(node, view): (&runtime::ControllerNode, &ControllerView)| ControllerItem {
        place: place(&node.id),
        node: node.id.clone(),
        ..controller(view)
    };
    pairs.map(item).collect()
}

fn kinds(graph: &Graph, inspection: &Inspection, places: &Places) -> Vec<KindItem> {
    let kind = |node: &runtime::KindNode| {
        let found = inspection.kinds.iter().find(|it| it.kind == node.kind);
        KindItem {
            node: node.id.clone(),
            name: name(&node.kind),
            count: found.map_or(0, |it| it.resources),
            leaving: found.map_or(0, |it| it.tearing_down),
            place: places.nodes.get(&node.id).copied().unwrap_or_default(),
        }
    };
    graph.kinds.iter().map(kind).collect()
}

/// The name of a kind. Three kinds have the same name and differ by namespace, which is then part of the name.
fn name(kind: &store::Kind) -> String {
    match (&*kind.namespace, &*kind.name) {
        (namespace, "Resources") => format!("{namespace} resources"),
        (_, name) => in_words(name),
    }
}

/// `ObservationRequests` as `observation requests`.
fn in_words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

fn edge(edge: &runtime::Edge, places: &Places) -> EdgeItem {
    EdgeItem {
        id: edge.id.clone(),
        from: edge.from.clone(),
        to: edge.to.clone(),
        edge: edge_kind(edge.edge),
        count: edge.count,
        livelock: edge.livelock,
        way: places.edges.get(&edge.id).cloned().unwrap_or_default(),
    }
}

/// The controllers of the engine wake each other in a circle on purpose, and write only what differs; a circle that does not
/// come to rest is another lint.
fn lints(graph: &Graph) -> Vec<LintItem> {
    let lint = |it: &runtime::Lint| LintItem { code: it.code.to_owned(), message: it.message.clone() };
    graph.lints.iter().filter(|it| it.code != runtime::codes::WRITE_LOOP.as_str()).map(lint).collect()
}

fn controller(view: &ControllerView) -> ControllerItem {
    #[expect(clippy::cast_precision_loss, reason = "a page's times are floats")]
    let time = |at: store::Millis| at.0 as f64;
    ControllerItem {
        id: shown(&view.id).to_owned(),
        does: does(&view.id).to_owned(),
        style: style(view.style),
        state: state(view.state),
        queue: view.queue,
        ok: view.ok,
        failed: view.failed,
        skipped: view.skipped,
        error: view.last_error.as_ref().map(|it| it.message.clone()).zip(view.last_error_at.map(time)),
        retry_at: view.backoff_until.map(time),
        given_up: view.given_up,
        ..ControllerItem::default()
    }
}

/// The watch is a task of this worker: it asks for an observation at an interval, and applies the differences.
fn watch(live: &ApplyStatus) -> ControllerItem {
    let is_watching = live.doing == Doing::Watching;
    ControllerItem {
        node: WATCH.into(),
        id: WATCH.into(),
        does: does(WATCH).to_owned(),
        style: ControllerStyle::Manual,
        state: if is_watching { ControllerState::Running } else { ControllerState::Stopped },
        ..ControllerItem::default()
    }
}

/// The name that is shown for a controller: `lease` for the engine's `keep`, which renews the lease; its id for any
/// other.
fn shown(id: &str) -> &str {
    if id == "keep" { "lease" } else { id }
}

fn does(id: &str) -> &'static str {
    DOES.iter().find(|(known, _)| *known == id).map_or("", |(_, does)| does)
}

/// The purpose of each controller, in one line.
const DOES: [(&str, &str); 6] = [
    ("observe", "Reads at the adapters what really exists."),
    ("plan", "Compares the files with what is recorded and what exists."),
    ("schedule", "Starts each approved step once all that it waits for is done."),
    ("execute", "Creates, updates and destroys through the adapters, and records the outcome."),
    ("keep", "Renews the lease of the state while it is used, so that nobody else writes."),
    (WATCH, "While \u{201c}Keep in sync\u{201d} is on: looks every two seconds and corrects what differs."),
];

const fn edge_kind(kind: EdgeKind) -> ControllerEdge {
    match kind {
        EdgeKind::Exclusive => ControllerEdge::Exclusive,
        EdgeKind::Shared => ControllerEdge::Shared,
        EdgeKind::Strong => ControllerEdge::Strong,
        EdgeKind::Weak => ControllerEdge::Weak,
        EdgeKind::DestroyReady => ControllerEdge::DestroyReady,
        EdgeKind::Removes => ControllerEdge::Removes,
    }
}

const fn style(style: Style) -> ControllerStyle {
    match style {
        Style::Queue => ControllerStyle::Queue,
        Style::Whole => ControllerStyle::Whole,
        Style::Manual => ControllerStyle::Manual,
    }
}

const fn state(state: State) -> ControllerState {
    match state {
        State::Stopped => ControllerState::Stopped,
        State::Idle => ControllerState::Idle,
        State::Waiting => ControllerState::Waiting,
        State::BackOff => ControllerState::BackOff,
        State::Queued => ControllerState::Queued,
        State::Running => ControllerState::Running,
        State::Finished => ControllerState::Finished,
    }
}

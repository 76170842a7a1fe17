//! A snapshot from a runtime and its store.

use diag::order;
use runtime::{ControllerView, EdgeKind, Graph, Runtime, State, Style};
use store::{Kind, Phase, Query, Store};
use ui::views::controllers::{ControllerItem, EdgeItem, KindItem, LintItem, ResourceItem, Snapshot};
use workspace::view::{ControllerEdge, ControllerState, ControllerStyle};

use super::{chain, places::Places};

/// How everything is; `places` are those of the same graph.
pub fn look(runtime: &Runtime, store: &Store, graph: &Graph, places: &Places) -> Snapshot {
    let inspection = runtime.inspect();
    let place = |node: &str| places.nodes.get(node).copied().unwrap_or_default();
    let controllers = graph.controllers.iter().zip(&inspection.controllers).map(|(node, view)| {
        ControllerItem { place: place(&node.id), node: node.id.clone(), ..controller(view) }
    });
    let mut kinds: Vec<KindItem> = graph
        .kinds
        .iter()
        .map(|node| KindItem {
            node: node.id.clone(),
            name: node.kind.name.to_string(),
            editable: node.kind == chain::numbers(),
            resources: resources(store, &node.kind),
            place: place(&node.id),
        })
        .collect();
    let order = chain::kinds();
    order::by_key(&mut kinds, |item| order.iter().position(|kind| *kind.name == *item.name));
    let edges = graph.edges.iter().map(|edge| EdgeItem {
        id: edge.id.clone(),
        from: edge.from.clone(),
        to: edge.to.clone(),
        edge: edge_kind(edge.edge),
        count: edge.count,
        livelock: edge.livelock,
        way: places.edges.get(&edge.id).cloned().unwrap_or_default(),
    });
    let lints =
        graph.lints.iter().map(|lint| LintItem { code: lint.code.to_owned(), message: lint.message.clone() });
    Snapshot {
        running: inspection.running,
        controllers: controllers.collect(),
        kinds,
        edges: edges.collect(),
        lints: lints.collect(),
        wide: places.wide,
        tall: places.tall,
    }
}

fn controller(view: &ControllerView) -> ControllerItem {
    #[expect(clippy::cast_precision_loss, reason = "a page's times are floats")]
    let time = |at: store::Millis| at.0 as f64;
    ControllerItem {
        id: view.id.to_string(),
        does: chain::does(&view.id).to_owned(),
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

fn resources(store: &Store, kind: &Kind) -> Vec<ResourceItem> {
    let snapshot = store.list(kind, &Query::all());
    let item = |resource: &std::sync::Arc<store::Resource>| {
        let metadata = &resource.metadata;
        ResourceItem {
            id: resource.id().to_string(),
            spec: chain::spoken(resource),
            leaving: metadata.phase == Phase::TearingDown,
            version: metadata.version,
            owner: metadata.owner.as_ref().map(ToString::to_string),
            held_by: metadata.finalizers.iter().map(ToString::to_string).collect(),
        }
    };
    snapshot.iter().map(item).collect()
}

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

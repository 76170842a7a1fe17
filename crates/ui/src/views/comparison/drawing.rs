//! The drawing of two sides: every resource, or those that differ and their neighbours.

use std::collections::BTreeSet;

use workspace::view::{
    Action, ComparedEdgeView, ComparedGraphView, ComparedNodeView, LocationView, PlacesView, StateChange,
};

use crate::views::graph::{Connection, Dress, Edge, Model, Node, Sort, State};

/// Larger graphs are drawn as the nodes that differ and their neighbours, unless all is requested.
const SMALL: usize = 40;

/// A graph that is drawn, without places.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Drawing {
    nodes: Vec<ComparedNodeView>,
    edges: Vec<ComparedEdgeView>,
}

impl Drawing {
    /// The part of a graph that is drawn: with `all` everything.
    pub(super) fn of(graph: &ComparedGraphView, all: bool) -> Self {
        if all || graph.nodes.len() <= SMALL {
            return Self { nodes: graph.nodes.clone(), edges: graph.edges.clone() };
        }
        let kept: Vec<usize> = near(graph).into_iter().collect();
        let place = |node: usize| kept.binary_search(&node).ok();
        let edge = |it: &ComparedEdgeView| {
            Some(ComparedEdgeView { from: place(it.from)?, to: place(it.to)?, ..it.clone() })
        };
        Self {
            nodes: kept.iter().filter_map(|at| graph.nodes.get(*at)).cloned().collect(),
            edges: graph.edges.iter().filter_map(edge).collect(),
        }
    }

    /// The number of resources that are drawn.
    pub(super) fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Width and height of each box: wide enough for the name.
    pub(super) fn sizes(&self) -> Vec<[f32; 2]> {
        let width = |name: &str| (56.0 + 7.4 * name.chars().count() as f32).clamp(176.0, 280.0).round();
        self.nodes.iter().map(|it| [width(name(&it.address)), 44.0]).collect()
    }

    /// The edges as pairs of a dependent and the resource it needs, as indices of the boxes.
    pub(super) fn pairs(&self) -> Vec<[usize; 2]> {
        self.edges.iter().map(|it| [it.from, it.to]).collect()
    }

    /// The drawing at its places.
    pub(super) fn placed(&self, places: PlacesView) -> Model {
        let rects = places.boxes.into_iter().chain(std::iter::repeat([0.0; 4]));
        let mut model = Model {
            nodes: self.nodes.iter().zip(rects).map(|(it, rect)| node(it, rect)).collect(),
            size: places.size,
            order: (0..self.nodes.len()).collect(),
            sort: Sort::Comparison,
            ..Model::default()
        };
        let routes = places.routes.into_iter().chain(std::iter::repeat(Vec::new()));
        for (at, (it, route)) in self.edges.iter().zip(routes).enumerate() {
            model.nodes.get_mut(it.from).into_iter().for_each(|node| node.needs.push(at));
            model.nodes.get_mut(it.to).into_iter().for_each(|node| node.needed_by.push(at));
            model.edges.push(edge(it, route));
        }
        model
    }
}

/// The indices of the nodes that differ, of their direct neighbours, and of both ends of the edges that differ.
fn near(graph: &ComparedGraphView) -> BTreeSet<usize> {
    let differs = |at: usize| graph.nodes.get(at).is_some_and(|it| it.change.is_some());
    let edges = graph.edges.iter().filter(|it| it.change.is_some() || differs(it.from) || differs(it.to));
    let alone = (0..graph.nodes.len()).filter(|at| differs(*at));
    edges.flat_map(|it| [it.from, it.to]).chain(alone).collect()
}

/// The action that draws as the difference does.
const fn drawn_as(change: StateChange) -> Action {
    match change {
        StateChange::Added => Action::Create,
        StateChange::Removed => Action::Destroy,
        StateChange::Changed => Action::Update,
    }
}

fn node(it: &ComparedNodeView, rect: [f32; 4]) -> Node {
    Node {
        address: it.address.clone(),
        name: name(&it.address).to_owned(),
        kind: it.kind.clone(),
        wave: 0,
        rect,
        origin: LocationView::nowhere(),
        action: it.change.map(drawn_as),
        state: State::Unknown,
        sub: it.change.map_or("the same", StateChange::as_str).to_owned(),
        why: None,
        needs: Vec::new(),
        needed_by: Vec::new(),
        origins: Vec::new(),
        look: None,
        problems: 0,
        dress: Dress::default(),
        members: Vec::new(),
    }
}

fn edge(it: &ComparedEdgeView, route: Vec<[f32; 2]>) -> Edge {
    Edge {
        from: it.from,
        to: it.to,
        kind: Connection::Need(it.kind),
        path: it.change.map_or("on both sides", StateChange::as_str).to_owned(),
        origin: LocationView::nowhere(),
        route,
        knock_on: it.change.map(drawn_as),
        label: None,
    }
}

/// The address without its group.
fn name(address: &str) -> &str {
    address.split_once('.').map_or(address, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use workspace::view::EdgeKind;

    use super::*;

    fn graph(nodes: usize, changed: usize) -> ComparedGraphView {
        let node = |at: usize| ComparedNodeView {
            address: format!("services.s{at}"),
            kind: "service".into(),
            change: (at == changed).then_some(StateChange::Added),
        };
        let edge = |at: usize| ComparedEdgeView {
            from: at + 1,
            to: at,
            kind: EdgeKind::DependsOn,
            change: (at == changed).then_some(StateChange::Added),
        };
        ComparedGraphView { nodes: (0..nodes).map(node).collect(), edges: (0..nodes - 1).map(edge).collect() }
    }

    #[test]
    fn a_small_graph_is_drawn_as_a_whole() {
        let drawing = Drawing::of(&graph(10, 3), false);
        assert_eq!((drawing.count(), drawing.pairs().len()), (10, 9));
        let model = drawing.placed(PlacesView::default());
        let actions: Vec<_> = model.nodes.iter().filter_map(|it| it.action).collect();
        assert_eq!(actions, [Action::Create]);
        assert_eq!(model.edges.iter().filter(|it| it.knock_on.is_some()).count(), 1);
    }

    #[test]
    fn of_a_large_graph_what_differs_is_drawn_with_its_neighbours() {
        let graph = graph(100, 50);
        let drawing = Drawing::of(&graph, false);
        let names: Vec<&str> = drawing.nodes.iter().map(|it| it.address.as_str()).collect();
        assert_eq!(names, ["services.s49", "services.s50", "services.s51"]);
        assert_eq!(drawing.pairs(), [[1, 0], [2, 1]]);
        assert_eq!(Drawing::of(&graph, true).count(), 100);
    }
}

//! The positions of controllers and kinds in the drawing, from left to right, or from top to bottom on a narrow screen.

use std::collections::{BTreeMap, BTreeSet};

use graph::layout::{Layout, LayoutInput, layout};
use runtime::{EdgeKind, Graph};
use ui::views::controllers::{Place, Way};

/// Width and height of controllers and kinds.
const CONTROLLER: (f32, f32) = (108.0, 64.0);
const KIND: (f32, f32) = (108.0, 48.0);
const LAYER_GAP: f32 = 38.0;
const NODE_GAP: f32 = 24.0;
/// The distance between an edge and the edge that answers it.
const APART: f32 = 14.0;

/// Places of nodes and ways of edges by their ids, and the sizes of both drawings.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Places {
    /// The ids of the nodes and edges that are drawn.
    drawn: Vec<String>,
    /// By node id.
    pub nodes: BTreeMap<String, Place>,
    /// By edge id.
    pub edges: BTreeMap<String, Way>,
    /// Size from left to right.
    pub wide: [f32; 2],
    /// Size from top to bottom.
    pub tall: [f32; 2],
}

impl Places {
    /// The places of a graph: these if they are of the same nodes and edges.
    #[must_use]
    pub(crate) fn of(self, graph: &Graph) -> Self {
        let drawn: Vec<String> = ids(graph).chain(graph.edges.iter().map(|edge| edge.id.clone())).collect();
        if drawn == self.drawn { self } else { Self::drawn(graph, drawn) }
    }

    fn drawn(graph: &Graph, drawn: Vec<String>) -> Self {
        let nodes: Vec<String> = ids(graph).collect();
        let sizes: Vec<(f32, f32)> =
            graph.controllers.iter().map(|_| CONTROLLER).chain(graph.kinds.iter().map(|_| KIND)).collect();
        let at = |id: &str| nodes.iter().position(|node| node == id);
        let ends: Vec<Option<(usize, usize)>> =
            graph.edges.iter().map(|edge| at(&edge.to).zip(at(&edge.from))).collect();
        let answers = answers(graph);
        let lines: Vec<(usize, usize)> = ends
            .iter()
            .zip(&answers)
            .filter(|(_, answers)| answers.is_none())
            .filter_map(|(ends, _)| *ends)
            .collect();
        let wide = draw(sizes.clone(), &lines);
        let tall = draw(sizes.iter().map(|(w, h)| (*h, *w)).collect(), &lines);
        let places = sizes.iter().zip(wide.positions.iter().zip(&tall.positions));
        let places =
            places.map(|((w, h), ((x, y), (v, u)))| Place { wide: [*x, *y, *w, *h], tall: [*u, *v, *w, *h] });
        // Routes are those of the lines, in their order.
        let mut routes = wide.routes.iter().zip(&tall.routes);
        let mut ways: Vec<Way> = Vec::new();
        for (ends, answers) in ends.iter().zip(&answers) {
            let route = if answers.is_none() && ends.is_some() { routes.next() } else { None };
            ways.push(route.map(|(wide, tall)| way(wide, tall)).unwrap_or_default());
        }
        for (own, other) in answers.iter().enumerate() {
            let Some((other, way)) = other.and_then(|it| Some((it, ways.get(it)?.clone()))) else { continue };
            for (at, by, back) in [(own, APART / 2.0, true), (other, -APART / 2.0, false)] {
                if let Some(slot) = ways.get_mut(at) {
                    *slot = aside(&way, by, back);
                }
            }
        }
        Self {
            drawn,
            edges: graph.edges.iter().map(|edge| edge.id.clone()).zip(ways).collect(),
            wide: [wide.size.0, wide.size.1],
            tall: [tall.size.1, tall.size.0],
            nodes: nodes.iter().cloned().zip(places).collect(),
        }
    }
}

fn ids(graph: &Graph) -> impl Iterator<Item = String> {
    let controllers = graph.controllers.iter().map(|node| node.id.clone());
    controllers.chain(graph.kinds.iter().map(|node| node.id.clone()))
}

fn draw(sizes: Vec<(f32, f32)>, edges: &[(usize, usize)]) -> Layout {
    layout(&LayoutInput {
        sizes,
        edges: edges.to_vec(),
        layer_gap: LAYER_GAP,
        node_gap: NODE_GAP,
        waves: true,
    })
}

/// The edge that each edge answers: an edge that leads back to where another comes from is drawn beside it.
fn answers(graph: &Graph) -> Vec<Option<usize>> {
    let mut taken = BTreeSet::new();
    let answers = graph.edges.iter().enumerate().map(|(own, edge)| {
        let back = matches!(edge.edge, EdgeKind::DestroyReady | EdgeKind::Removes);
        let other = graph.edges.iter().enumerate().position(|(at, other)| {
            back && at != own && !taken.contains(&at) && other.from == edge.to && other.to == edge.from
        });
        taken.extend(other);
        other
    });
    answers.collect()
}

fn way(wide: &[(f32, f32)], tall: &[(f32, f32)]) -> Way {
    Way {
        wide: wide.iter().map(|(x, y)| [*x, *y]).collect(),
        tall: tall.iter().map(|(v, u)| [*u, *v]).collect(),
    }
}

/// The same way, shifted across its direction, perhaps backwards.
fn aside(way: &Way, by: f32, back: bool) -> Way {
    let mut wide: Vec<[f32; 2]> = way.wide.iter().map(|[x, y]| [*x, y + by]).collect();
    let mut tall: Vec<[f32; 2]> = way.tall.iter().map(|[x, y]| [x + by, *y]).collect();
    if back {
        wide.reverse();
        tall.reverse();
    }
    Way { wide, tall }
}

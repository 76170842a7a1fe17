use std::collections::HashSet;

use diag::Diagnostics;
use model::{Dependency, Desired};

use crate::{Edge, Graph, Node, adjacency::Adjacency, cycle, order};

impl Graph {
    /// The graph of what the descriptors ask for, and a diagnostic `graph/cycle` for each minimal cycle.
    /// Edges to addresses that are not in `desired` are left out (lowering has reported them).
    pub fn build(desired: &Desired) -> (Self, Diagnostics) {
        let nodes = desired.resources.iter().map(|resource| Node {
            address: resource.address.clone(),
            kind: resource.kind.clone(),
            wave: 0,
            declared: resource.declared,
        });
        let mut graph = Self::indexed(nodes.collect());
        // For each node and kind, one more than the last dependent that got an edge of that kind to it.
        let mut seen = vec![[0; 5]; graph.nodes.len()];
        for (from, resource) in desired.resources.iter().enumerate() {
            for dependency in &resource.dependencies {
                let Some(to) = graph.find(&dependency.to) else { continue };
                if std::mem::replace(&mut seen[to][dependency.kind as usize], from + 1) <= from {
                    graph.edges.push(edge(from, to, dependency));
                }
            }
            let links = resource.links.iter();
            let ends = links.filter_map(|it| Some((it, graph.find(&it.to)?))).collect::<Vec<_>>();
            graph.links.extend(ends.into_iter().map(|(link, to)| edge(from, to, link)));
        }
        graph.connect();
        let diagnostics = graph.cycles().iter().map(|found| cycle::diagnostic(&graph, found)).collect();
        (graph, diagnostics)
    }

    /// A graph of given nodes and edges, e.g. of what was recorded. Waves are computed, edges put in order of their
    /// dependents; of edges of one kind between the same nodes only the first is kept, and none that leads to or
    /// from a node that is not there.
    pub fn from_parts(nodes: Vec<Node>, mut edges: Vec<Edge>) -> Self {
        let mut graph = Self::indexed(nodes);
        let mut seen = HashSet::new();
        edges.retain(|edge| {
            edge.from.max(edge.to) < graph.nodes.len() && seen.insert((edge.from, edge.to, edge.kind))
        });
        diag::order::by_key(&mut edges, |edge| edge.from);
        graph.edges = edges;
        graph.connect();
        graph
    }

    fn indexed(nodes: Vec<Node>) -> Self {
        let mut graph = Self { nodes, ..Self::default() };
        graph.index.reserve(graph.nodes.len());
        for (idx, node) in graph.nodes.iter().enumerate() {
            graph.index.entry(node.address.clone()).or_insert(idx);
        }
        graph
    }

    /// Everything that is derived from the nodes and edges.
    fn connect(&mut self) {
        let nodes = self.nodes.len();
        self.needs = Adjacency::new(nodes, self.edges.iter().map(|edge| edge.from));
        self.needed_by = Adjacency::new(nodes, self.edges.iter().map(|edge| edge.to));
        self.knots = cycle::knots(nodes, &self.edges);
        self.order = order::order(self);
        order::set_waves(self);
    }
}

fn edge(from: usize, to: usize, dependency: &Dependency) -> Edge {
    Edge { from, to, kind: dependency.kind, path: dependency.path.clone(), span: dependency.span }
}

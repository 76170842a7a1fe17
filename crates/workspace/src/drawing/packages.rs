//! Packages in the graph: the resources that run them, and the dependencies between them.

use std::{borrow::Cow, sync::Arc};

use graph::{Edge, Graph, Node};
use model::{Address, EdgeKind, Pointer};

use crate::{
    capability::{PACKAGES, Package},
    pipeline::Model,
};

/// The graph with the packages that its resources run. They order nothing: waves stay as they are.
pub(super) fn with_packages(model: &Model) -> Cow<'_, Graph> {
    let wanted = model.lowered.desired.resources.iter().any(|it| !it.packages.is_empty());
    if !wanted {
        return Cow::Borrowed(&model.graph);
    }
    let mut nodes = model.graph.nodes.clone();
    let resources = nodes.len();
    add_nodes(model, &mut nodes);
    let find = |name: &str| nodes.iter().skip(resources).position(|it| *it.address.name == *name);
    let find = |name: &str| find(name).map(|it| resources + it);
    let mut edges = model.graph.edges.clone();
    edges.extend(of_resources(model, &find));
    edges.extend(of_packages(model, &find));
    let mut graph = Graph::from_parts(nodes, edges);
    for (node, own) in graph.nodes.iter_mut().zip(&model.graph.nodes) {
        node.wave = own.wave;
    }
    graph.links.clone_from(&model.graph.links);
    Cow::Owned(graph)
}

/// Packages that were chosen and are run, and those that are required and cannot be had.
fn add_nodes(model: &Model, nodes: &mut Vec<Node>) {
    let uses = model.lowered.desired.resources.iter().flat_map(|it| &it.packages);
    let wanted = uses.map(|it| (&it.package, it.span));
    let chosen = model.packages.values().map(|it| (&it.name, it.span));
    let resources = nodes.len();
    for (name, declared) in chosen.chain(wanted) {
        if nodes.iter().skip(resources).all(|it| it.address.name != *name) {
            let address = Address::new(PACKAGES, Arc::clone(name));
            nodes.push(Node { address, kind: "package".into(), wave: 0, declared });
        }
    }
}

fn of_resources(model: &Model, find: &dyn Fn(&str) -> Option<usize>) -> Vec<Edge> {
    let resources = model.lowered.desired.resources.iter().enumerate();
    let uses = resources.flat_map(|(from, it)| it.packages.iter().map(move |used| (from, used)));
    let edge = |(from, used): (usize, &model::PackageUse)| {
        let (path, span) = (used.path.clone(), used.span);
        Some(Edge { from, to: find(&used.package)?, kind: EdgeKind::Version, path, span })
    };
    uses.filter_map(edge).collect()
}

fn of_packages(model: &Model, find: &dyn Fn(&str) -> Option<usize>) -> Vec<Edge> {
    let needs = model.packages.values().flat_map(|it| it.wanted_by.iter().map(move |by| (by, it)));
    let edge = |(by, own): (&Arc<str>, &Package)| {
        let from = find(by.strip_prefix(PACKAGES)?.strip_prefix('.')?)?;
        let to = find(&own.name)?;
        Some(Edge { from, to, kind: EdgeKind::Version, path: Pointer::root(), span: own.span })
    };
    needs.filter_map(edge).collect()
}

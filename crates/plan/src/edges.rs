use diag::order;
use graph::Graph;
use model::{Address, Recorded};
use view::Action;

/// One resource of the plan: the desired ones in declaration order, then those that are only recorded.
pub(crate) struct Node<'a> {
    pub(crate) address: &'a Address,
    pub(crate) action: Action,
}

/// By node: the nodes that come before it. Nodes that do nothing are part of it, so that order shows through them.
///
/// - A resource that is made or changed comes after those that it needs.
/// - A resource that is destroyed comes after those that needed it when they were recorded, if they act: by then they live
///   without it.
/// - A resource that is rebuilt comes after the destruction of those that needed it, unless that has to wait for a resource
///   that is made or changed.
pub(crate) fn before(nodes: &[Node<'_>], graph: &Graph, recorded: &Recorded) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); nodes.len()];
    for edge in &graph.edges {
        before[edge.from].push(edge.to);
    }
    let recorded = recorded_edges(nodes, graph, recorded);
    for (dependent, needed) in &recorded {
        let action = nodes[*dependent].action;
        // What is created needed nothing yet.
        if action.acts() && action != Action::Create && nodes[*needed].action == Action::Destroy {
            before[*needed].push(*dependent);
        }
    }
    let waiting = waiting_for_others(nodes, &before);
    for (dependent, needed) in recorded {
        let (dependents, neededs) = (nodes[dependent].action, nodes[needed].action);
        if dependents == Action::Destroy && neededs == Action::Rebuild && !waiting[dependent] {
            before[needed].push(dependent);
        }
    }
    for list in &mut before {
        order::by(list, Ord::cmp);
        list.dedup();
    }
    before
}

/// The recorded dependencies, as (dependent, needed).
fn recorded_edges(nodes: &[Node<'_>], graph: &Graph, recorded: &Recorded) -> Vec<(usize, usize)> {
    let rest = nodes.iter().enumerate().skip(graph.nodes.len());
    let rest = order::map(rest.map(|(idx, node)| (node.address, idx)));
    let find = |address| graph.find(address).or_else(|| rest.get(address).copied());
    let mut edges = Vec::new();
    for (address, resource) in &recorded.resources {
        if let (Some(dependent), false) = (find(address), resource.depends_on.is_empty()) {
            edges.extend(resource.depends_on.iter().filter_map(|to| Some((dependent, find(to)?))));
        }
    }
    edges
}

/// The destructions that have to wait for a creation or change, directly or transitively: propagation along `before` from
/// all destructions that have such a predecessor. A rebuild must not wait for them, since the creation that they wait for
/// may itself wait for the rebuild, which would be a cycle.
fn waiting_for_others(nodes: &[Node<'_>], before: &[Vec<usize>]) -> Vec<bool> {
    let destroyed = |node: usize| nodes[node].action == Action::Destroy;
    let mut held_up = vec![Vec::new(); nodes.len()];
    let mut waiting = vec![false; nodes.len()];
    let mut queue = Vec::new();
    for node in (0..nodes.len()).filter(|node| destroyed(*node)) {
        for &earlier in &before[node] {
            held_up[earlier].push(node);
            if !destroyed(earlier) && !std::mem::replace(&mut waiting[node], true) {
                queue.push(node);
            }
        }
    }
    while let Some(node) = queue.pop() {
        for &later in &held_up[node] {
            if !std::mem::replace(&mut waiting[later], true) {
                queue.push(later);
            }
        }
    }
    waiting
}

//! The neighbourhood of a node: everything that it needs and that needs it, all the way.

use std::collections::{BTreeSet, VecDeque};

use super::model::{Edge, Model, Node, Sort};

/// A node with everything that it needs and that needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::views) struct Neighbours {
    /// The nodes, the one in the middle among them.
    pub(in crate::views) nodes: BTreeSet<usize>,
    /// The edges between them that lead to or away from the middle.
    pub(in crate::views) edges: BTreeSet<usize>,
}

impl Neighbours {
    /// Follows the edges from a node in both directions; links to the next ones only.
    pub(super) fn of(model: &Model, middle: usize) -> Self {
        let mut found = Self::default();
        found.nodes.insert(middle);
        found.follow(model, middle, |node| &node.needs, |edge| edge.to);
        found.follow(model, middle, |node| &node.needed_by, |edge| edge.from);
        found
    }

    /// The two ends of an edge.
    pub(super) fn of_edge(model: &Model, edge: usize) -> Self {
        let nodes = model.edges.get(edge).map(|edge| [edge.from, edge.to]).into_iter().flatten().collect();
        Self { nodes, edges: [edge].into() }
    }

    fn follow(
        &mut self,
        model: &Model,
        from: usize,
        edges: fn(&Node) -> &Vec<usize>,
        end: fn(&Edge) -> usize,
    ) {
        let mut seen = BTreeSet::from([from]);
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front().and_then(|at| model.nodes.get(at)) {
            for &at in edges(node) {
                let Some(edge) = model.edges.get(at) else { continue };
                self.edges.insert(at);
                if seen.insert(end(edge)) && model.sort == Sort::Needs {
                    queue.push_back(end(edge));
                }
            }
        }
        self.nodes.append(&mut seen);
    }
}

/// The edges that an action goes along, each with the number of such edges before it: the moment at which the ripple
/// reaches it.
pub(super) fn ripple(model: &Model) -> Vec<(usize, usize)> {
    let knocked = |edge: &&usize| model.edges.get(**edge).is_some_and(|edge| edge.knock_on.is_some());
    let starts = model.nodes.iter().enumerate().filter(|(_, node)| {
        node.needed_by.iter().any(|edge| knocked(&edge)) && !node.needs.iter().any(|edge| knocked(&edge))
    });
    let mut queue: VecDeque<(usize, usize)> = starts.map(|(at, _)| (at, 0)).collect();
    let mut seen = BTreeSet::new();
    let mut steps = Vec::new();
    while let Some((at, step)) = queue.pop_front() {
        for edge in model.nodes.get(at).into_iter().flat_map(|node| &node.needed_by).filter(knocked) {
            if seen.insert(*edge) {
                steps.push((*edge, step));
                queue.extend(model.edges.get(*edge).map(|edge| (edge.from, step + 1)));
            }
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::{super::model::tests::model, Neighbours, Sort, ripple};

    #[test]
    fn both_directions_all_the_way_but_not_sideways() {
        let nodes = [("a.net", 0), ("a.db", 1), ("a.web", 2), ("a.side", 1)];
        let edges = [
            ("a.db", "a.net", "attachment"),
            ("a.web", "a.db", "reference"),
            ("a.side", "a.net", "attachment"),
        ];
        let found = Neighbours::of(&model(&nodes, &edges), 1);
        assert_eq!((found.nodes, found.edges), ([0, 1, 2].into(), [0, 1].into()));
    }

    #[test]
    fn links_lead_to_the_next_ones_only() {
        let edges =
            [("a.x", "a.y", "link"), ("a.y", "a.z", "link"), ("a.z", "a.x", "link"), ("a.z", "a.z", "link")];
        let mut model = model(&[("a.x", 0), ("a.y", 0), ("a.z", 0), ("a.far", 0)], &edges);
        model.sort = Sort::Links;
        let found = Neighbours::of(&model, 0);
        assert_eq!((found.nodes, found.edges), ([0, 1, 2].into(), [0, 2].into()));
    }

    #[test]
    fn cycles_end() {
        let model =
            model(&[("a.x", 0), ("a.y", 0)], &[("a.x", "a.y", "reference"), ("a.y", "a.x", "reference")]);
        assert_eq!(Neighbours::of(&model, 0).nodes, [0, 1].into());
    }

    #[test]
    fn the_ripple_runs_in_steps_and_once_over_each_edge() {
        let nodes = [("a.a", 0), ("a.b", 1), ("a.c", 2), ("a.d", 1)];
        let edges = [("a.b", "a.a", "reference"), ("a.c", "a.b", "reference"), ("a.d", "a.a", "reference")];
        let mut model = model(&nodes, &edges);
        for edge in model.edges.iter_mut().take(2) {
            edge.knock_on = Some(workspace::view::Action::Rebuild);
        }
        assert_eq!(ripple(&model), [(0, 0), (1, 1)]);
    }
}

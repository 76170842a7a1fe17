//! A smaller graph made of a larger one: groups in place of their members, or the neighbourhood of one node.

use std::collections::BTreeMap;

use workspace::view::{Action, EdgeKind, PlacesView, words::count};

use crate::views::graph::{
    lens::{GroupBy, Lens},
    model::{Connection, Dress, Edge, Model, Node, State},
    neighbours::Neighbours,
};

/// A graph that is drawn in place of another one, without places.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::views::graph) struct Projection {
    /// The node that stands for each node of the graph, by index; `None` if it is left out.
    pub(in crate::views::graph) of: Vec<Option<usize>>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Width and height of each node.
    pub(in crate::views::graph) sizes: Vec<[f32; 2]>,
    /// The edges as pairs of a dependent and the node it needs.
    pub(in crate::views::graph) pairs: Vec<[usize; 2]>,
}

/// Up to this many resources, the neighbourhood of one keeps its places, so that the user finds them again.
const SMALL: usize = 40;

/// The graph that is drawn in place of a model; `None` if the model is drawn as it is.
pub(super) fn project(model: &Model, lens: &Lens, center: Option<usize>) -> Option<Projection> {
    let center = center.filter(|_| model.nodes.len() > SMALL || lens.group.is_some());
    if center.is_none() && lens.group.is_none() {
        return None;
    }
    let shown = center.map(|center| Neighbours::of(model, center));
    let mut projection = Projection {
        of: vec![None; model.nodes.len()],
        nodes: vec![],
        edges: vec![],
        sizes: vec![],
        pairs: vec![],
    };
    let mut groups = BTreeMap::<(u32, String), Vec<usize>>::new();
    for (at, node) in model.nodes.iter().enumerate() {
        if shown.as_ref().is_some_and(|shown| !shown.nodes.contains(&at)) {
            continue;
        }
        // Around a node, nothing is folded: there it is the single ones that count.
        let by = lens.group.filter(|_| shown.is_none());
        match by.map(|by| key(model, at, by)).filter(|key| !lens.open.contains(key)) {
            Some(key) => groups.entry((rank(node, by), key)).or_default().push(at),
            None => projection.add(&[at], node.clone()),
        }
    }
    for ((_, key), members) in groups {
        match (members.as_slice(), members.first().and_then(|at| model.nodes.get(*at))) {
            ([_], Some(node)) => projection.add(&members, node.clone()),
            _ => projection.add(&members, group(model, &key, &members)),
        }
    }
    projection.connect(model);
    Some(projection)
}

/// Groups of waves are in the order of the waves.
fn rank(node: &Node, by: Option<GroupBy>) -> u32 {
    if by == Some(GroupBy::Wave) { node.wave } else { 0 }
}

/// The name of the group that a node is in.
fn key(model: &Model, at: usize, by: GroupBy) -> String {
    let Some(node) = model.nodes.get(at) else { return String::new() };
    match by {
        GroupBy::File => node.origin.file.clone(),
        GroupBy::Kind => node.kind.clone(),
        GroupBy::Wave => format!("Wave {}", node.wave + 1),
        GroupBy::Network => network(model, at).unwrap_or_else(|| "no network".into()),
    }
}

/// The name of the node that a node is attached to, or of a node that others are attached to.
fn network(model: &Model, at: usize) -> Option<String> {
    let is_attachment = |edge: &&Edge| edge.kind == Connection::Need(EdgeKind::Attachment);
    let node = model.nodes.get(at)?;
    let mut edges = node.needs.iter().filter_map(|edge| model.edges.get(*edge));
    if let Some(edge) = edges.find(is_attachment) {
        return Some(model.nodes.get(edge.to)?.name.clone());
    }
    let mut edges = node.needed_by.iter().filter_map(|edge| model.edges.get(*edge));
    edges.any(|edge| is_attachment(&edge)).then(|| node.name.clone())
}

/// The group that a resource is in, where it is not folded; to fold it.
pub(super) fn group_of(model: &Model, lens: &Lens, address: &str) -> Option<String> {
    let name = key(model, model.find(address)?, lens.group?);
    lens.open.contains(&name).then_some(name)
}

/// A node that stands for several.
fn group(model: &Model, name: &str, members: &[usize]) -> Node {
    let of: Vec<&Node> = members.iter().filter_map(|at| model.nodes.get(*at)).collect();
    let mut tally = BTreeMap::<Action, usize>::new();
    for action in of.iter().filter_map(|node| node.action) {
        *tally.entry(action).or_default() += 1;
    }
    let said: Vec<String> =
        tally.iter().map(|(action, count)| format!("{} {count}", action.words().symbol)).collect();
    let changes = if said.is_empty() { String::new() } else { format!(" · {}", said.join("  ")) };
    let nowhere = workspace::view::LocationView::nowhere();
    Node {
        address: format!("group {name}"),
        name: name.to_owned(),
        kind: "group".into(),
        wave: of.iter().map(|node| node.wave).min().unwrap_or(0),
        rect: [0.0; 4],
        origin: of.first().map_or(nowhere, |node| node.origin.clone()),
        action: Action::BY_RISK.into_iter().find(|action| tally.contains_key(action)),
        state: State::Unknown,
        sub: format!("{}{changes}", count(members.len(), "resource")),
        why: None,
        needs: Vec::new(),
        needed_by: Vec::new(),
        origins: Vec::new(),
        look: None,
        problems: of.iter().map(|node| node.problems).sum(),
        dress: Dress::default(),
        members: members.to_vec(),
    }
}

impl Projection {
    fn add(&mut self, members: &[usize], node: Node) {
        let at = self.nodes.len();
        for member in members {
            if let Some(slot) = self.of.get_mut(*member) {
                *slot = Some(at);
            }
        }
        let own = [node.rect[2], node.rect[3]];
        self.sizes.push(if node.members.is_empty() && own[0] > 0.0 { own } else { [220.0, 52.0] });
        self.nodes.push(Node { needs: Vec::new(), needed_by: Vec::new(), ..node });
    }

    /// Adds one edge for all those that lead from one node to another. Edges without a route, which a longer way
    /// implies, are left out.
    fn connect(&mut self, model: &Model) {
        let mut merged = BTreeMap::<(usize, usize), (Edge, usize)>::new();
        for edge in &model.edges {
            let ends = (self.of.get(edge.from).copied().flatten(), self.of.get(edge.to).copied().flatten());
            let (Some(from), Some(to)) = ends else { continue };
            if from == to || edge.route.is_empty() {
                continue;
            }
            let (first, count) =
                merged.entry((from, to)).or_insert_with(|| (Edge { from, to, ..edge.clone() }, 0));
            first.knock_on = first.knock_on.max(edge.knock_on);
            *count += 1;
        }
        for (at, ((from, to), (edge, count))) in merged.into_iter().enumerate() {
            let path = if count > 1 { format!("{count} connections") } else { edge.path.clone() };
            self.pairs.push([from, to]);
            self.edges.push(Edge { path, ..edge });
            self.nodes.get_mut(from).into_iter().for_each(|node| node.needs.push(at));
            self.nodes.get_mut(to).into_iter().for_each(|node| node.needed_by.push(at));
        }
    }
}

/// A projection at its places.
pub(super) fn place(model: &Model, projection: &Projection, places: PlacesView) -> Model {
    let rects = places.boxes.into_iter().chain(std::iter::repeat([0.0; 4]));
    let nodes: Vec<Node> =
        projection.nodes.iter().zip(rects).map(|(node, rect)| Node { rect, ..node.clone() }).collect();
    let routes = places.routes.into_iter().chain(std::iter::repeat(Vec::new()));
    let edges = projection.edges.iter().zip(routes).map(|(edge, route)| Edge { route, ..edge.clone() });
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    diag::order::by_key(&mut order, |at| nodes.get(*at).map_or(0, |node| node.wave));
    Model {
        edges: edges.collect(),
        size: places.size,
        leaving: model.leaving.clone(),
        order,
        sort: model.sort,
        nodes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::graph::model::tests::model;

    fn shop() -> Model {
        let nodes = [("n.lan", 0), ("n.dmz", 0), ("s.db", 1), ("s.web", 2), ("s.mail", 1), ("s.lone", 0)];
        let edges = [
            ("s.db", "n.lan", "attachment"),
            ("s.web", "n.lan", "attachment"),
            ("s.mail", "n.dmz", "attachment"),
            ("s.web", "s.db", "reference"),
            ("s.web", "s.mail", "reference"),
            ("s.web", "s.mail", "depends_on"),
        ];
        let mut model = model(&nodes, &edges);
        model.nodes[3].action = Some(Action::Rebuild);
        model.nodes[2].action = Some(Action::Create);
        model
    }

    fn by(group: GroupBy) -> Lens {
        Lens { group: Some(group), ..Lens::default() }
    }

    #[test]
    fn groups_stand_for_their_members_and_their_edges() {
        let model = shop();
        let grouped = project(&model, &by(GroupBy::Network), None).expect("groups");
        let named: Vec<_> = grouped.nodes.iter().map(|it| (it.name.as_str(), it.members.len())).collect();
        assert_eq!(named, [("dmz", 2), ("lan", 3), ("lone", 0)], "a group of one is that one");
        assert_eq!(grouped.pairs, [[1, 0]]);
        assert_eq!(grouped.edges[0].path, "2 connections");
        assert_eq!(grouped.nodes[1].sub, "3 resources · + 1  ± 1");
        assert_eq!((grouped.nodes[1].action, grouped.nodes[0].action), (Some(Action::Rebuild), None));
        assert_eq!(grouped.of, [Some(1), Some(0), Some(1), Some(1), Some(0), Some(2)]);
    }

    #[test]
    fn an_open_group_shows_its_members() {
        let model = shop();
        let lens = Lens { open: ["lan".to_owned()].into(), ..by(GroupBy::Network) };
        let grouped = project(&model, &lens, None).expect("groups");
        assert_eq!(grouped.nodes.iter().filter(|it| it.members.is_empty()).count(), 4);
        assert_eq!(group_of(&model, &lens, "s.db").as_deref(), Some("lan"));
        assert_eq!(group_of(&model, &lens, "s.mail"), None, "it is folded");
    }

    #[test]
    fn groups_are_of_files_kinds_and_waves() {
        let model = shop();
        let count = |group| project(&model, &by(group), None).map_or(0, |it| it.nodes.len());
        assert_eq!([GroupBy::File, GroupBy::Kind, GroupBy::Wave].map(count), [1, 1, 3]);
        assert_eq!(project(&model, &Lens::default(), None), None);
        assert_eq!(project(&model, &Lens::default(), Some(0)), None, "a small graph keeps its places");
    }

    #[test]
    fn the_neighbourhood_in_a_large_graph_gets_places_of_its_own() {
        let names: Vec<String> = (0..60).map(|at| format!("s.n{at}")).collect();
        let nodes: Vec<(&str, u32)> = names.iter().map(|name| (name.as_str(), 0)).collect();
        let model = model(&nodes, &[("s.n1", "s.n0", "reference"), ("s.n2", "s.n1", "reference")]);
        let around = project(&model, &Lens::default(), Some(1)).expect("a neighbourhood");
        assert_eq!((around.nodes.len(), around.pairs.as_slice()), (3, [[1, 0], [2, 1]].as_slice()));
        let places = PlacesView {
            boxes: vec![[0.0, 0.0, 176.0, 44.0], [250.0, 0.0, 176.0, 44.0], [500.0, 0.0, 176.0, 44.0]],
            routes: vec![vec![[176.0, 22.0], [250.0, 22.0]], vec![]],
            size: [676.0, 44.0],
        };
        let placed = place(&model, &around, places);
        assert_eq!(placed.nodes[1].rect[0], 250.0);
        assert_eq!((placed.edges[0].route.len(), placed.nodes[1].needs.as_slice()), (2, [0].as_slice()));
    }
}

use std::collections::BTreeMap;

use state::Snapshot;
use workspace::view::{
    ComparedEdgeView, ComparedGraphView, ComparedNodeView, EdgeKind, EdgeView, GraphView,
    ResourceDifferenceView, StateChange,
};

/// A pair of resources, and a dependency of the one on the other.
type Edges = BTreeMap<(usize, usize), (EdgeKind, bool)>;

/// The resources and dependencies of one side, as far as a drawing needs them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SideGraph {
    /// Address and kind.
    nodes: Vec<(String, String)>,
    edges: Vec<SideEdge>,
}

#[derive(Clone, Debug)]
struct SideEdge {
    from: String,
    to: String,
    kind: EdgeKind,
    /// No path of other dependencies implies it.
    direct: bool,
}

impl SideGraph {
    /// That of files.
    pub(crate) fn of_files(graph: &GraphView) -> Self {
        let edge = |it: &EdgeView| {
            let (from, to) = (it.from.clone(), it.to.clone());
            SideEdge { from, to, kind: it.kind, direct: it.direct }
        };
        Self {
            nodes: graph.nodes.iter().map(|it| (it.address.clone(), it.kind.clone())).collect(),
            edges: graph.edges.iter().map(edge).collect(),
        }
    }

    /// The graph of a state, which records which resource needs which, and not why.
    pub(crate) fn of_state(state: &str) -> Self {
        let Ok(snapshot) = Snapshot::read(state) else { return Self::default() };
        let edge = |from: &str, to: &str| {
            let (from, to) = (from.to_owned(), to.to_owned());
            SideEdge { from, to, kind: EdgeKind::DependsOn, direct: true }
        };
        let entries = snapshot.resources.iter();
        let edges = entries.flat_map(|(from, it)| it.depends_on.iter().map(move |to| edge(from, to)));
        Self {
            edges: edges.collect(),
            nodes: snapshot
                .resources
                .iter()
                .map(|(address, it)| (address.clone(), it.kind.clone()))
                .collect(),
        }
    }

    /// The same without packages, which no state records.
    pub(crate) fn without_packages(mut self) -> Self {
        self.nodes.retain(|(_, kind)| kind != "package");
        self
    }

    /// The same, where resources have the addresses that they have in `after`.
    fn moved(mut self, resources: &[ResourceDifferenceView]) -> Self {
        let moves = resources.iter().filter_map(|it| Some((it.previous_address.as_deref()?, &it.address)));
        let moves: BTreeMap<&str, &String> = moves.collect();
        let addresses = self.nodes.iter_mut().map(|it| &mut it.0);
        let ends = self.edges.iter_mut().flat_map(|it| [&mut it.from, &mut it.to]);
        for address in addresses.chain(ends) {
            if let Some(now) = moves.get(address.as_str()) {
                address.clone_from(now);
            }
        }
        self
    }
}

/// Both graphs in one. Two resources depend on each other or do not: for which reason is not compared here.
pub(crate) fn united(
    before: SideGraph,
    after: SideGraph,
    resources: &[ResourceDifferenceView],
) -> ComparedGraphView {
    let before = before.moved(resources);
    let changes: BTreeMap<&str, StateChange> =
        resources.iter().filter_map(|it| Some((it.address.as_str(), it.change?))).collect();
    let mut index = BTreeMap::new();
    let mut graph = ComparedGraphView::default();
    for (address, kind) in after.nodes.iter().chain(&before.nodes) {
        if !index.contains_key(address.as_str()) {
            index.insert(address.as_str(), graph.nodes.len());
            let change = changes.get(address.as_str()).copied();
            graph.nodes.push(ComparedNodeView { address: address.clone(), kind: kind.clone(), change });
        }
    }
    graph.edges = edges(&placed(&before, &index), &placed(&after, &index));
    graph
}

/// The dependencies of a side by what they connect.
fn placed(side: &SideGraph, index: &BTreeMap<&str, usize>) -> Edges {
    let mut edges = Edges::new();
    for edge in &side.edges {
        let ends = index.get(edge.from.as_str()).zip(index.get(edge.to.as_str()));
        if let Some((&from, &to)) = ends.filter(|(from, to)| from != to) {
            let known = edges.entry((from, to)).or_insert((edge.kind, edge.direct));
            if edge.direct {
                *known = (edge.kind, true);
            }
        }
    }
    edges
}

/// The edges that are drawn of both: without those that other dependencies of the same side imply.
fn edges(before: &Edges, after: &Edges) -> Vec<ComparedEdgeView> {
    let of = |side: &Edges, other: &Edges, change: StateChange| {
        let drawn = side.iter().filter(|(_, (_, direct))| *direct);
        let edge = |(ends, (kind, _)): (&(usize, usize), &(EdgeKind, bool))| ComparedEdgeView {
            from: ends.0,
            to: ends.1,
            kind: *kind,
            change: (!other.contains_key(ends)).then_some(change),
        };
        drawn.map(edge).collect::<Vec<_>>()
    };
    let mut all = of(after, before, StateChange::Added);
    all.extend(of(before, after, StateChange::Removed).into_iter().filter(|it| it.change.is_some()));
    all
}

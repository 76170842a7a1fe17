use std::collections::BTreeSet;

use workspace::view::{EdgeDifferenceView, EdgeKind, EdgeView, GraphView, StateChange};

type Ends<'g> = (&'g str, &'g str, EdgeKind);

/// The dependencies that only one graph has, each once, however often it is written: first those that were removed.
pub(crate) fn differences(before: &GraphView, after: &GraphView) -> Vec<EdgeDifferenceView> {
    let removed = only_in(before, after).map(|it| difference(it, StateChange::Removed));
    let added = only_in(after, before).map(|it| difference(it, StateChange::Added));
    removed.chain(added).collect()
}

fn only_in<'g>(one: &'g GraphView, other: &'g GraphView) -> impl Iterator<Item = &'g EdgeView> {
    let mut known: BTreeSet<Ends<'g>> = other.edges.iter().map(ends).collect();
    one.edges.iter().filter(move |it| known.insert(ends(it)))
}

fn ends(edge: &EdgeView) -> Ends<'_> {
    (&edge.from, &edge.to, edge.kind)
}

fn difference(edge: &EdgeView, change: StateChange) -> EdgeDifferenceView {
    let (from, to, origin) = (edge.from.clone(), edge.to.clone(), edge.origin.clone());
    EdgeDifferenceView { from, to, kind: edge.kind, change, origin }
}

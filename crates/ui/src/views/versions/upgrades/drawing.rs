//! Upgrades as the graph's drawing takes them: newer versions need older ones.

use std::collections::BTreeSet;

use diag::order;
use workspace::view::{LocationView, UpgradeBundleView, UpgradeEdgeView, UpgradeKind, UpgradesView};

use crate::{
    LayerBadge,
    views::graph::{Connection, Dress, Edge, Model, Node, Sort, Standing, State},
};

/// Bundles as nodes, upgrades as edges from the older to the newer; without those that do not count unless `all` are
/// wanted. Indices of nodes are those of the bundles.
pub(super) fn drawing(view: &UpgradesView, badges: &[LayerBadge], all: bool) -> Model {
    let mut columns: Vec<i64> = view.boxes.iter().map(|it| it[0] as i64).collect();
    order::by(&mut columns, Ord::cmp);
    columns.dedup();
    let column = |left: f32| columns.iter().position(|it| *it == left as i64).unwrap_or_default() as u32;
    let rects = view.boxes.iter().copied().chain(std::iter::repeat([0.0; 4]));
    let nodes = view.bundles.iter().zip(rects).map(|(it, rect)| node(it, rect, column(rect[0]), badges));
    let mut model =
        Model { nodes: nodes.collect(), size: view.size, sort: Sort::Upgrades, ..Model::default() };
    let routes = view.routes.iter().map(Vec::as_slice).chain(std::iter::repeat([].as_slice()));
    let mut reported = BTreeSet::new();
    for (upgrade, route) in view.edges.iter().zip(routes).filter(|(it, _)| all || it.counts) {
        // A range that many versions lie in is written at one of its lines.
        let first = !route.is_empty() && reported.insert((upgrade.to, upgrade.range.clone()));
        connect(&mut model, edge(upgrade, route, first, &view.boxes));
    }
    model.order = (0..model.nodes.len()).collect();
    order::by_key(&mut model.order, |at| model.nodes.get(*at).map_or(0, |it| it.wave));
    model
}

fn connect(model: &mut Model, edge: Edge) {
    let at = model.edges.len();
    model.nodes.get_mut(edge.from).into_iter().for_each(|it| it.needs.push(at));
    model.nodes.get_mut(edge.to).into_iter().for_each(|it| it.needed_by.push(at));
    model.edges.push(edge);
}

fn node(it: &UpgradeBundleView, rect: [f32; 4], wave: u32, badges: &[LayerBadge]) -> Node {
    let letters = it.channels.iter().filter_map(|name| LayerBadge::of(badges, name).cloned());
    Node {
        address: it.bundle.clone(),
        name: it.version.clone(),
        kind: "bundle".into(),
        wave,
        rect,
        origin: it.origin.clone().unwrap_or_else(LocationView::nowhere),
        action: None,
        state: State::Unknown,
        sub: said(it),
        why: None,
        needs: Vec::new(),
        needed_by: Vec::new(),
        origins: Vec::new(),
        look: None,
        problems: 0,
        dress: Dress { standing: standing(it), letters: letters.collect() },
        members: Vec::new(),
    }
}

/// The marks of a bundle in words, else its channels.
pub(super) fn said(it: &UpgradeBundleView) -> String {
    let words = words(it);
    if words.is_empty() { it.channels.join(", ") } else { words.join(" · ") }
}

/// `chosen`, `installed`, `deprecated`, `skipped`, as far as they hold.
pub(super) fn words(it: &UpgradeBundleView) -> Vec<&'static str> {
    let words = [
        (it.selected, "chosen"),
        (it.installed, "installed"),
        (it.deprecated.is_some(), "deprecated"),
        (it.skipped, "skipped"),
    ];
    words.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word).collect()
}

/// The most important mark of a bundle.
const fn standing(it: &UpgradeBundleView) -> Standing {
    match (it.selected, it.deprecated.is_some(), it.installed, it.skipped) {
        (true, ..) => Standing::Chosen,
        (_, true, ..) => Standing::Deprecated,
        (_, _, true, _) => Standing::Installed,
        (_, _, _, true) => Standing::Skipped,
        _ => Standing::Plain,
    }
}

fn edge(it: &UpgradeEdgeView, route: &[[f32; 2]], first: bool, boxes: &[[f32; 4]]) -> Edge {
    let range = it.range.as_deref().filter(|_| it.kind == UpgradeKind::SkipRange);
    Edge {
        from: it.to,
        to: it.from,
        kind: Connection::Upgrade(it.kind),
        path: range.map_or_else(|| format!("in {}", it.channels.join(", ")), str::to_owned),
        origin: it.origin.clone().unwrap_or_else(LocationView::nowhere),
        route: from_older(route, boxes.get(it.from)),
        knock_on: None,
        label: range.filter(|_| first).map(str::to_owned),
    }
}

/// A line that begins at the older version.
fn from_older(route: &[[f32; 2]], older: Option<&[f32; 4]>) -> Vec<[f32; 2]> {
    let (Some(&[left, top, width, height]), Some(first), Some(last)) = (older, route.first(), route.last())
    else {
        return route.to_vec();
    };
    let far = |[x, y]: &[f32; 2]| (x - left - width / 2.0).hypot(y - top - height / 2.0);
    if far(first) <= far(last) { route.to_vec() } else { route.iter().rev().copied().collect() }
}

#[cfg(test)]
mod tests {
    use super::{super::super::fixture, super::badges, *};

    fn drawn(all: bool) -> Model {
        let view = fixture::upgrades();
        drawing(&view, &badges(&view.channels), all)
    }

    #[test]
    fn older_versions_come_first_and_lines_begin_at_them() {
        let model = drawn(true);
        let oldest = model.order.first().and_then(|at| model.nodes.get(*at)).map(|it| it.name.as_str());
        assert_eq!(oldest, Some("1.0.0"));
        for edge in &model.edges {
            let (Some(first), Some(last)) = (edge.route.first(), edge.route.last()) else { continue };
            assert!(first[0] < last[0], "{edge:?}");
        }
    }

    #[test]
    fn a_range_is_written_once() {
        let labels = |model: &Model| model.edges.iter().filter(|it| it.label.is_some()).count();
        assert_eq!((labels(&drawn(true)), labels(&drawn(false))), (1, 0));
    }

    #[test]
    fn ignored_upgrades_can_be_hidden() {
        let (all, counting) = (drawn(true), drawn(false));
        assert!(counting.edges.len() < all.edges.len());
        assert_eq!(counting.nodes.len(), all.nodes.len());
        let own = |model: &Model| {
            let mut nodes = model.nodes.iter().enumerate();
            nodes.all(|(at, it)| it.needs.iter().all(|edge| model.edges[*edge].from == at))
        };
        assert!(own(&all) && own(&counting), "nodes know their edges by their new places");
    }

    #[test]
    fn marks_are_words_and_signs_of_their_own() {
        let view = fixture::upgrades();
        let reported: Vec<_> = view.bundles.iter().map(|it| (said(it), standing(it).sign())).collect();
        let reported: Vec<_> = reported.iter().map(|(said, sign)| (said.as_str(), *sign)).collect();
        assert_eq!(
            reported,
            [
                ("stable, candidate", None),
                ("chosen", Some("✓")),
                ("deprecated", Some("!")),
                ("skipped", Some("⊘")),
                ("installed", Some("●")),
            ]
        );
    }
}

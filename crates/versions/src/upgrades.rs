//! The upgrades between the versions of a package.

use std::collections::{BTreeMap, BTreeSet, btree_map};
use std::sync::Arc;

use diag::order;

use catalog::{
    Bundle, Catalog, Package, Profile,
    upgrade::{self, Edge, EdgeKind, Mode},
};
use graph::layout::{LayoutInput, layout};

use crate::{answer::Places, catalog_set::CatalogSet, options::Options};
use workspace::{
    capability::Model,
    view::{ChannelView, UpgradeBundleView, UpgradeEdgeView, UpgradeKind, UpgradesView},
};

const BOX_HEIGHT: f32 = 44.0;

/// The number of lines beyond which ranges of skipped versions are only listed.
const MOST_DRAWN: usize = 240;

/// The highest number of upgrades from ranges of skipped versions that are listed: if each version skips all
/// before it, the list is not useful.
const MOST_IN_RANGES: usize = 2_000;

/// The marks in the graph.
pub(crate) struct GraphMarks<'m> {
    /// The names of chosen bundles.
    pub(crate) selected: BTreeSet<&'m str>,
    /// The installed or locked versions.
    pub(crate) installed: BTreeSet<String>,
}

pub(crate) fn view(
    model: &Model,
    catalogs: &CatalogSet,
    options: &Options,
    marks: &GraphMarks<'_>,
    name: &str,
) -> Option<UpgradesView> {
    let (catalog, package) = find(catalogs, name)?;
    let places = Places { sources: &model.sources };
    let bundles = by_version(package);
    let (skipped, channels) = (skipped(package), channels(package));
    let edges = edge_views(&places, package, &bundles, &skipped, mode(options));
    let bundle = |it: &&Bundle| bundle(&places, it, channels.get(&*it.name), &skipped, marks);
    let view = UpgradesView {
        format: "planloom.upgrades/1".into(),
        catalog: catalog.name.to_string(),
        package: package.name.to_string(),
        description: package.description.as_ref().map(ToString::to_string),
        deprecated: package.deprecated.as_ref().map(|it| it.message.to_string()),
        channels: package.channels.values().map(|it| channel(&places, package, it)).collect(),
        bundles: bundles.iter().map(bundle).collect(),
        edges,
        ..UpgradesView::default()
    };
    Some(drawn(view))
}

pub(crate) fn mermaid(catalogs: &CatalogSet, options: &Options, name: &str) -> Option<String> {
    find(catalogs, name).map(|(_, package)| upgrade::mermaid(package, mode(options)))
}

fn mode(options: &Options) -> Mode {
    match options.profile() {
        Profile::V0 => Mode::V0,
        Profile::V1 | Profile::Phase0 => Mode::V1,
    }
}

fn find<'s>(catalogs: &'s CatalogSet, name: &str) -> Option<(&'s Catalog, &'s Package)> {
    catalogs.catalogs.iter().find_map(|catalog| Some((catalog, catalog.packages.get(name)?)))
}

fn by_version(package: &Package) -> Vec<&Bundle> {
    let mut bundles: Vec<&Bundle> = package.bundles.values().collect();
    order::by(&mut bundles, |one, other| {
        other.version.precedence(&one.version).then_with(|| one.name.cmp(&other.name))
    });
    bundles
}

fn channel(places: &Places<'_>, package: &Package, channel: &catalog::Channel) -> ChannelView {
    let heads = upgrade::heads(channel);
    ChannelView {
        name: channel.name.to_string(),
        is_default: channel.name == package.default_channel,
        head: match &heads[..] {
            [head] => Some(head.name.to_string()),
            _ => None,
        },
        deprecated: channel.deprecated.as_ref().map(|it| it.message.to_string()),
        origin: places.place(Some(channel.origin)),
    }
}

fn bundle(
    places: &Places<'_>,
    bundle: &Bundle,
    channels: Option<&BTreeSet<&str>>,
    skipped: &BTreeSet<&str>,
    marks: &GraphMarks<'_>,
) -> UpgradeBundleView {
    let channels = channels.into_iter().flatten();
    UpgradeBundleView {
        bundle: bundle.name.to_string(),
        version: bundle.version.to_string(),
        channels: channels.map(ToString::to_string).collect(),
        deprecated: bundle.deprecated.as_ref().map(|it| it.message.to_string()),
        skipped: skipped.contains(&*bundle.name),
        selected: marks.selected.contains(&*bundle.name),
        installed: marks.installed.contains(&bundle.version.to_string()),
        origin: places.place(Some(bundle.origin)),
    }
}

/// The bundles that another one skips.
fn skipped(package: &Package) -> BTreeSet<&str> {
    let entries = package.channels.values().flat_map(|it| &it.entries);
    order::set(entries.flat_map(|it| &it.skips).map(|it| &**it))
}

/// The channels of each bundle, by their names.
fn channels(package: &Package) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut all: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for channel in package.channels.values() {
        for entry in &channel.entries {
            all.entry(&entry.name).or_default().insert(&channel.name);
        }
    }
    all
}

/// An upgrade edge without its channels: the two bundles, the kind, and the range if there is one.
type Kind = (usize, usize, UpgradeKind, Option<Arc<str>>);

/// Each upgrade once, with all channels that declare it.
fn edge_views(
    places: &Places<'_>,
    package: &Package,
    bundles: &[&Bundle],
    skipped: &BTreeSet<&str>,
    mode: Mode,
) -> Vec<UpgradeEdgeView> {
    let index: BTreeMap<&str, usize> = order::map(bundles.iter().enumerate().map(|(n, it)| (&*it.name, n)));
    let mut found: BTreeMap<Kind, UpgradeEdgeView> = BTreeMap::new();
    for edge in upgrade::edges_within(package, MOST_IN_RANGES) {
        let ends = (index.get(&**edge.from), index.get(&**edge.to));
        let (Some(from), Some(to)) = ends else { continue };
        let (kind, range) = kind(&edge);
        match found.entry((*to, *from, kind, range.clone())) {
            btree_map::Entry::Occupied(mut same) => same.get_mut().channels.push(edge.channel.to_string()),
            btree_map::Entry::Vacant(new) => {
                new.insert(UpgradeEdgeView {
                    from: *from,
                    to: *to,
                    kind,
                    range: range.map(|it| it.to_string()),
                    channels: vec![edge.channel.to_string()],
                    // With OLM 0, skipped bundles do not exist.
                    counts: mode == Mode::V1 || !skipped.contains(&**edge.to),
                    origin: places.place(Some(edge.origin)),
                });
            }
        }
    }
    found.into_values().collect()
}

fn kind(edge: &Edge<'_>) -> (UpgradeKind, Option<Arc<str>>) {
    match edge.kind {
        EdgeKind::Replace => (UpgradeKind::Replaces, None),
        EdgeKind::Skip => (UpgradeKind::Skips, None),
        EdgeKind::SkipRange(range) => (UpgradeKind::SkipRange, Some(Arc::clone(&range.text))),
    }
}

/// Adds positions for drawing: older versions to the left. Between two versions one line is drawn.
fn drawn(mut view: UpgradesView) -> UpgradesView {
    let width =
        |it: &UpgradeBundleView| (40.0 + 7.4 * it.version.chars().count() as f32).clamp(104.0, 240.0).round();
    let sizes: Vec<(f32, f32)> = view.bundles.iter().map(|it| (width(it), BOX_HEIGHT)).collect();
    let lines = lines(&view.edges);
    let edges = lines.iter().filter_map(|it| view.edges.get(*it)).map(|it| (it.to, it.from)).collect();
    let placed =
        layout(&LayoutInput { sizes: sizes.clone(), edges, layer_gap: 56.0, node_gap: 16.0, waves: false });
    let boxes = placed.positions.iter().zip(&sizes);
    view.boxes = boxes.map(|((x, y), (w, h))| [*x, *y, *w, *h]).collect();
    view.routes = vec![Vec::new(); view.edges.len()];
    for (line, route) in lines.into_iter().zip(placed.routes) {
        if let Some(slot) = view.routes.get_mut(line) {
            *slot = route.into_iter().map(|(x, y)| [x, y]).collect();
        }
    }
    view.size = [placed.size.0, placed.size.1];
    view
}

/// The edges that are drawn: of those between the same two versions, the most important one, which comes
/// first.
fn lines(edges: &[UpgradeEdgeView]) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let mut lines: Vec<usize> = Vec::new();
    for is_range in [false, true] {
        let of_kind =
            edges.iter().enumerate().filter(|(_, it)| (it.kind == UpgradeKind::SkipRange) == is_range);
        for (n, edge) in of_kind {
            if (!is_range || lines.len() < MOST_DRAWN)
                && edge.from != edge.to
                && seen.insert((edge.from, edge.to))
            {
                lines.push(n);
            }
        }
    }
    order::by(&mut lines, |a, b| a.cmp(b));
    lines
}

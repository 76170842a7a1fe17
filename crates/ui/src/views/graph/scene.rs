//! The scene at a camera: the nodes and edges that are drawn, their detail and their order. Nothing here knows a page.

use std::collections::BTreeMap;

use diag::order;
use workspace::view::Action;

use super::{
    camera::{Camera, around, meet},
    model::{Connection, Edge, Model, Node, Sort},
    neighbours::Neighbours,
};
use crate::{
    LayerBadge,
    views::{Same, fit::wide},
};

/// The level of detail of each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// Its place and its action; names only where there is room between the nodes.
    Far,
    /// Its name.
    Middle,
    /// Everything.
    Near,
}

impl Detail {
    /// The detail at a scale: names as soon as a box is as high as a line of them.
    pub(super) const fn at(scale: f32) -> Self {
        if scale >= 0.58 {
            Self::Near
        } else if scale >= 0.3 {
            Self::Middle
        } else {
            Self::Far
        }
    }

    /// Its name, for tools that inspect a drawing.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Far => "far",
            Self::Middle => "middle",
            Self::Near => "near",
        }
    }
}

/// The highlights, which change with the pointer, the keyboard and the filters.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lights {
    /// These are lifted, and the rest is faded.
    pub(super) lit: Option<Neighbours>,
    /// The node that the others are lifted for.
    pub(super) middle: Option<usize>,
    /// The nodes and edges that the filter keeps; the rest is faded.
    pub(super) kept: Option<Same<Neighbours>>,
    /// Only these are drawn.
    pub(super) shown: Option<Same<Neighbours>>,
    /// The selected node.
    pub(super) selected: Option<usize>,
    /// The node that has the keyboard, while the drawing has it.
    pub(super) ring: Option<usize>,
}

impl Lights {
    fn draws_node(&self, at: usize) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.nodes.contains(&at))
    }

    fn draws_edge(&self, at: usize) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.edges.contains(&at))
    }

    fn fades_node(&self, at: usize) -> bool {
        self.lit.as_ref().is_some_and(|lit| !lit.nodes.contains(&at))
            || self.kept.as_ref().is_some_and(|kept| !kept.nodes.contains(&at))
    }

    fn tone(&self, at: usize, edge: &Edge) -> Tone {
        let lit = self.lit.as_ref().map(|lit| lit.edges.contains(&at));
        let kept = self.kept.as_ref().is_none_or(|kept| kept.edges.contains(&at));
        match (lit, kept, edge.knock_on) {
            (Some(true), ..) => Tone::Lit,
            (Some(false), ..) | (None, false, _) => Tone::Faded,
            (None, true, Some(action)) => Tone::Act(action),
            (None, true, None) => Tone::Plain,
        }
    }
}

/// The emphasis of an edge; the later ones are drawn above the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tone {
    /// The emphasis is on other edges.
    Faded,
    /// Nothing in particular.
    Plain,
    /// An action goes on along it.
    Act(Action),
    /// It is lifted.
    Lit,
}

/// A model with everything that is computed once for it, independent of the camera.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) model: Same<Model>,
    pub(super) layers: Same<Vec<LayerBadge>>,
    /// The rectangle around each edge that is drawn.
    extents: Vec<Option<[f32; 4]>>,
    /// The nodes, those first whose names say most.
    ranks: Vec<usize>,
    /// The action of most nodes, which need not be said of each.
    common: Option<Action>,
}

impl Sheet {
    pub(super) fn new(model: Same<Model>, layers: Same<Vec<LayerBadge>>) -> Self {
        let extents = model.edges.iter().map(|edge| extent(&edge.route)).collect();
        let mut ranks: Vec<usize> = (0..model.nodes.len()).collect();
        order::by_key(&mut ranks, |at| model.nodes.get(*at).map(rank));
        let common = common(&model);
        Self { model, layers, extents, ranks, common }
    }

    /// The name of a node far off, with the sign of its action unless that is the action of most nodes.
    pub(super) fn label(&self, node: &Node) -> String {
        match node.action {
            Some(action) if self.common != node.action => format!("{} {}", action.words().symbol, node.name),
            Some(_) | None => node.name.clone(),
        }
    }

    /// The edges that a point is on, within a reach, the last drawn first.
    pub(super) fn edge_at(&self, at: [f32; 2], reach: f32, lights: &Lights) -> Option<usize> {
        let touch = [at[0] - reach, at[1] - reach, 2.0 * reach, 2.0 * reach];
        let near =
            |edge: &usize| self.extents.get(*edge).copied().flatten().is_some_and(|it| meet(it, touch));
        let edges = (0..self.model.edges.len()).rev().filter(|edge| lights.draws_edge(*edge)).filter(near);
        let mut edges = edges.filter_map(|edge| Some((edge, self.model.edges.get(edge)?)));
        edges.find(|(_, edge)| super::curve::passes(&edge.route, at, reach)).map(|(at, _)| at)
    }

    /// The node that a point is on; where nodes are small, one that is as near as `reach` across and down.
    pub(super) fn node_at(&self, at: [f32; 2], reach: [f32; 2], lights: &Lights) -> Option<usize> {
        let spot = |[x, y]: [f32; 2]| [at[0] - x, at[1] - y, 2.0 * x, 2.0 * y];
        let on = |spot: [f32; 4]| {
            let nodes = self.model.nodes.iter().enumerate();
            let mut hit = nodes.filter(|(at, node)| lights.draws_node(*at) && meet(node.rect, spot));
            hit.next().map(|(at, _)| at)
        };
        on(spot([0.0; 2])).or_else(|| on(spot(reach)))
    }
}

/// The action of more than half of all nodes; never a destroying one, which is always shown.
fn common(model: &Model) -> Option<Action> {
    let count = |action: Action| model.nodes.iter().filter(|node| node.action == Some(action)).count();
    let of_most = |action: &Action| !action.destroys() && count(*action) * 2 > model.nodes.len();
    Action::ALL.iter().copied().find(of_most)
}

/// The bends of a way stay near its points, but it may swing out where it leads back.
fn extent(route: &[[f32; 2]]) -> Option<[f32; 4]> {
    const SWING: f32 = 14.0;
    let [left, top, width, height] = around(route.iter().map(|[x, y]| [*x, *y, 0.0, 0.0]))?;
    Some([left - SWING, top - SWING, width + 2.0 * SWING, height + 2.0 * SWING])
}

/// The rank of a name: groups, then nodes that are destroyed or have problems, then those that change, then those with
/// most connections.
fn rank(node: &Node) -> (bool, bool, bool, std::cmp::Reverse<usize>) {
    let loud = node.action.is_some_and(Action::destroys) || node.problems > 0;
    let links = node.needed_by.len() + node.needs.len();
    (node.members.is_empty(), !loud, node.action.is_none(), std::cmp::Reverse(links))
}

/// The elements that are drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scene {
    pub(super) detail: Detail,
    /// Edges by how they are drawn, the lowest first.
    pub(super) strokes: BTreeMap<(Tone, Connection), Vec<usize>>,
    /// The opacity of plain edges: the more edges there are, the lower it is.
    pub(super) strength: f64,
    /// Nodes that are faded.
    pub(super) faded: Vec<usize>,
    /// All others.
    pub(super) nodes: Vec<usize>,
    /// Names that stand between the nodes, each with where it begins in the pane.
    pub(super) labels: Vec<(usize, [f32; 2])>,
}

impl Scene {
    /// The scene of a sheet at a camera in a pane of that width and height.
    pub(super) fn of(sheet: &Sheet, lights: &Lights, camera: Camera, pane: (f32, f32)) -> Self {
        let detail = Detail::at(camera.scale);
        // Signs stand out of the boxes.
        const OUT: f32 = 12.0;
        let [left, top, width, height] = camera.seen(pane);
        let seen = [left - OUT, top - OUT, width + 2.0 * OUT, height + 2.0 * OUT];
        let nodes = sheet.model.nodes.iter().enumerate();
        let nodes = nodes.filter(|(at, node)| lights.draws_node(*at) && meet(node.rect, seen));
        let (faded, nodes) = nodes.map(|(at, _)| at).partition::<Vec<_>, _>(|at| lights.fades_node(*at));
        let mut strokes = BTreeMap::<_, Vec<usize>>::new();
        for (at, (edge, extent)) in sheet.model.edges.iter().zip(&sheet.extents).enumerate() {
            if extent.is_some_and(|extent| meet(extent, seen)) && lights.draws_edge(at) {
                strokes.entry((lights.tone(at, edge), edge.kind)).or_default().push(at);
            }
        }
        let quiet = strokes.iter().filter(|((tone, _), _)| *tone <= Tone::Plain).map(|(_, all)| all.len());
        let strength = strength(quiet.sum());
        let labels = if detail == Detail::Far { labels(sheet, lights, camera, seen) } else { Vec::new() };
        Self { detail, strokes, strength, faded, nodes, labels }
    }
}

fn strength(edges: usize) -> f64 {
    const CLEAR: f64 = 220.0;
    (CLEAR / (edges as f64).max(1.0)).sqrt().clamp(0.16, 1.0)
}

/// The size of a name that stands between nodes; of a group's.
pub(super) const LABEL: (f32, f32) = (12.0, 15.0);

/// Names from the most important on, each where no other is.
fn labels(sheet: &Sheet, lights: &Lights, camera: Camera, seen: [f32; 4]) -> Vec<(usize, [f32; 2])> {
    const MOST: usize = 70;
    const TRIES: usize = 900;
    let first = [lights.middle, lights.ring, lights.selected].into_iter().flatten();
    let lit = lights.lit.iter().flat_map(|lit| lit.nodes.iter().copied()).take(MOST);
    let visible = |at: &usize| {
        lights.draws_node(*at)
            && !lights.fades_node(*at)
            && sheet.model.nodes.get(*at).is_some_and(|node| meet(node.rect, seen))
    };
    let mut taken: Vec<[f32; 4]> = Vec::new();
    let mut labels: Vec<(usize, [f32; 2])> = Vec::new();
    for at in first.chain(lit).chain(sheet.ranks.iter().copied()).filter(visible).take(TRIES) {
        let Some(node) = sheet.model.nodes.get(at).filter(|_| labels.iter().all(|(other, _)| *other != at))
        else {
            continue;
        };
        let [left, top, width, height] = camera.rect(node.rect);
        let size = if node.members.is_empty() { LABEL.0 } else { LABEL.1 };
        let long = wide(&sheet.label(node), size);
        let place = [left + (width - long) / 2.0, top + height / 2.0 - size * 0.8, long, size * 1.5];
        if taken.iter().all(|other| !meet(*other, place)) {
            taken.push([place[0] - 6.0, place[1] - 2.0, place[2] + 12.0, place[3] + 4.0]);
            labels.push((at, [place[0], top + height / 2.0 + size * 0.36]));
        }
        if labels.len() == MOST {
            break;
        }
    }
    labels
}

/// The scene in figures, as JSON: for tools that inspect a drawing without seeing it.
pub(super) fn digest(scene: &Scene, model: &Model) -> String {
    let mut edges = BTreeMap::<&str, usize>::new();
    for ((_, kind), all) in &scene.strokes {
        *edges.entry(kind.name()).or_default() += all.len();
    }
    let texts = scene.strokes.values().flatten().filter_map(|at| model.edges.get(*at)?.label.as_deref());
    let lifted = scene.strokes.iter().filter(|((tone, _), _)| *tone == Tone::Lit).map(|(_, all)| all.len());
    serde_json::json!({
        "all": model.nodes.len(),
        "detail": scene.detail.name(),
        "edges": edges,
        "faded": scene.faded.len(),
        "labels": texts.collect::<Vec<_>>(),
        "lifted": lifted.sum::<usize>(),
        "names": if scene.detail == Detail::Far { scene.labels.len() } else { scene.nodes.len() + scene.faded.len() },
        "nodes": scene.nodes.len() + scene.faded.len(),
        "sort": match model.sort { Sort::Needs => "needs", Sort::Links => "links", Sort::Upgrades => "upgrades", Sort::Comparison => "comparison" },
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::{super::model::tests::model, *};

    fn sheet(nodes: &[(&str, u32)], edges: &[(&str, &str, &str)]) -> Sheet {
        Sheet::new(Same::new(model(nodes, edges)), Same::new(Vec::new()))
    }

    const NODES: [(&str, u32); 3] = [("a.net", 0), ("a.db", 1), ("a.web", 2)];
    const EDGES: [(&str, &str, &str); 2] = [("a.db", "a.net", "attachment"), ("a.web", "a.db", "reference")];
    const PANE: (f32, f32) = (500.0, 400.0);

    fn at(scale: f32) -> Camera {
        Camera { x: 0.0, y: 0.0, scale, wide: 1.0 }
    }

    #[test]
    fn only_what_can_be_seen_is_drawn() {
        let sheet = sheet(&NODES, &EDGES);
        assert_eq!(Scene::of(&sheet, &Lights::default(), at(1.0), PANE).nodes, [0, 1]);
        assert_eq!(Scene::of(&sheet, &Lights::default(), at(0.4), PANE).nodes, [0, 1, 2]);
        let away = Camera { x: -2_000.0, y: 0.0, scale: 1.0, wide: 1.0 };
        let scene = Scene::of(&sheet, &Lights::default(), away, PANE);
        assert!(scene.nodes.is_empty() && scene.strokes.is_empty());
    }

    #[test]
    fn the_further_off_the_less_is_drawn() {
        let sheet = sheet(&NODES, &EDGES);
        let detail = |scale| Scene::of(&sheet, &Lights::default(), at(scale), PANE).detail;
        assert_eq!([1.0, 0.4, 0.1].map(detail), [Detail::Near, Detail::Middle, Detail::Far]);
    }

    #[test]
    fn names_between_nodes_never_cover_each_other() {
        let nodes: Vec<(String, u32)> =
            (0..400).map(|at| (format!("services.number-{at}"), at % 9)).collect();
        let nodes: Vec<(&str, u32)> = nodes.iter().map(|(name, wave)| (name.as_str(), *wave)).collect();
        let sheet = sheet(&nodes, &[]);
        let lights = Lights { selected: Some(333), ..Lights::default() };
        let scene = Scene::of(&sheet, &lights, at(0.02), (600.0, 700.0));
        assert!(scene.labels.len() > 10 && scene.labels.len() < 71, "{}", scene.labels.len());
        assert_eq!(scene.labels.first().map(|it| it.0), Some(333), "the selected one is always named");
        for (one, a) in &scene.labels {
            let clash = |(other, b): &&(usize, [f32; 2])| {
                one != other && (a[1] - b[1]).abs() < 12.0 && (a[0] - b[0]).abs() < 60.0
            };
            assert_eq!(scene.labels.iter().find(clash), None, "{one}");
        }
    }

    #[test]
    fn what_is_lifted_is_drawn_above_and_the_rest_is_faded() {
        let sheet = sheet(&NODES, &EDGES);
        let lit = Neighbours { nodes: [0, 1].into(), edges: [0].into() };
        let lights = Lights { lit: Some(lit), middle: Some(0), ..Lights::default() };
        let scene = Scene::of(&sheet, &lights, at(0.4), PANE);
        assert_eq!((scene.nodes.as_slice(), scene.faded.as_slice()), ([0, 1].as_slice(), [2].as_slice()));
        let tones: Vec<Tone> = scene.strokes.keys().map(|it| it.0).collect();
        assert_eq!(tones, [Tone::Faded, Tone::Lit]);
    }

    #[test]
    fn a_thousand_edges_are_fainter_than_ten() {
        assert_eq!(strength(10), 1.0);
        assert!(strength(1_000) < 0.5 && strength(100_000) >= 0.16);
    }

    #[test]
    fn only_what_is_shown_is_hit() {
        let sheet = sheet(&NODES, &EDGES);
        let open = Lights::default();
        assert_eq!(sheet.node_at([10.0, 10.0], [0.0; 2], &open), Some(0));
        assert_eq!(sheet.node_at([-5.0, 10.0], [0.0; 2], &open), None);
        assert_eq!(sheet.node_at([-5.0, 10.0], [8.0; 2], &open), Some(0));
        let shown = Neighbours { nodes: [1, 2].into(), edges: [1].into() };
        let some = Lights { shown: Some(Same::new(shown)), ..Lights::default() };
        assert_eq!(sheet.node_at([10.0, 10.0], [0.0; 2], &some), None);
        assert_eq!(
            (sheet.edge_at([0.5, 0.5], 4.0, &open), sheet.edge_at([40.0, 0.5], 4.0, &open)),
            (Some(1), None)
        );
    }

    #[test]
    fn what_happens_to_most_is_not_said_of_each() {
        let mut model = model(&NODES, &EDGES);
        for (node, action) in model.nodes.iter_mut().zip([Action::Create, Action::Create, Action::Rebuild]) {
            node.action = Some(action);
        }
        let sheet = Sheet::new(Same::new(model), Same::new(Vec::new()));
        let labels: Vec<String> = sheet.model.nodes.iter().map(|node| sheet.label(node)).collect();
        assert_eq!(labels, ["net", "db", "± web"]);
    }

    #[test]
    fn a_digest_has_what_the_picture_has() {
        let sheet = sheet(&NODES, &EDGES);
        let scene = Scene::of(&sheet, &Lights::default(), at(0.4), PANE);
        let digest: serde_json::Value = serde_json::from_str(&digest(&scene, &sheet.model)).expect("JSON");
        assert_eq!(digest["edges"], serde_json::json!({"attachment": 1, "reference": 1}));
        assert_eq!((&digest["nodes"], &digest["detail"]), (&3.into(), &"middle".into()));
    }
}

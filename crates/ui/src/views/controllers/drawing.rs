//! A snapshot as shapes: boxes of controllers and kinds, lines of inputs and outputs.

use super::{
    snapshot::{Place, Snapshot, Way},
    words,
};
use crate::views::fit::{fit, fit_ends};
use workspace::view::{ControllerEdge, ControllerState};

/// The direction of the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// From left to right.
    Wide,
    /// From top to bottom.
    Tall,
}

/// The shapes that are drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Drawing {
    /// Width and height.
    pub(super) size: [f32; 2],
    /// The boxes.
    pub(super) nodes: Vec<Node>,
    /// The lines, below the boxes.
    pub(super) lines: Vec<Line>,
}

/// A box.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// Names it.
    pub(super) id: String,
    /// The node that it stands for.
    pub(super) shape: Shape,
    /// Left, top, width, height.
    pub(super) rect: [f32; 4],
    /// The first line.
    pub(super) name: String,
    /// The lines below.
    pub(super) lines: Vec<String>,
    /// All of it, in words.
    pub(super) title: String,
}

/// The kind of node that a box stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A controller in a state.
    Controller(ControllerState),
    /// A kind of resource.
    Kind,
}

/// A line with an arrow.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// Names it.
    pub(super) id: String,
    /// The kind of input or output.
    pub(super) edge: ControllerEdge,
    /// The way.
    pub(super) d: String,
    /// The arrow's head.
    pub(super) head: String,
    /// The number of times that it was used.
    pub(super) count: u64,
    /// The position of the count, if there is room for it.
    pub(super) label: Option<[f32; 2]>,
    /// Part of a loop that does not settle.
    pub(super) livelock: bool,
    /// All of it, in words.
    pub(super) title: String,
}

/// Between a text and both sides of its box.
const INSETS: f32 = 12.0;
/// The width that the lamp of a controller takes, on each side of a centred name.
const LAMP: f32 = 30.0;
/// The size of a name: letters of half bold are wider than those that `fit` knows.
const NAME: f32 = 13.5;
const LINE: f32 = 11.0;

impl Drawing {
    /// The drawing of a snapshot.
    pub(super) fn of(snapshot: &Snapshot, flow: Flow) -> Self {
        // What has no inputs and outputs is in the list only.
        let drawn = snapshot.controllers.iter().filter(|it| it.place != Place::default());
        let controllers = drawn.map(|item| {
            let state = match item.queue {
                0 => item.state.word().to_owned(),
                waiting => format!("{} ({waiting})", item.state.word()),
            };
            let (id, runs, rect) = (&item.id, words::runs(item), flow.rect(&item.place));
            let room = rect[2] - INSETS;
            Node {
                id: item.node.clone(),
                shape: Shape::Controller(item.state),
                rect,
                name: fit_ends(&item.id, room - LAMP, NAME),
                title: format!("{id}: {}, {} queued, {runs}. {}", item.state.word(), item.queue, item.does),
                lines: vec![fit(&state, room, LINE), fit(&runs, room, LINE)],
            }
        });
        let kinds = snapshot.kinds.iter().map(|item| {
            let (rect, content) = (flow.rect(&item.place), words::content(item));
            // The ends of these boxes are round.
            let room = rect[2] - INSETS - rect[3] / 2.0;
            Node {
                id: item.node.clone(),
                shape: Shape::Kind,
                rect,
                name: fit_ends(&item.name, room, NAME),
                lines: vec![fit(&content, room, LINE)],
                title: format!("{}: {content}", item.name),
            }
        });
        let lines = snapshot.edges.iter().map(|edge| {
            let points = flow.points(&edge.way);
            let back = edge.edge.is_about_the_end();
            Line {
                id: edge.id.clone(),
                edge: edge.edge,
                d: flow.smooth(points),
                head: flow.head(points),
                count: edge.count,
                label: if back { None } else { middle(points) },
                livelock: edge.livelock,
                title: words::edge(snapshot, edge),
            }
        });
        Self {
            size: if flow == Flow::Wide { snapshot.wide } else { snapshot.tall },
            nodes: controllers.chain(kinds).collect(),
            lines: lines.collect(),
        }
    }
}

impl Flow {
    fn rect(self, place: &Place) -> [f32; 4] {
        if self == Self::Wide { place.wide } else { place.tall }
    }

    fn points(self, way: &Way) -> &[[f32; 2]] {
        if self == Self::Wide { &way.wide } else { &way.tall }
    }

    /// Along the flow, across it.
    fn turned(self, [x, y]: [f32; 2]) -> [f32; 2] {
        if self == Self::Wide { [x, y] } else { [y, x] }
    }

    /// A way through all points that leaves and arrives along the flow.
    fn smooth(self, points: &[[f32; 2]]) -> String {
        let Some((first, rest)) = points.split_first() else { return String::new() };
        let mut d = format!("M{:.1} {:.1}", first[0], first[1]);
        let mut last = self.turned(*first);
        for point in rest {
            let [along, across] = self.turned(*point);
            let half = (along - last[0]) / 2.0;
            let one = self.turned([last[0] + half, last[1]]);
            let two = self.turned([along - half, across]);
            d.push_str(&format!(
                "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
                one[0], one[1], two[0], two[1], point[0], point[1]
            ));
            last = [along, across];
        }
        d
    }

    /// The head at the end of a way, in its direction.
    fn head(self, points: &[[f32; 2]]) -> String {
        const LENGTH: f32 = 6.5;
        const HALF: f32 = 3.5;
        let [.., before, end] = points else { return String::new() };
        let ([from, _], [along, across]) = (self.turned(*before), self.turned(*end));
        let back = if along >= from { -LENGTH } else { LENGTH };
        let (one, two) =
            (self.turned([along + back, across - HALF]), self.turned([along + back, across + HALF]));
        format!("M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}", one[0], one[1], end[0], end[1], two[0], two[1])
    }
}

/// The middle of the straight between the two points in the middle.
fn middle(points: &[[f32; 2]]) -> Option<[f32; 2]> {
    let at = points.len().checked_sub(2)? / 2;
    let (a, b) = (points.get(at)?, points.get(at + 1)?);
    Some([f32::midpoint(a[0], b[0]), f32::midpoint(a[1], b[1])])
}

#[cfg(test)]
mod tests {
    use super::{super::snapshot::*, ControllerEdge, ControllerState, Drawing, Flow, Shape};
    use crate::views::fit::wide;

    fn snapshot() -> Snapshot {
        let place = |x: f32| Place { wide: [x, 0.0, 140.0, 60.0], tall: [0.0, x, 140.0, 60.0] };
        let way =
            |x: f32, end: f32| Way { wide: vec![[x, 30.0], [end, 30.0]], tall: vec![[50.0, x], [50.0, end]] };
        Snapshot {
            running: true,
            controllers: vec![ControllerItem {
                node: "controller:root".into(),
                id: "root".into(),
                state: ControllerState::BackOff,
                queue: 1,
                ok: 4,
                failed: 2,
                place: place(150.0),
                ..ControllerItem::default()
            }],
            kinds: vec![KindItem {
                node: "kind:Numbers".into(),
                name: "Numbers".into(),
                count: 1,
                leaving: 0,
                place: place(0.0),
            }],
            edges: vec![
                EdgeItem {
                    id: "in".into(),
                    from: "kind:Numbers".into(),
                    to: "controller:root".into(),
                    edge: ControllerEdge::Strong,
                    count: 6,
                    way: way(100.0, 150.0),
                    ..EdgeItem::default()
                },
                EdgeItem {
                    id: "out".into(),
                    from: "controller:root".into(),
                    to: "kind:Numbers".into(),
                    edge: ControllerEdge::Removes,
                    way: way(150.0, 100.0),
                    ..EdgeItem::default()
                },
            ],
            wide: [250.0, 60.0],
            tall: [100.0, 210.0],
            ..Snapshot::default()
        }
    }

    #[test]
    fn controllers_and_kinds_are_boxes_with_their_counters() {
        let drawing = Drawing::of(&snapshot(), Flow::Wide);
        assert_eq!(drawing.size, [250.0, 60.0]);
        let said: Vec<_> =
            drawing.nodes.iter().map(|node| (node.name.as_str(), node.lines.join("|"))).collect();
        assert_eq!(said, [("root", "backing off (1)|4 ok · 2 failed".into()), ("Numbers", "1".to_owned())]);
        let shapes: Vec<_> = drawing.nodes.iter().map(|node| node.shape.clone()).collect();
        assert_eq!(shapes, [Shape::Controller(ControllerState::BackOff), Shape::Kind]);
        assert!(drawing.nodes[0].title.contains("1 queued"), "{}", drawing.nodes[0].title);
    }

    #[test]
    fn texts_fit_into_their_boxes() {
        let mut long = snapshot();
        let name = "WWW-controller-of-everything-there-is-7";
        (long.controllers[0].id, long.kinds[0].name) = (name.into(), name.into());
        (long.kinds[0].count, long.kinds[0].leaving) = (1_000_000, 999_999);
        let drawing = Drawing::of(&long, Flow::Wide);
        for node in &drawing.nodes {
            assert!(node.name.starts_with("WW") && node.name.ends_with('7'), "{}", node.name);
            assert!(wide(&node.name, 13.5) < 128.0, "{}", node.name);
            assert!(node.lines.iter().all(|it| wide(it, 11.0) <= 128.0), "{:?}", node.lines);
            assert!(node.title.contains(name), "{}", node.title);
        }
    }

    #[test]
    fn lines_lead_along_the_flow_and_back() {
        let wide = Drawing::of(&snapshot(), Flow::Wide);
        assert_eq!(wide.lines[0].d, "M100.0 30.0C125.0 30.0 125.0 30.0 150.0 30.0");
        assert_eq!(wide.lines[0].head, "M143.5 26.5L150.0 30.0L143.5 33.5");
        assert_eq!(wide.lines[0].label, Some([125.0, 30.0]));
        assert_eq!(wide.lines[1].head, "M106.5 26.5L100.0 30.0L106.5 33.5");
        assert_eq!(wide.lines[1].label, None, "beside another there is no room");
        let tall = Drawing::of(&snapshot(), Flow::Tall);
        assert_eq!(tall.nodes[0].rect, [0.0, 150.0, 140.0, 60.0]);
        assert_eq!(tall.lines[0].head, "M46.5 143.5L50.0 150.0L53.5 143.5");
    }

    #[test]
    fn an_empty_graph_draws_nothing() {
        let drawing = Drawing::of(&Snapshot::default(), Flow::Tall);
        assert!(drawing.nodes.is_empty() && drawing.lines.is_empty());
        let mut one = snapshot();
        one.edges[0].way = Way::default();
        let drawing = Drawing::of(&one, Flow::Wide);
        assert_eq!((drawing.lines[0].d.as_str(), drawing.lines[0].head.as_str()), ("", ""));
    }
}

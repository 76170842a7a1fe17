//! The positions of the nodes and the routes of the edges of one component. Each edge has a strip of its own in each column
//! where it has a stop, so its route does not cross boxes there.

use super::{
    Drawing, Gaps,
    columns::Columns,
    pieces::{EdgeRoute, Piece},
};

type Point = (f32, f32);

/// The distance from the middle of a side at which an edge that closes a cycle ends, in parts of the side, so that it does not
/// cover an edge that leads the other way.
const ASIDE: f32 = 0.25;

/// The boxes and the lines of a piece whose vertices have their places.
pub(super) fn drawing(
    piece: &Piece,
    columns: &Columns,
    sizes: &[Point],
    middles: &[f32],
    gaps: Gaps,
) -> Drawing {
    let sides = sides(columns, sizes, gaps.layer);
    let sketch = Router { columns, sizes, middles, sides, gaps };
    let mut drawing = Drawing {
        positions: (0..sizes.len()).map(|node| sketch.corner(node)).collect(),
        routes: piece.edges.iter().map(|edge| sketch.route(piece, edge.way)).collect(),
        size: (0.0, 0.0),
    };
    move_to_origin(&mut drawing, sizes);
    drawing
}

/// Left and right side of each column.
fn sides(columns: &Columns, sizes: &[Point], gap: f32) -> Vec<(f32, f32)> {
    let mut left = 0.0;
    let widths = columns.order.iter().map(|column| {
        let nodes = column.iter().filter(|vertex| !columns.is_stop(**vertex));
        nodes.map(|node| sizes[*node].0).fold(0.0, f32::max)
    });
    widths
        .map(|width| {
            let sides = (left, left + width);
            left += width + gap;
            sides
        })
        .collect()
}

struct Router<'a> {
    columns: &'a Columns,
    sizes: &'a [Point],
    middles: &'a [f32],
    sides: Vec<(f32, f32)>,
    gaps: Gaps,
}

impl Router<'_> {
    fn corner(&self, node: usize) -> Point {
        let (left, right) = self.sides[self.columns.column[node]];
        let (width, height) = self.sizes[node];
        ((left + right - width) / 2.0, self.middles[node] - height / 2.0)
    }

    fn route(&self, piece: &Piece, way: EdgeRoute) -> Vec<Point> {
        match way {
            EdgeRoute::Along(arc) => self.along(piece, arc, 0.0),
            EdgeRoute::Against(arc) => {
                let mut points = self.along(piece, arc, ASIDE);
                points.reverse();
                points
            }
            EdgeRoute::Around(node) => self.around(node),
        }
    }

    /// From the right side of an arc's left node to the left side of its right one, `aside` of their middles: the
    /// shortest way through its own strip of each column.
    fn along(&self, piece: &Piece, arc: usize, aside: f32) -> Vec<Point> {
        let stops = self.columns.stops[arc].clone();
        let arc = piece.arcs[arc];
        let end = |node: usize| self.middles[node] + self.sizes[node].1 * aside;
        let start = (self.corner(arc.left).0 + self.sizes[arc.left].0, end(arc.left));
        let goal = (self.corner(arc.right).0, end(arc.right));
        let mut doors = vec![self.door(arc.left, self.sides[self.columns.column[arc.left]].1)];
        for stop in stops {
            let (left, right) = self.sides[self.columns.column[stop]];
            doors.extend([self.door(stop, left), self.door(stop, right)]);
        }
        doors.push(self.door(arc.right, self.sides[self.columns.column[arc.right]].0));
        shortest(start, &doors, goal)
    }

    /// The passage of an edge through the side at `x` of a vertex' column: at a node its height, at a stop half of the space up
    /// to the next node and a third of that up to the next stop, so that neither boxes nor lines touch.
    fn door(&self, vertex: usize, x: f32) -> Passage {
        let middle = self.middles[vertex];
        if !self.columns.is_stop(vertex) {
            let half = self.sizes[vertex].1 / 2.0;
            return Passage { x, top: middle - half, bottom: middle + half };
        }
        let order = &self.columns.order[self.columns.column[vertex]];
        let at = self.columns.place[vertex];
        let half = |other: usize| self.sizes.get(other).map_or(0.0, |(_, height)| height / 2.0);
        let share = |other: usize| {
            let space = (self.middles[other] - middle).abs() - half(other);
            if self.columns.is_stop(other) { space / 3.0 } else { space / 2.0 }
        };
        let far = 4.0 * self.gaps.node;
        let above = at.checked_sub(1).map_or(far, |at| share(order[at])).min(far);
        let below = order.get(at + 1).map_or(far, |other| share(*other)).min(far);
        Passage { x, top: middle - above, bottom: middle + below }
    }

    /// Out on the right, over the node, in on the left.
    fn around(&self, node: usize) -> Vec<Point> {
        let (x, y) = self.corner(node);
        let (width, height) = self.sizes[node];
        let (out, up) = (self.gaps.layer / 4.0, self.gaps.node / 3.0);
        let middle = y + height / 2.0;
        vec![
            (x + width, middle),
            (x + width + out, middle),
            (x + width + out, y - up),
            (x - out, y - up),
            (x - out, middle),
            (x, middle),
        ]
    }
}

/// A vertical segment that a way has to pass.
#[derive(Clone, Copy, Debug)]
struct Passage {
    x: f32,
    top: f32,
    bottom: f32,
}

/// The shortest path through passages, from left to right: straight as far as all passages are visible, with a bend at the
/// end of the passage that blocks the view. As in the funnel algorithm (Lee and Preparata 1984), `up` and `down` are the
/// sides of the visible cone; the cone is computed again after each bend, which is quadratic in the worst case.
fn shortest(start: Point, doors: &[Passage], goal: Point) -> Vec<Point> {
    let goal_door = Passage { x: goal.0, top: goal.1, bottom: goal.1 };
    let doors = || doors.iter().copied().chain([goal_door]);
    let count = doors().count();
    let mut points = vec![start];
    let mut next = 0;
    while next < count {
        let from = points[points.len() - 1];
        // The steepest ways up and down that pass all doors so far: where they touch, and after which door.
        let mut up: Option<(Point, usize)> = None;
        let mut down: Option<(Point, usize)> = None;
        let mut bend = None;
        for (at, door) in doors().enumerate().skip(next) {
            let (top, bottom) = ((door.x, door.top), (door.x, door.bottom));
            if let Some((edge, after)) = up.filter(|(edge, _)| is_above(from, bottom, *edge)) {
                bend = Some((edge, after));
            } else if let Some((edge, after)) = down.filter(|(edge, _)| is_above(from, *edge, top)) {
                bend = Some((edge, after));
            }
            if bend.is_some() {
                break;
            }
            if up.is_none_or(|(edge, _)| is_above(from, edge, top)) {
                up = Some((top, at));
            }
            if down.is_none_or(|(edge, _)| is_above(from, bottom, edge)) {
                down = Some((bottom, at));
            }
        }
        let (point, after) = bend.unwrap_or((goal, count - 1));
        if point != from {
            points.push(point);
        }
        next = after + 1;
    }
    points
}

/// True if the way from a point to `one` runs above the way to `other`.
fn is_above(from: Point, one: Point, other: Point) -> bool {
    (one.1 - from.1) * (other.0 - from.0) < (other.1 - from.1) * (one.0 - from.0)
}

fn move_to_origin(drawing: &mut Drawing, sizes: &[Point]) {
    let ends = drawing.positions.iter().zip(sizes).map(|((x, y), (width, height))| (x + width, y + height));
    let points = || drawing.routes.iter().flatten().copied();
    let all = drawing.positions.iter().copied().chain(ends).chain(points());
    let mut least = (f32::INFINITY, f32::INFINITY);
    let mut most = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    for (x, y) in all {
        least = (least.0.min(x), least.1.min(y));
        most = (most.0.max(x), most.1.max(y));
    }
    for point in drawing.positions.iter_mut().chain(drawing.routes.iter_mut().flatten()) {
        *point = (point.0 - least.0, point.1 - least.1);
    }
    drawing.size = (most.0 - least.0, most.1 - least.1);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::layout::pieces::Arc;

    fn door(x: f32, top: f32, bottom: f32) -> Passage {
        Passage { x, top, bottom }
    }

    /// True if the straight line between two points passes the doors between them.
    fn passes(a: Point, b: Point, doors: &[Passage]) -> bool {
        doors.iter().filter(|door| a.0 < door.x && door.x < b.0).all(|door| {
            let y = a.1 + (b.1 - a.1) * (door.x - a.0) / (b.0 - a.0);
            (door.top - 0.01..=door.bottom + 0.01).contains(&y)
        })
    }

    fn length(a: Point, b: Point) -> f32 {
        ((b.0 - a.0) * (b.0 - a.0) + (b.1 - a.1) * (b.1 - a.1)).sqrt()
    }

    /// The length of the shortest of all ways that bend at the edges of doors only, as a shortest way does.
    fn least_length(start: Point, doors: &[Passage], goal: Point) -> f32 {
        let edges = doors.iter().flat_map(|door| [(door.x, door.top), (door.x, door.bottom)]);
        let points: Vec<Point> = [start].into_iter().chain(edges).chain([goal]).collect();
        let mut least = vec![0.0];
        for (at, &to) in points.iter().enumerate().skip(1) {
            let before = points[..at].iter().zip(&least).filter(|(from, _)| from.0 < to.0);
            let ways = before
                .filter(|(from, _)| passes(**from, to, doors))
                .map(|(from, way)| way + length(*from, to));
            least.push(ways.fold(f32::INFINITY, f32::min));
        }
        least[points.len() - 1]
    }

    proptest! {
        #[test]
        fn a_line_takes_the_shortest_way_through_all_doors(
            ends in (-20_i8..20, -20_i8..20),
            doors in prop::collection::vec((1_u8..9, -30_i8..30, 0_i8..20), 0..7),
        ) {
            let mut x = 0.0;
            let doors: Vec<Passage> = doors.iter().map(|(way, top, height)| {
                x += f32::from(*way);
                door(x, f32::from(*top), f32::from(*top) + f32::from(*height))
            }).collect();
            let (start, goal) = ((0.0, f32::from(ends.0)), (x + 4.0, f32::from(ends.1)));
            let points = shortest(start, &doors, goal);
            prop_assert_eq!((points[0], points[points.len() - 1]), (start, goal));
            for pair in points.windows(2) {
                prop_assert!(pair[0].0 < pair[1].0 && passes(pair[0], pair[1], &doors), "{:?}", points);
            }
            let ways: f32 = points.windows(2).map(|pair| length(pair[0], pair[1])).sum();
            prop_assert!((ways - least_length(start, &doors, goal)).abs() < 0.01, "{:?}", points);
        }
    }

    #[test]
    fn a_line_that_only_touches_a_door_is_straight() {
        for touched in [door(1.0, 1.0, 5.0), door(1.0, -5.0, 1.0)] {
            assert_eq!(
                shortest((0.0, 0.0), &[touched, door(2.0, 2.0, 2.0)], (3.0, 3.0)),
                [(0.0, 0.0), (3.0, 3.0)]
            );
        }
    }

    /// Between two nodes, in the middle column: a node, two stops and a node, at these heights.
    #[test]
    fn a_stop_leaves_half_of_the_space_to_a_node_and_two_thirds_to_a_stop() {
        let arcs = [(0, 2), (0, 2), (0, 1), (1, 2), (0, 3), (3, 2)];
        let arcs = arcs.map(|(left, right)| Arc { left, right, weight: 1 });
        let mut columns = Columns::new(&[0, 1, 2, 1], &arcs);
        columns.set_order(1, vec![1, 4, 5, 3]);
        let check = |vertex: usize, middles: [f32; 4], expected: (f32, f32)| {
            let [one, stop, other, last] = middles;
            let sketch = Router {
                columns: &columns,
                sizes: &[(50.0, 20.0), (50.0, 40.0), (50.0, 20.0), (50.0, 60.0)],
                middles: &[0.0, one, 0.0, last, stop, other],
                sides: Vec::new(),
                gaps: Gaps { layer: 60.0, node: 10.0 },
            };
            let door = sketch.door(vertex, 7.0);
            assert_eq!((door.x, door.top, door.bottom), (7.0, expected.0, expected.1));
        };
        let close = [100.0, 130.0, 142.0, 180.0];
        check(1, close, (80.0, 120.0));
        check(4, close, (125.0, 134.0));
        check(5, close, (138.0, 146.0));
        check(3, close, (150.0, 210.0));
        // No further than four gaps.
        check(4, [0.0, 200.0, 260.0, 500.0], (160.0, 220.0));
        check(5, [0.0, 200.0, 260.0, 500.0], (240.0, 300.0));
    }
}

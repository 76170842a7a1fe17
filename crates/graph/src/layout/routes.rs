//! Boxes and lines of one piece.

use super::{
    Drawing, Gaps,
    columns::Columns,
    pieces::{Piece, Way},
};

type Point = (f32, f32);

/// How far from the middle of a side an edge that closes a cycle ends, in parts of the side, so that it does not
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
    let sketch = Sketch { columns, sizes, middles, sides, gaps };
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

struct Sketch<'a> {
    columns: &'a Columns,
    sizes: &'a [Point],
    middles: &'a [f32],
    sides: Vec<(f32, f32)>,
    gaps: Gaps,
}

impl Sketch<'_> {
    fn corner(&self, node: usize) -> Point {
        let (left, right) = self.sides[self.columns.column[node]];
        let (width, height) = self.sizes[node];
        ((left + right - width) / 2.0, self.middles[node] - height / 2.0)
    }

    fn route(&self, piece: &Piece, way: Way) -> Vec<Point> {
        match way {
            Way::Along(arc) => self.along(piece, arc, 0.0),
            Way::Against(arc) => {
                let mut points = self.along(piece, arc, ASIDE);
                points.reverse();
                points
            }
            Way::Around(node) => self.around(node),
        }
    }

    /// From the right side of an arc's left node to the left side of its right one, `aside` of their middles. It
    /// leaves and enters columns, and passes them, level.
    fn along(&self, piece: &Piece, arc: usize, aside: f32) -> Vec<Point> {
        let stops = self.columns.stops[arc].clone();
        let arc = piece.arcs[arc];
        let (start, end) = (self.corner(arc.left), self.corner(arc.right));
        let from = self.middles[arc.left] + self.sizes[arc.left].1 * aside;
        let to = self.middles[arc.right] + self.sizes[arc.right].1 * aside;
        let mut points = vec![
            (start.0 + self.sizes[arc.left].0, from),
            (self.sides[self.columns.column[arc.left]].1, from),
        ];
        for stop in stops {
            let (left, right) = self.sides[self.columns.column[stop]];
            points.push((left, self.middles[stop]));
            points.push((right, self.middles[stop]));
        }
        points.push((self.sides[self.columns.column[arc.right]].0, to));
        points.push((end.0, to));
        straightened(points)
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

/// The same line without points that lie where it goes anyway.
fn straightened(points: Vec<Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::with_capacity(points.len());
    for point in points {
        if kept.last() == Some(&point) && kept.len() > 1 {
            continue;
        }
        while let [.., before, last] = kept[..]
            && is_between(before, last, point)
        {
            kept.pop();
        }
        kept.push(point);
    }
    kept
}

/// Whether `middle` is on the way. Only level ways count: of others, rounding would decide.
fn is_between(before: Point, middle: Point, after: Point) -> bool {
    before.1 == middle.1 && middle.1 == after.1
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

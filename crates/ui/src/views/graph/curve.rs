//! Smooth ways from polylines.

/// A stretch of a way, from where the one before ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stretch {
    /// Straight to a point.
    Line([f32; 2]),
    /// Bent by two points to a third.
    Curve([f32; 2], [f32; 2], [f32; 2]),
}

impl Stretch {
    /// Between two points. It leaves and arrives level, so that it meets boxes at a right angle and flows through the
    /// gaps between layers; straight stretches stay straight.
    pub(super) fn between(from: [f32; 2], to: [f32; 2]) -> Self {
        if (to[1] - from[1]).abs() < 0.5 || (to[0] - from[0]).abs() < 0.5 {
            return Self::Line(to);
        }
        let half = (to[0] - from[0]) / 2.0;
        let bend = half.abs().max(12.0).copysign(half);
        Self::Curve([from[0] + bend, from[1]], [to[0] - bend, to[1]], to)
    }

    /// A point of it, by how far along it is (0 to 1).
    fn at(self, from: [f32; 2], part: f32) -> [f32; 2] {
        let rest = 1.0 - part;
        let along = |axis: usize| {
            let of = |point: [f32; 2]| point.get(axis).copied().unwrap_or_default();
            match self {
                Self::Line(to) => of(from) * rest + of(to) * part,
                Self::Curve(one, two, to) => {
                    of(from) * rest * rest * rest
                        + 3.0 * of(one) * rest * rest * part
                        + 3.0 * of(two) * rest * part * part
                        + of(to) * part * part * part
                }
            }
        };
        [along(0), along(1)]
    }
}

/// The stretches of a way, each with where it begins.
pub(super) fn stretches(points: &[[f32; 2]]) -> impl Iterator<Item = ([f32; 2], Stretch)> {
    points.iter().zip(points.iter().skip(1)).map(|(from, to)| (*from, Stretch::between(*from, *to)))
}

/// The three points of an arrowhead at the end of a way: it points right, or left where the way leads back.
pub(super) fn arrowhead(points: &[[f32; 2]]) -> Option<[[f32; 2]; 3]> {
    const LENGTH: f32 = 7.0;
    const HALF: f32 = 3.5;
    let [x, y] = *points.last()?;
    let back = points.len() > 1 && points.iter().nth_back(1).is_some_and(|before| before[0] > x);
    let from = if back { x + LENGTH } else { x - LENGTH };
    Some([[from, y - HALF], [x, y], [from, y + HALF]])
}

/// The point half along the way, by length of the polyline.
pub(super) fn middle(points: &[[f32; 2]]) -> Option<[f32; 2]> {
    let pairs = || points.iter().zip(points.iter().skip(1)).map(|(a, b)| (*a, *b));
    let mut left = length(points) / 2.0;
    for (a, b) in pairs() {
        let here = distance(a, b);
        if here >= left && here > 0.0 {
            let part = left / here;
            return Some([a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part]);
        }
        left -= here;
    }
    points.first().copied()
}

/// The length of a polyline.
pub(super) fn length(points: &[[f32; 2]]) -> f32 {
    points.iter().zip(points.iter().skip(1)).map(|(a, b)| distance(*a, *b)).sum()
}

/// True if a way passes a point at a distance of at most `reach`.
pub(super) fn passes(points: &[[f32; 2]], at: [f32; 2], reach: f32) -> bool {
    const STEPS: u8 = 16;
    stretches(points).any(|(from, stretch)| {
        let mut last = from;
        (1..=STEPS).any(|step| {
            let next = stretch.at(from, f32::from(step) / f32::from(STEPS));
            let near = off(at, last, next) <= reach;
            last = next;
            near
        })
    })
}

/// The distance of a point from a straight stretch.
fn off(at: [f32; 2], from: [f32; 2], to: [f32; 2]) -> f32 {
    let (across, down) = (to[0] - from[0], to[1] - from[1]);
    let square = across * across + down * down;
    let part =
        if square > 0.0 { ((at[0] - from[0]) * across + (at[1] - from[1]) * down) / square } else { 0.0 };
    let part = part.clamp(0.0, 1.0);
    distance(at, [from[0] + across * part, from[1] + down * part])
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (b[0] - a[0]).hypot(b[1] - a[1])
}

#[cfg(test)]
mod tests {
    use super::{Stretch, arrowhead, middle, passes, stretches};

    #[test]
    fn ways_go_through_their_points() {
        assert_eq!(stretches(&[]).count(), 0);
        assert_eq!(
            stretches(&[[0.0, 0.0], [10.0, 0.0]]).next().map(|it| it.1),
            Some(Stretch::Line([10.0, 0.0]))
        );
        let way: Vec<_> = stretches(&[[0.0, 0.0], [40.0, 20.0], [80.0, 20.0]]).map(|it| it.1).collect();
        assert_eq!(
            way,
            [Stretch::Curve([20.0, 0.0], [20.0, 20.0], [40.0, 20.0]), Stretch::Line([80.0, 20.0])]
        );
    }

    #[test]
    fn ways_that_lead_back_do_so_without_a_loop() {
        let back = [[80.0, 0.0], [40.0, 20.0]];
        assert_eq!(
            Stretch::between(back[0], back[1]),
            Stretch::Curve([60.0, 0.0], [60.0, 20.0], [40.0, 20.0])
        );
        assert_eq!(arrowhead(&back), Some([[47.0, 16.5], [40.0, 20.0], [47.0, 23.5]]));
        assert_eq!(arrowhead(&[[0.0, 0.0], [40.0, 20.0]]), Some([[33.0, 16.5], [40.0, 20.0], [33.0, 23.5]]));
        assert_eq!(arrowhead(&[]), None);
    }

    #[test]
    fn the_middle_lies_on_the_way() {
        assert_eq!(middle(&[[0.0, 0.0], [10.0, 0.0], [10.0, 30.0]]), Some([10.0, 10.0]));
        assert_eq!(middle(&[[3.0, 4.0]]), Some([3.0, 4.0]));
        assert_eq!(middle(&[]), None);
    }

    #[test]
    fn a_bent_way_is_hit_where_it_is_bent() {
        let way = [[0.0, 0.0], [100.0, 100.0]];
        assert!(passes(&way, [50.0, 50.0], 2.0) && passes(&way, [2.0, 1.0], 2.0));
        assert!(passes(&way, [24.8, 10.4], 1.0), "it leaves level");
        assert!(!passes(&way, [25.0, 40.0], 6.0) && !passes(&way, [120.0, 100.0], 6.0));
    }
}

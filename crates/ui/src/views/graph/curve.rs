//! Smooth ways from polylines.

/// The `d` of a path through all points. Between two points the way leaves and arrives level, so that it
/// meets boxes
/// at a right angle and flows through the gaps between layers; straight stretches stay straight.
pub(super) fn smooth(points: &[[f32; 2]]) -> String {
    let Some((first, rest)) = points.split_first() else { return String::new() };
    let mut d = format!("M{:.1} {:.1}", first[0], first[1]);
    let mut last = *first;
    for &[x, y] in rest {
        if (y - last[1]).abs() < 0.5 {
            d.push_str(&format!("H{x:.1}"));
        } else if (x - last[0]).abs() < 0.5 {
            d.push_str(&format!("V{y:.1}"));
        } else {
            let half = (x - last[0]) / 2.0;
            let bend = half.abs().max(12.0).copysign(half);
            d.push_str(&format!(
                "C{:.1} {:.1} {:.1} {y:.1} {x:.1} {y:.1}",
                last[0] + bend,
                last[1],
                x - bend
            ));
        }
        last = [x, y];
    }
    d
}

/// The `d` of an arrowhead at the end of a way: it points right, or left where the way leads back.
pub(super) fn arrowhead(points: &[[f32; 2]]) -> Option<String> {
    const LENGTH: f32 = 7.0;
    const HALF: f32 = 3.5;
    let [x, y] = *points.last()?;
    let back = points.len() > 1 && points.iter().nth_back(1).is_some_and(|before| before[0] > x);
    let from = if back { x + LENGTH } else { x - LENGTH };
    Some(format!("M{from:.1} {:.1}L{x:.1} {y:.1}L{from:.1} {:.1}", y - HALF, y + HALF))
}

/// The point half along the way, by length of the polyline.
pub(super) fn middle(points: &[[f32; 2]]) -> Option<[f32; 2]> {
    let length = |a: [f32; 2], b: [f32; 2]| (b[0] - a[0]).hypot(b[1] - a[1]);
    let pairs = || points.iter().zip(points.iter().skip(1)).map(|(a, b)| (*a, *b));
    let mut left = pairs().map(|(a, b)| length(a, b)).sum::<f32>() / 2.0;
    for (a, b) in pairs() {
        let here = length(a, b);
        if here >= left && here > 0.0 {
            let part = left / here;
            return Some([a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part]);
        }
        left -= here;
    }
    points.first().copied()
}

#[cfg(test)]
mod tests {
    use super::{arrowhead, middle, smooth};

    #[test]
    fn ways_go_through_their_points() {
        assert_eq!(smooth(&[]), "");
        assert_eq!(smooth(&[[0.0, 0.0], [10.0, 0.0]]), "M0.0 0.0H10.0");
        assert_eq!(
            smooth(&[[0.0, 0.0], [40.0, 20.0], [80.0, 20.0]]),
            "M0.0 0.0C20.0 0.0 20.0 20.0 40.0 20.0H80.0"
        );
    }

    #[test]
    fn ways_that_lead_back_do_so_without_a_loop() {
        assert_eq!(smooth(&[[80.0, 0.0], [40.0, 20.0]]), "M80.0 0.0C60.0 0.0 60.0 20.0 40.0 20.0");
        assert_eq!(
            arrowhead(&[[80.0, 0.0], [40.0, 20.0]]).as_deref(),
            Some("M47.0 16.5L40.0 20.0L47.0 23.5")
        );
        assert_eq!(arrowhead(&[[0.0, 0.0], [40.0, 20.0]]).as_deref(), Some("M33.0 16.5L40.0 20.0L33.0 23.5"));
        assert_eq!(arrowhead(&[]), None);
    }

    #[test]
    fn the_middle_lies_on_the_way() {
        assert_eq!(middle(&[[0.0, 0.0], [10.0, 0.0], [10.0, 30.0]]), Some([10.0, 10.0]));
        assert_eq!(middle(&[[3.0, 4.0]]), Some([3.0, 4.0]));
        assert_eq!(middle(&[]), None);
    }
}

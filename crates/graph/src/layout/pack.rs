//! The positions of the components beside each other.

use diag::order;

use super::Gaps;

/// Width to height that a drawing should have: that of a window.
const ASPECT: f32 = 1.6;

/// The top left corner of each piece, by shelf packing in the order of decreasing height (Coffman et al. 1980): as many
/// pieces in a row as give the drawing the shape of a window. Lower pieces are stacked beside a higher one, so that single
/// nodes fill rows instead of one long column.
pub(super) fn pack(sizes: &[(f32, f32)], gaps: Gaps) -> Vec<(f32, f32)> {
    let gap = gaps.node.max(gaps.layer / 2.0);
    let area: f32 = sizes.iter().map(|(width, height)| (width + gap) * (height + gaps.node)).sum();
    let widest = sizes.iter().map(|(width, _)| *width).fold(0.0, f32::max);
    let limit = widest.max((area * ASPECT).sqrt());
    let order = order::of(sizes.len(), &mut |a, b| sizes[b].1.total_cmp(&sizes[a].1));
    let mut corners = vec![(0.0, 0.0); sizes.len()];
    let mut row = Row::default();
    for piece in order {
        let (width, height) = sizes[piece];
        if !row.has_room_below(width, height) {
            let x = if row.is_empty { 0.0 } else { row.x + row.width + gap };
            if !row.is_empty && x + width > limit {
                let top = row.end + gaps.node;
                row = Row { top, y: top, ..Row::default() };
            } else {
                row = Row { x, y: row.top, width: 0.0, ..row };
            }
        }
        corners[piece] = (row.x, row.y);
        row.width = row.width.max(width);
        row.end = row.end.max(row.y + height);
        row.y += height + gaps.node;
        row.is_empty = false;
    }
    corners
}

/// The top left corner of each piece: all below each other, in order.
pub(super) fn stack(sizes: &[(f32, f32)], gaps: Gaps) -> Vec<(f32, f32)> {
    let mut top = 0.0;
    let corner = |(_, height): &(f32, f32)| {
        let corner = (0.0, top);
        top += height + gaps.node;
        corner
    };
    sizes.iter().map(corner).collect()
}

/// The row that is being filled, and the stack in it that is.
#[derive(Clone, Copy)]
struct Row {
    top: f32,
    end: f32,
    x: f32,
    /// The top of the next piece of the stack.
    y: f32,
    width: f32,
    is_empty: bool,
}

impl Default for Row {
    fn default() -> Self {
        Self { top: 0.0, end: 0.0, x: 0.0, y: 0.0, width: 0.0, is_empty: true }
    }
}

impl Row {
    fn has_room_below(&self, width: f32, height: f32) -> bool {
        !self.is_empty && width <= self.width && self.y + height <= self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAPS: Gaps = Gaps { layer: 60.0, node: 12.0 };

    #[track_caller]
    fn check(sizes: &[(f32, f32)], gaps: Gaps, expected: &[(f32, f32)]) {
        assert_eq!(pack(sizes, gaps), expected);
    }

    #[test]
    fn rows_are_filled_up_to_the_shape_of_a_window() {
        // With gaps the pieces cover some 33,000, so a window is some 230 wide: three of them beside each other.
        let low = [(40.0, 40.0); 9];
        let rows = [0.0, 52.0, 104.0].into_iter().flat_map(|y| [0.0, 70.0, 140.0].map(|x| (x, y)));
        check(&low, GAPS, &rows.collect::<Vec<_>>());
    }

    #[test]
    fn higher_pieces_come_first_and_lower_ones_stand_on_top_of_each_other() {
        let sizes = [(50.0, 40.0), (100.0, 100.0), (50.0, 40.0), (60.0, 40.0), (50.0, 30.0)];
        check(&sizes, GAPS, &[(130.0, 0.0), (0.0, 0.0), (130.0, 52.0), (0.0, 112.0), (90.0, 112.0)]);
    }

    #[test]
    fn a_row_begins_below_the_highest_of_the_one_before() {
        let sizes = [(300.0, 50.0), (300.0, 40.0), (300.0, 30.0)];
        check(&sizes, GAPS, &[(0.0, 0.0), (0.0, 62.0), (0.0, 114.0)]);
    }

    #[test]
    fn pieces_that_just_fit_stand_beside_each_other() {
        let gaps = Gaps { layer: 0.0, node: 0.0 };
        check(&[(80.0, 100.0); 2], gaps, &[(0.0, 0.0), (80.0, 0.0)]);
    }

    #[test]
    fn pieces_beside_each_other_keep_the_larger_of_both_gaps() {
        check(&[(80.0, 200.0); 2], Gaps { layer: 10.0, node: 20.0 }, &[(0.0, 0.0), (100.0, 0.0)]);
        check(&[(80.0, 200.0); 2], Gaps { layer: 80.0, node: 20.0 }, &[(0.0, 0.0), (120.0, 0.0)]);
    }

    #[test]
    fn stacked_pieces_stand_below_each_other_in_order() {
        let corners = stack(&[(10.0, 40.0), (90.0, 100.0), (20.0, 30.0)], GAPS);
        assert_eq!(corners, [(0.0, 0.0), (0.0, 52.0), (0.0, 164.0)]);
    }
}

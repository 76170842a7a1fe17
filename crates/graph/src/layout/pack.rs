//! Pieces side by side.

use diag::order;

use super::Gaps;

/// Width to height that a drawing should have: that of a window.
const ASPECT: f32 = 1.6;

/// The top left corner of each piece: in rows, higher ones first, else in order, as many beside each other as give the
/// drawing the shape of a window. Beside a high piece, lower ones stand on top of each other. So nodes that hang on
/// nothing fill rows instead of one endless column.
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
                row = Row { top, end: top, y: top, ..Row::default() };
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
    /// Where the next piece of the stack goes.
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

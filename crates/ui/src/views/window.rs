//! The rows of a long list that are drawn.

use std::ops::Range;

/// Rows drawn above and below what can be seen, so that scrolling meets them.
const AHEAD: usize = 24;

/// The stretch that can be seen. It moves in steps, so that most scroll events draw nothing new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Window {
    first: usize,
    count: usize,
}

impl Window {
    /// The window of a scrolled element; all three are in pixels.
    pub(super) fn of(scroll_top: i32, height: i32, row: i32) -> Self {
        let rows = |pixels: i32| usize::try_from(pixels / row.max(1)).unwrap_or(0);
        let step = AHEAD / 2;
        Self { first: rows(scroll_top) / step * step, count: rows(height) + 2 + step }
    }

    /// The rows to draw of `total`.
    pub(super) fn rows(self, total: usize) -> Range<usize> {
        let end = (self.first + self.count.max(1) + AHEAD).min(total);
        self.first.saturating_sub(AHEAD).min(end)..end
    }
}

/// The top of a row, where each has that height; of the first one that is not there, the height of all.
pub(super) fn top(at: usize, row: i32) -> i32 {
    i32::try_from(at).unwrap_or(i32::MAX).saturating_mul(row)
}

/// The position to scroll to so that a row is seen with a margin of two rows; `None` if it is seen already.
pub(super) fn scroll_for(at: usize, row: i32, scroll_top: i32, height: i32) -> Option<i32> {
    let margin = row * 2;
    let (above, below) = (top(at, row) - margin, top(at + 1, row) + margin - height);
    if scroll_top > above {
        Some(above.max(0))
    } else if scroll_top < below {
        Some(below)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Window, scroll_for, top};

    const ROW: i32 = 20;

    proptest! {
        #[test]
        fn only_visible_rows_are_drawn(scroll in 0i32..200_000, height in 0i32..3_000, total in 0usize..10_000)
            {
            let rows = Window::of(scroll, height, ROW).rows(total);
            prop_assert!(rows.end <= total && rows.start <= rows.end);
            prop_assert!(rows.len() < 300);
            for pixel in [scroll, scroll + height] {
                let row = usize::try_from(pixel / ROW).expect("positive");
                prop_assert!(row >= total || rows.contains(&row));
            }
        }

        #[test]
        fn a_row_that_is_scrolled_to_can_be_seen(row in 0usize..10_000, scroll in 0i32..200_000, height in
            200i32..2_000) {
            let to = scroll_for(row, ROW, scroll, height).unwrap_or(scroll);
            prop_assert!(to <= top(row, ROW) && top(row + 1, ROW) <= to + height);
        }
    }

    #[test]
    fn small_scrolls_draw_nothing_new() {
        assert_eq!(Window::of(0, 400, ROW), Window::of(ROW * 3, 400, ROW));
    }
}

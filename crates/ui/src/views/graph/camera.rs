//! The camera: the scale of the drawing and its position in the pane.

/// Screen = drawing × (`scale` × `wide`, `scale`) + (`x`, `y`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Camera {
    /// Pixels to the right.
    pub(super) x: f32,
    /// Pixels down.
    pub(super) y: f32,
    /// The scale.
    pub(super) scale: f32,
    /// The horizontal stretch, as a factor: 1, except where all of a very high drawing is to be seen.
    pub(super) wide: f32,
}

/// The smallest and largest scale.
const LIMITS: (f32, f32) = (0.002, 2.5);

/// Below this scale a drawing is stretched to the width of the pane, up to this horizontal scale.
const STRETCHED: f32 = 0.12;
const WIDEST: f32 = 0.3;

/// Pixels left free around the drawing.
const MARGIN: f32 = 18.0;

impl Camera {
    /// All of a rectangle (left, top, width, height) in a pane, never enlarged.
    pub(super) fn fit([left, top, width, height]: [f32; 4], pane: (f32, f32)) -> Self {
        let room = |pane: f32, size: f32| (pane - 2.0 * MARGIN).max(1.0) / size.max(1.0);
        let scale = room(pane.0, width).min(room(pane.1, height)).clamp(LIMITS.0, 1.0);
        // Where nothing can be read, columns that can be told apart say more than true proportions.
        let stretched = scale < STRETCHED;
        let across = if stretched { room(pane.0, width).min(WIDEST).max(scale) } else { scale };
        let x = (pane.0 - width * across) / 2.0 - left * across;
        let y = (pane.1 - height * scale) / 2.0 - top * scale;
        Self { x, y, scale, wide: if stretched { across / scale } else { 1.0 } }
    }

    /// The initial camera: on all of the drawing as long as the names can be distinguished, else from the left at a
    /// size that is easy to read, at the height of the `first` box.
    pub(super) fn start(rect: [f32; 4], first: [f32; 4], pane: (f32, f32)) -> Self {
        const LEAST: f32 = 0.45;
        let fitted = Self::fit(rect, pane);
        if fitted.scale >= LEAST {
            return fitted;
        }
        // On a phone there is no mouse to zoom with, and less is seen at once anyway.
        let readable = if pane.0 < 520.0 { 0.85 } else { 0.64 };
        let [left, top, _, height] = rect;
        let x = MARGIN - left * readable;
        if height * readable <= pane.1 - 2.0 * MARGIN {
            return Self {
                x,
                y: (pane.1 - height * readable) / 2.0 - top * readable,
                scale: readable,
                wide: 1.0,
            };
        }
        let highest = MARGIN - top * readable;
        let lowest = pane.1 - MARGIN - (top + height) * readable;
        let y = pane.1 / 2.0 - (first[1] + first[3] / 2.0) * readable;
        Self { x, y: y.clamp(lowest, highest), scale: readable, wide: 1.0 }
    }

    /// The horizontal scale.
    pub(super) const fn across(self) -> f32 {
        self.scale * self.wide
    }

    /// Enlarged by a factor around a point of the pane, which stays where it is. A stretched drawing grows in height
    /// first.
    #[must_use]
    pub(super) fn zoomed(self, factor: f32, at: (f32, f32)) -> Self {
        let scale = (self.scale * factor).clamp(LIMITS.0, LIMITS.1);
        let wide = if factor > 1.0 { (self.across() / scale).max(1.0) } else { self.wide };
        let (grown, across) = (scale / self.scale, scale * wide / self.across());
        Self { x: at.0 - (at.0 - self.x) * across, y: at.1 - (at.1 - self.y) * grown, scale, wide }
    }

    /// Moved by pixels.
    #[must_use]
    pub(super) fn moved(self, dx: f32, dy: f32) -> Self {
        Self { x: self.x + dx, y: self.y + dy, ..self }
    }

    /// Kept where a part of the drawing can be seen.
    #[must_use]
    pub(super) fn bounded(self, size: [f32; 2], pane: (f32, f32)) -> Self {
        let keep = |at: f32, size: f32, pane: f32| at.clamp((60.0 - size).min(0.0), (pane - 60.0).max(0.0));
        let x = keep(self.x, size[0] * self.across(), pane.0);
        Self { x, y: keep(self.y, size[1] * self.scale, pane.1), ..self }
    }

    /// Moved just as far as needed to show a rectangle.
    #[must_use]
    pub(super) fn showing(self, [left, top, width, height]: [f32; 4], pane: (f32, f32)) -> Self {
        let shift = |at: f32, size: f32, pane: f32, scale: f32| {
            let (start, end) = (at * scale, (at + size) * scale);
            move |offset: f32| {
                if start + offset < MARGIN {
                    MARGIN - start
                } else if end + offset > pane - MARGIN {
                    (pane - MARGIN - end).max(MARGIN - start)
                } else {
                    offset
                }
            }
        };
        Self {
            x: shift(left, width, pane.0, self.across())(self.x),
            y: shift(top, height, pane.1, self.scale)(self.y),
            ..self
        }
    }

    /// With a point of the drawing in the middle of the pane.
    #[must_use]
    pub(super) fn centered(self, at: (f32, f32), pane: (f32, f32)) -> Self {
        Self { x: pane.0 / 2.0 - at.0 * self.across(), y: pane.1 / 2.0 - at.1 * self.scale, ..self }
    }

    /// The part of the drawing that can be seen: left, top, width, height.
    pub(super) fn seen(self, pane: (f32, f32)) -> [f32; 4] {
        [-self.x / self.across(), -self.y / self.scale, pane.0 / self.across(), pane.1 / self.scale]
    }

    /// True if all of a rectangle can be seen.
    pub(super) fn shows(self, [left, top, width, height]: [f32; 4], pane: (f32, f32)) -> bool {
        let within = |at: f32, size: f32, offset: f32, pane: f32| {
            at + offset > -1.0 && at + size + offset < pane + 1.0
        };
        within(left * self.across(), width * self.across(), self.x, pane.0)
            && within(top * self.scale, height * self.scale, self.y, pane.1)
    }

    /// The position in the pane of a point of the drawing.
    pub(super) fn point(self, [x, y]: [f32; 2]) -> [f32; 2] {
        [x * self.across() + self.x, y * self.scale + self.y]
    }

    /// The rectangle in the pane of a rectangle of the drawing.
    pub(super) fn rect(self, [left, top, width, height]: [f32; 4]) -> [f32; 4] {
        let [x, y] = self.point([left, top]);
        [x, y, width * self.across(), height * self.scale]
    }

    /// The point of the drawing that is at a point of the pane.
    pub(super) fn below(self, at: (f32, f32)) -> [f32; 2] {
        [(at.0 - self.x) / self.across(), (at.1 - self.y) / self.scale]
    }
}

/// True if two rectangles have a point in common.
pub(super) fn meet(a: [f32; 4], b: [f32; 4]) -> bool {
    a[0] <= b[0] + b[2] && b[0] <= a[0] + a[2] && a[1] <= b[1] + b[3] && b[1] <= a[1] + a[3]
}

/// The rectangle around rectangles; `None` without any.
pub(super) fn around(rects: impl Iterator<Item = [f32; 4]>) -> Option<[f32; 4]> {
    let corners = rects.map(|[left, top, width, height]| (left, top, left + width, top + height));
    let all = corners.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3)))?;
    Some([all.0, all.1, all.2 - all.0, all.3 - all.1])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Camera, around};

    proptest! {
        #[test]
        fn a_fitted_drawing_is_visible(width in 1f32..8_000.0, height in 1f32..8_000.0, pane in
            (200f32..2_000.0, 200f32..2_000.0)) {
            let camera = Camera::fit([10.0, 20.0, width, height], pane);
            prop_assert!(camera.scale <= 1.0);
            if camera.scale > 0.002 {
                let [left, top, seen_width, seen_height] = camera.seen(pane);
                prop_assert!(left <= 10.0 && top <= 20.0);
                prop_assert!(left + seen_width >= 10.0 + width && top + seen_height >= 20.0 + height);
            }
        }

        #[test]
        fn one_begins_with_all_of_it_or_with_names_that_can_be_read(width in 1f32..3_000.0, height in
            1f32..2_000.0, pane in (200f32..1_500.0, 150f32..1_000.0)) {
            let rect = [0.0, 0.0, width, height];
            let camera = Camera::start(rect, [0.0, 0.0, 10.0, 10.0], pane);
            prop_assert!(camera.scale >= 0.45);
            prop_assert_eq!(camera.shows(rect, pane), camera == Camera::fit(rect, pane));
        }

        #[test]
        fn the_point_under_the_pointer_stays(factor in 0.2f32..5.0, at in (0f32..900.0, 0f32..900.0)) {
            let before = Camera { x: 40.0, y: -30.0, scale: 0.8, wide: 1.0 };
            let after = before.zoomed(factor, at);
            let point = |camera: Camera| { let [x, y] = camera.below(at); (x, y) };
            prop_assert!((point(before).0 - point(after).0).abs() < 0.1 &&
                (point(before).1 - point(after).1).abs() < 0.1);
        }

        #[test]
        fn showing_moves_a_rectangle_into_view(left in -500f32..3_000.0, top in -500f32..3_000.0, x in
            -900f32..900.0) {
            let pane = (600.0, 400.0);
            let camera = Camera { x, y: 10.0, scale: 0.7, wide: 1.0 }.showing([left, top, 200.0, 50.0], pane);
            let [seen_left, seen_top, width, height] = camera.seen(pane);
            prop_assert!(seen_left <= left && left + 200.0 <= seen_left + width);
            prop_assert!(seen_top <= top && top + 50.0 <= seen_top + height);
        }
    }

    #[test]
    fn one_begins_to_read_at_the_left_at_the_height_of_what_is_first() {
        let pane = (600.0, 400.0);
        let small = [0.0, 0.0, 500.0, 300.0];
        assert_eq!(Camera::start(small, small, pane), Camera::fit(small, pane));
        let first = [10.0, 4_000.0, 168.0, 44.0];
        let camera = Camera::start([10.0, 0.0, 5_000.0, 9_000.0], first, pane);
        let [left, top, _, height] = camera.seen(pane);
        assert!(left < 10.0 && (top + height / 2.0 - 4_022.0).abs() < 1.0, "{left} {top} {height}");
        let wide = Camera::start([0.0, 0.0, 5_000.0, 200.0], [0.0, 0.0, 168.0, 44.0], pane);
        assert!((wide.y - (400.0 - 200.0 * wide.scale) / 2.0).abs() < 0.01);
    }

    #[test]
    fn what_is_high_and_narrow_is_stretched_to_be_seen() {
        let (rect, pane) = ([0.0, 0.0, 1_800.0, 64_000.0], (610.0, 720.0));
        let camera = Camera::fit(rect, pane);
        assert!(camera.shows(rect, pane) && camera.across() > 0.25 && camera.scale < 0.02, "{camera:?}");
        // Closer by, it first grows in height, and then is what it is.
        let mut near = camera;
        for _ in 0..40 {
            let next = near.zoomed(1.25, (300.0, 300.0));
            assert!(next.across() >= near.across() && next.wide <= near.wide);
            near = next;
        }
        assert_eq!(near.wide, 1.0);
        assert_eq!(Camera::fit([0.0, 0.0, 1_800.0, 900.0], pane).wide, 1.0, "what can be read is not");
        assert_eq!(camera.zoomed(0.5, (0.0, 0.0)).wide, camera.wide);
    }

    #[test]
    fn the_drawing_cannot_be_lost() {
        let camera =
            Camera { x: -9_000.0, y: 9_000.0, scale: 1.0, wide: 1.0 }.bounded([400.0, 300.0], (800.0, 600.0));
        assert_eq!((camera.x, camera.y), (-340.0, 540.0));
    }

    #[test]
    fn rectangles_are_surrounded() {
        let rects = [[0.0, 0.0, 10.0, 10.0], [20.0, -5.0, 5.0, 5.0]];
        assert_eq!(around(rects.into_iter()), Some([0.0, -5.0, 25.0, 15.0]));
        assert_eq!(around(std::iter::empty()), None);
    }
}

//! Fingers and mouse on the drawing.

use std::collections::BTreeMap;

/// The pointers that are down.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Drag {
    pointers: BTreeMap<i32, (f32, f32)>,
    travelled: f32,
}

/// The effect of a movement of the pointers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Gesture {
    /// Move by so much.
    Pan(f32, f32),
    /// Zoom by a factor around a point, and move by so much.
    Pinch(f32, (f32, f32), (f32, f32)),
}

/// Less than this is a click with an unsteady hand.
const DEAD: f32 = 4.0;

impl Drag {
    /// A pointer goes down.
    pub(super) fn down(&mut self, id: i32, at: (f32, f32)) {
        if self.pointers.is_empty() {
            self.travelled = 0.0;
        }
        self.pointers.insert(id, at);
    }

    /// A pointer is lifted.
    pub(super) fn up(&mut self, id: i32) {
        self.pointers.remove(&id);
    }

    /// True if the pointers went further than a click may.
    pub(super) fn is_drag(&self) -> bool {
        self.travelled > DEAD
    }

    /// A pointer that is down moves.
    pub(super) fn moved(&mut self, id: i32, to: (f32, f32)) -> Option<Gesture> {
        let from = *self.pointers.get(&id)?;
        let shift = (to.0 - from.0, to.1 - from.1);
        self.travelled += shift.0.hypot(shift.1);
        self.pointers.insert(id, to);
        let other = self.pointers.iter().find(|(other, _)| **other != id).map(|(_, at)| *at);
        match other {
            None => self.is_drag().then_some(Gesture::Pan(shift.0, shift.1)),
            Some(other) => {
                let distance = |at: (f32, f32)| (at.0 - other.0).hypot(at.1 - other.1).max(1.0);
                let middle = ((to.0 + other.0) / 2.0, (to.1 + other.1) / 2.0);
                Some(Gesture::Pinch(distance(to) / distance(from), middle, (shift.0 / 2.0, shift.1 / 2.0)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Drag, Gesture};

    #[test]
    fn an_unsteady_click_moves_nothing() {
        let mut drag = Drag::default();
        drag.down(1, (10.0, 10.0));
        assert_eq!(drag.moved(1, (12.0, 10.0)), None);
        assert_eq!(drag.moved(1, (18.0, 10.0)), Some(Gesture::Pan(6.0, 0.0)));
        drag.up(1);
        assert_eq!(drag.moved(1, (30.0, 10.0)), None);
        assert!(drag.is_drag());
        drag.down(1, (0.0, 0.0));
        assert!(!drag.is_drag());
    }

    #[test]
    fn two_fingers_apart_zoom() {
        let mut drag = Drag::default();
        drag.down(1, (0.0, 0.0));
        drag.down(2, (10.0, 0.0));
        assert_eq!(drag.moved(2, (20.0, 0.0)), Some(Gesture::Pinch(2.0, (10.0, 0.0), (5.0, 0.0))));
    }
}

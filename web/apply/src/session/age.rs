//! How old what is shown is.

use ui::views::live::ApplyStatus;

use super::Inner;

/// What was observed within two looks of a page is what is, in milliseconds.
const FRESH: i64 = 10_000;

impl Inner {
    /// The adapter has reported on all resources.
    pub(super) fn note_observed(&self) {
        self.observed.set(self.host.clock.now().0);
        if self.live.borrow().seen.is_some() {
            self.set(|live| live.seen = None);
        }
    }

    /// Says when what is shown was observed, once that is too long ago. What a run does is shown step by step.
    pub(super) fn show_age(&self) {
        let seen = {
            let live = self.live.borrow();
            let is_shown = live.seen.is_some() || live.doing.is_busy();
            if is_shown { None } else { self.age(&live) }
        };
        if seen.is_some() {
            self.set(|live| live.seen = seen);
        }
    }

    /// When what is shown was observed, if that is too long ago, or failed since. The simulator tells by itself.
    pub(super) fn age(&self, live: &ApplyStatus) -> Option<i64> {
        let (observed, now) = (self.observed.get(), self.host.clock.now().0);
        let is_old = live.unseen || now.saturating_sub(observed) > FRESH;
        (is_old && observed > 0 && live.opened && !live.adapter.is_empty()).then_some(observed)
    }
}

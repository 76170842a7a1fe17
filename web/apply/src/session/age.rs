//! The age of the observation that is on screen.

use ui::views::live::ApplyStatus;

use super::Inner;

/// The longest age at which an observation counts as current, in milliseconds: twice the interval of the page's
/// refreshes.
const FRESH: i64 = 10_000;

impl Inner {
    /// The adapter has reported on all resources.
    pub(super) fn note_observed(&self) {
        self.observed.set(self.host.environment.clock.now().0);
        if self.live.borrow().seen.is_some() {
            self.set(|live| live.seen = None);
        }
    }

    /// Shows the time of the observation that is on screen, once that is too long ago. Progress of a run is shown step
    /// by step.
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

    /// The time of the observation that is on screen, in milliseconds, if that is too long ago or a later one failed.
    /// The simulator reports changes by itself.
    pub(super) fn age(&self, live: &ApplyStatus) -> Option<i64> {
        let (observed, now) = (self.observed.get(), self.host.environment.clock.now().0);
        let is_old = live.unseen || now.saturating_sub(observed) > FRESH;
        (is_old && observed > 0 && live.opened && !live.adapter.is_empty()).then_some(observed)
    }
}

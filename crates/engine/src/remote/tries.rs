use crate::pace::{Deadline, Pace};

/// How often something was tried, and whether it is tried again.
pub(super) struct Tries<'p> {
    pace: &'p Pace,
    deadline: Deadline,
    counted: u32,
    /// Tries after which nobody said when to come again: what the pauses grow with.
    unasked: u32,
}

/// What one more try counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counts {
    /// One of [`Settings::tries`](crate::Settings::tries).
    Fully,
    /// Nothing where the adapter says when to come again: it is overloaded, not broken.
    UnlessAsked,
}

impl<'p> Tries<'p> {
    pub(super) const fn new(pace: &'p Pace, deadline: Deadline) -> Self {
        Self { pace, deadline, counted: 0, unasked: 0 }
    }

    /// Waits for the next try, at least so long as the adapter wants; `false` at once where there is none: it was tried
    /// often enough, or the time would be over by then.
    pub(super) async fn again(&mut self, after: Option<u64>, counts: Counts) -> bool {
        let pause = after.map_or_else(|| self.pace.backoff(self.unasked), |it| self.pace.asked_for(it));
        self.unasked += u32::from(after.is_none());
        self.counted += u32::from(after.is_none() || counts == Counts::Fully);
        let may = self.counted < self.pace.settings.tries && pause < self.pace.left(self.deadline);
        may && self.pace.wait(pause, self.deadline).await
    }
}

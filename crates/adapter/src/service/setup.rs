use std::{fmt, rc::Rc};

use protocol::LocalFuture;
use runtime::Timer;

use crate::Ledger;

/// Starts a task in the host: it is polled to its end whether or not anybody waits for it.
pub type Spawn = Rc<dyn Fn(LocalFuture<()>)>;

/// The services of the host that a [`Service`] needs.
pub struct Setup {
    /// Where it writes down what it was asked for.
    pub ledger: Box<dyn Ledger>,
    /// Time.
    pub timer: Rc<dyn Timer>,
    /// Starts a task.
    pub spawn: Spawn,
    /// Who knows it may call; without one everybody may.
    pub token: Option<String>,
    /// What each path begins with, e.g. `/adapters/process`; empty for a server of its own.
    pub base: String,
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup").field("base", &self.base).finish_non_exhaustive()
    }
}

/// How much a [`Service`] does at a time, and how long it remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A write is answered with 202 when it takes longer, in milliseconds.
    pub sync_wait_ms: u32,
    /// The longest that a question for an operation is kept waiting, in seconds.
    pub long_poll_s: u32,
    /// How long what came of a write is remembered, in milliseconds.
    pub keep_ms: i64,
    /// Of how many writes that is remembered; the oldest are forgotten first.
    pub keep: usize,
    /// How many writes may be under way; further ones are answered with 429.
    pub outstanding: usize,
    /// How many resources a page of a list has.
    pub page: usize,
    /// How many resources can be asked for in one read; more are answered with 413.
    pub batch: usize,
    /// How many reads a list or a batch does at a time.
    pub at_once: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sync_wait_ms: 10_000,
            long_poll_s: 60,
            keep_ms: 24 * 60 * 60 * 1000,
            keep: 20_000,
            outstanding: 1_000,
            page: 100,
            batch: 1_000,
            at_once: 32,
        }
    }
}

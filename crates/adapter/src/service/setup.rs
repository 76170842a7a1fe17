use std::{fmt, rc::Rc};

use protocol::LocalFuture;
use runtime::Timer;

use crate::Ledger;

/// Starts a task in the host, which polls it until it is complete, whether or not anything waits for it.
pub type Spawn = Rc<dyn Fn(LocalFuture<()>)>;

/// The services of the host that a [`Service`] needs.
pub struct Setup {
    /// The persistent records of requested resources.
    pub ledger: Box<dyn Ledger>,
    /// The clock and timers.
    pub timer: Rc<dyn Timer>,
    /// Starts a task.
    pub spawn: Spawn,
    /// The token that callers must send; without one every caller is allowed.
    pub token: Option<String>,
    /// The prefix of each path, e.g. `/adapters/process`; empty if the server serves this adapter only.
    pub base: String,
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup").field("base", &self.base).finish_non_exhaustive()
    }
}

/// Limits of what a [`Service`] does at a time, and how long it remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A write that takes longer, in milliseconds, is answered with 202.
    pub sync_wait_ms: u32,
    /// The longest time that a request for an operation waits, in seconds.
    pub long_poll_s: u32,
    /// The time for which the result of a write is remembered, in milliseconds.
    pub keep_ms: i64,
    /// The number of results of writes that are remembered; the oldest are forgotten first.
    pub keep: usize,
    /// The number of writes that may be in progress; further ones are answered with 429.
    pub outstanding: usize,
    /// The number of resources in a page of a list.
    pub page: usize,
    /// The largest number of resources in a batch read; more are answered with 413.
    pub batch: usize,
    /// The number of reads that a list or a batch performs at a time.
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

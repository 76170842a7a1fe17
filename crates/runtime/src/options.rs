use std::time::Duration;

/// The options of a runtime. [`Default`] suits most uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The seed of the jitter of back-offs, and of a shuffled schedule.
    pub seed: u64,
    /// The order in which controllers are run if several could be.
    pub schedule: Schedule,
    /// The time after the host's last turn at which it gets the next one, if there is that much work; at
    /// least one millisecond. At most 16 ms keep a page responsive.
    pub slice: Duration,
    /// A chain of runs, each woken immediately by the one before or by its writes, that is longer than this
    /// is treated as a loop that does not settle. Legitimate chains have as many steps as there are
    /// controllers in a row.
    pub longest_chain: u32,
    /// A resource that has been tearing down for longer than this is shown in the graph as stuck.
    pub stuck: Duration,
}

/// The order in which controllers are run if several could be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// Among the controllers with a due job, the one whose last start was longest ago; of its jobs, the one
    /// that was due first.
    #[default]
    Fair,
    /// Any order, determined by the seed: for tests that search for an order that causes an error.
    Shuffled,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            schedule: Schedule::Fair,
            slice: Duration::from_millis(8),
            longest_chain: 1000,
            stuck: Duration::from_secs(60),
        }
    }
}

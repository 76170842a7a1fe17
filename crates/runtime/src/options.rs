use std::time::Duration;

/// How a runtime behaves. [`Default`] is what most need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What the jitter of back-offs, and a shuffled schedule, come from.
    pub seed: u64,
    /// Who goes first when several could.
    pub schedule: Schedule,
    /// So long after the host's last turn it gets the next, if there is work for so long; at least one millisecond. At
    /// most 16 ms keep a page responsive.
    pub slice: Duration,
    /// A chain of runs, each woken at once by the one before or by what it wrote, that is longer than this is taken for a loop that
    /// does not settle. Real chains have as many steps as there are controllers in a row.
    pub longest_chain: u32,
    /// What has been tearing down for longer than this shows in the graph as stuck.
    pub stuck: Duration,
}

/// Who goes first when several could.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// Among the controllers that have a job that is due, who has begun none for longest; of its jobs, the one that
    /// was due first.
    #[default]
    Fair,
    /// Anyone, as the seed says: for tests that look for an order in which something goes wrong.
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

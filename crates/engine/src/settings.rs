use std::time::Duration;

/// How an engine behaves. [`Default`] is what most need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Steps at a time, over all adapters.
    pub parallel: usize,
    /// Requests at a time to one adapter, if it does not want fewer.
    pub per_adapter: usize,
    /// How long one request may take.
    pub call_timeout: Duration,
    /// How long a step may take until its resource is as it should be, if the adapter does not say.
    pub step_timeout: Duration,
    /// The longest that an adapter can ask for in its place.
    pub step_longest: Duration,
    /// How often a call is sent when it is not known, or not yet, to have worked.
    pub tries: u32,
    /// The pause before a call is sent again: at first this, then twice as long each time, half of it by chance.
    pub backoff_first: Duration,
    /// And at most this.
    pub backoff_last: Duration,
    /// How often one looks whether something is ready: first after this time, then less and less often.
    pub ready_first: Duration,
    /// And at least after this time.
    pub ready_last: Duration,
    /// How long the state's lease lives without being renewed.
    pub lease: Duration,
    /// How many resources are read in one request, where the adapter can do that.
    pub batch: usize,
    /// What the jitter of retries comes from.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            parallel: 64,
            per_adapter: 10,
            call_timeout: Duration::from_secs(30),
            step_timeout: Duration::from_secs(600),
            step_longest: Duration::from_secs(4 * 3_600),
            tries: 5,
            backoff_first: Duration::from_millis(250),
            backoff_last: Duration::from_secs(8),
            ready_first: Duration::from_millis(100),
            ready_last: Duration::from_secs(2),
            lease: Duration::from_secs(60),
            batch: 200,
            seed: 0,
        }
    }
}

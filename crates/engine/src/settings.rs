/// How an engine behaves. [`Default`] is what most need; times in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Steps at a time, over all adapters.
    pub parallel: usize,
    /// Requests at a time to one adapter, if it does not want fewer.
    pub per_adapter: usize,
    /// How long one request may take.
    pub call_timeout: u64,
    /// How long a step may take until its resource is as it should be, if the adapter does not say.
    pub step_timeout: u64,
    /// The longest that an adapter can ask for in its place.
    pub step_longest: u64,
    /// How often a call is sent when it is not known, or not yet, to have worked.
    pub tries: u32,
    /// The pause before a call is sent again: at first this, then twice as long each time, half of it by chance.
    pub backoff_first: u64,
    /// And at most this.
    pub backoff_last: u64,
    /// How often one looks whether something is ready: first after this time, then less and less often.
    pub ready_first: u64,
    /// And at least after this time.
    pub ready_last: u64,
    /// How long the state's lease lives without being renewed.
    pub lease: u64,
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
            call_timeout: 30_000,
            step_timeout: 600_000,
            step_longest: 14_400_000,
            tries: 5,
            backoff_first: 250,
            backoff_last: 8_000,
            ready_first: 100,
            ready_last: 2_000,
            lease: 60_000,
            batch: 200,
            seed: 0,
        }
    }
}

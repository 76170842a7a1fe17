use std::time::Duration;

/// The limits and timeouts of an engine. [`Default`] suits most uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The highest number of simultaneous steps, over all adapters.
    pub parallel: usize,
    /// The highest number of simultaneous requests to one adapter, if it does not request fewer.
    pub per_adapter: usize,
    /// The timeout of one request.
    pub call_timeout: Duration,
    /// The timeout of a step until its resource is as desired, if the adapter does not give one.
    pub step_timeout: Duration,
    /// The longest timeout that an adapter can request instead.
    pub step_longest: Duration,
    /// The number of times that a call is sent if it failed temporarily or its outcome is not known.
    pub tries: u32,
    /// The first pause before a call is sent again; each is twice as long as the one before, and half of it
    /// is random.
    pub backoff_first: Duration,
    /// The longest pause.
    pub backoff_last: Duration,
    /// The first interval at which readiness is polled; the intervals grow.
    pub ready_first: Duration,
    /// The longest interval.
    pub ready_last: Duration,
    /// The time to live of the state's lease without renewal.
    pub lease: Duration,
    /// The number of resources that are read in one request, if the adapter supports that.
    pub batch: usize,
    /// The seed of the jitter of retries.
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

use std::time::Duration;

use super::Client;
use crate::{AccessError, ErrorKind};

/// The limits for sending a request again, and the pauses before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// The most requests for one effect, those that read back not counted.
    pub attempts: u32,
    /// The time before the second request; each further one is twice as long.
    pub delay: Duration,
    /// The longest such time.
    pub longest: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self { attempts: 5, delay: Duration::from_millis(200), longest: Duration::from_secs(5) }
    }
}

/// The attempts of one effect.
pub(super) struct Attempts<'c> {
    client: &'c Client,
    made: u32,
}

impl<'c> Attempts<'c> {
    pub(super) const fn new(client: &'c Client) -> Self {
        Self { client, made: 0 }
    }

    /// Waits until the request can be sent again.
    ///
    /// # Errors
    /// The failure, if it was the last attempt.
    pub(super) async fn again(&mut self, error: AccessError) -> Result<(), AccessError> {
        let Retries { attempts, delay, longest } = self.client.retries;
        self.made += 1;
        if self.made >= attempts {
            return Err(error);
        }
        let doubled = delay.saturating_mul(2_u32.saturating_pow(self.made - 1)).min(longest);
        let timer = &self.client.timer;
        timer.sleep_until(timer.now() + error.retry_after.unwrap_or(doubled)).await;
        Ok(())
    }
}

/// True if a read, or a write whose effect is the same when it is executed twice, may succeed if it is sent again.
pub(super) const fn is_transient(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::ResourceExhausted | ErrorKind::Unavailable | ErrorKind::Unclear)
}

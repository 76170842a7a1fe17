use std::{rc::Rc, time::Duration};

use protocol::{Call, Reply, TransportError, read_reply_without};

use super::Remote;
use crate::Event;

/// The highest number of tokens that are tried for one call.
const MOST_TOKENS: u32 = 5;

impl Remote {
    /// Waits for a free slot and sends a call once; returns the parsed reply, and the number of the token
    /// that was used. `patience` is how long the adapter may hold the answer back.
    async fn exchange(&self, call: &Call, patience: Duration) -> (Reply, u64) {
        let gate = Rc::clone(&self.gate.borrow());
        // The semaphore is never closed.
        let _turn = gate.acquire().await;
        let (caller, token) = (self.caller.borrow().clone(), self.tokens.get());
        let _flight = self.flight();
        let sent = self.connection.transport.send(caller.request(call));
        let timeout = self.timing.settings.call_timeout.saturating_add(patience);
        let outcome = self.timing.within(timeout, sent).await.unwrap_or(Err(TransportError::TimedOut));
        // Some adapters repeat the request and its token.
        let outcome = outcome.map(|response| caller.hide_token(response));
        let mut reply = read_reply_without(call, outcome, &self.secrets.redactor());
        self.secrets.read(&mut reply);
        (reply, token)
    }

    /// Sends a call, and if it is unauthorized and another token can be had, sends it again with that token.
    pub(super) async fn send_authorized(&self, call: &Call, patience: Duration) -> Reply {
        for _ in 1..MOST_TOKENS {
            let (reply, token) = self.exchange(call, patience).await;
            if !matches!(reply, Reply::Unauthorized(_)) || !self.renew(token).await {
                return reply;
            }
        }
        self.exchange(call, patience).await.0
    }

    /// True if there is another token than the refused one. If many calls need one, only one requests it.
    async fn renew(&self, refused: u64) -> bool {
        let _one = self.renewing.lock().await;
        if self.tokens.get() != refused {
            return true;
        }
        (self.reported)(&Event::Unauthorized { adapter: self.connection.name.clone() });
        let Some(credentials) = &self.connection.credentials else { return false };
        let Some(token) = credentials(&self.connection.name).await else { return false };
        let renewed = self.caller.borrow().with_token(token);
        if *self.caller.borrow() == renewed {
            return false;
        }
        *self.caller.borrow_mut() = renewed;
        self.tokens.set(refused + 1);
        true
    }

    fn flight(&self) -> RequestInFlight<'_> {
        let now = self.in_flight.get() + 1;
        self.in_flight.set(now);
        let mut traffic = self.traffic.get();
        traffic.requests += 1;
        traffic.most_in_flight = traffic.most_in_flight.max(now);
        self.traffic.set(traffic);
        RequestInFlight(self)
    }
}

/// A request in flight.
struct RequestInFlight<'r>(&'r Remote);

impl Drop for RequestInFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.set(self.0.in_flight.get() - 1);
    }
}

use std::rc::Rc;

use protocol::{Call, Lost, Reply, Unclear, read_reply};

use super::Remote;

impl Remote {
    /// Sends a call once and waits for its turn before; how the answer reads. `patience` is how long the adapter may
    /// hold the answer back.
    pub(super) async fn exchange(&self, call: &Call, patience: u64) -> Reply {
        let gate = Rc::clone(&self.gate.borrow());
        // The gate is never closed.
        let _turn = gate.acquire().await;
        let request = self.caller.borrow().request(call);
        let _flight = self.flight();
        let sent = self.connection.transport.send(request);
        let timeout = self.pace.settings.call_timeout.saturating_add(patience);
        match self.pace.within(timeout, sent).await {
            Some(outcome) => read_reply(call, outcome),
            None => Reply::Unclear(Unclear::Lost(Lost::TimedOut)),
        }
    }

    /// As [`exchange`](Self::exchange), but where the adapter does not know who asks, and a new token can be had, again
    /// with that.
    pub(super) async fn ask(&self, call: &Call, patience: u64) -> Reply {
        loop {
            let reply = self.exchange(call, patience).await;
            if !matches!(reply, Reply::Unauthorized(_)) || !self.renew().await {
                return reply;
            }
        }
    }

    async fn renew(&self) -> bool {
        let Some(credentials) = &self.connection.credentials else { return false };
        let Some(token) = credentials(&self.connection.name).await else { return false };
        let renewed = self.caller.borrow().with_token(token);
        *self.caller.borrow_mut() = renewed;
        true
    }

    fn flight(&self) -> Flight<'_> {
        let now = self.in_flight.get() + 1;
        self.in_flight.set(now);
        let mut traffic = self.traffic.get();
        traffic.requests += 1;
        traffic.most_in_flight = traffic.most_in_flight.max(now);
        self.traffic.set(traffic);
        Flight(self)
    }
}

/// A request that is under way.
struct Flight<'r>(&'r Remote);

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.set(self.0.in_flight.get() - 1);
    }
}

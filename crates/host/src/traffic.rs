use std::{cell::Cell, rc::Rc};

/// The number of requests that a transport has sent so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Requests that were started.
    pub sent: u64,
    /// Requests that have neither been answered nor failed nor been cancelled.
    pub in_flight: usize,
    /// The maximum of `in_flight` so far.
    pub most_in_flight: usize,
}

/// Counts requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter(Rc<Cell<Traffic>>);

impl Meter {
    pub(crate) fn traffic(&self) -> Traffic {
        self.0.get()
    }

    /// Counts one more, until it is dropped.
    pub(crate) fn begin(&self) -> RequestInFlight {
        let mut traffic = self.0.get();
        traffic.sent += 1;
        traffic.in_flight += 1;
        traffic.most_in_flight = traffic.most_in_flight.max(traffic.in_flight);
        self.0.set(traffic);
        RequestInFlight(self.clone())
    }
}

/// A request in progress.
pub(crate) struct RequestInFlight(Meter);

impl Drop for RequestInFlight {
    fn drop(&mut self) {
        let mut traffic = self.0.traffic();
        traffic.in_flight -= 1;
        self.0.0.set(traffic);
    }
}

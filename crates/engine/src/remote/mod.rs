//! An adapter as the engine sees it: [`Reader`] can only read, [`Writer`] can also change.

mod exchange;
mod list;
mod operation;
mod read;
mod settle;
mod tries;
mod write;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use protocol::{Caller, Description, LocalFuture, Token, Transport};
use serde::Serialize;
use state::Adapter;
use tokio::sync::{Mutex, Semaphore};

use crate::{Event, Settings, retry_timing::RetryTiming, secrets::Secrets};

pub(crate) use settle::WriteProof;
pub(crate) use write::{Refusal, RefusalEffect, WriteOutcome};

/// A listener for events.
pub(crate) type EventListener = Rc<dyn Fn(&Event)>;

/// The address of an adapter and how to send requests to it.
pub struct Connection {
    /// Its name in this engine.
    pub name: String,
    /// The transport that sends the requests.
    pub transport: Rc<dyn Transport>,
    /// Its address and token.
    pub caller: Caller,
    /// Called for another token when the adapter refuses the current one; `None` ends the step.
    pub credentials: Option<Rc<Credentials>>,
}

/// Returns another token for the adapter of that name, or none.
pub type Credentials = dyn Fn(&str) -> LocalFuture<Option<Token>>;

impl Connection {
    /// A connection that is named after the adapter's address and has the caller's token only.
    pub fn new(caller: Caller, transport: Rc<dyn Transport>) -> Self {
        Self { name: caller.base().to_owned(), transport, caller, credentials: None }
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection")
            .field("name", &self.name)
            .field("caller", &self.caller)
            .finish_non_exhaustive()
    }
}

/// The traffic of one connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// Requests sent.
    pub requests: u64,
    /// The highest number of simultaneous requests.
    pub most_in_flight: usize,
}

/// Reads from an adapter. There is no method that changes anything.
#[derive(Clone)]
pub(crate) struct Reader(Rc<Remote>);

/// Reads from an adapter and changes its resources.
#[derive(Clone)]
pub(crate) struct Writer(Rc<Remote>);

struct Remote {
    connection: Connection,
    caller: RefCell<Caller>,
    /// The number of times that the token was replaced.
    tokens: Cell<u64>,
    renewing: Mutex<()>,
    description: RefCell<Option<Rc<Description>>>,
    describing: Mutex<()>,
    gate: RefCell<Rc<Semaphore>>,
    in_flight: Cell<usize>,
    traffic: Cell<Traffic>,
    timing: RetryTiming,
    reported: EventListener,
    secrets: Secrets,
}

impl Writer {
    pub(crate) fn new(
        connection: Connection,
        timing: RetryTiming,
        reported: EventListener,
        secrets: Secrets,
    ) -> Self {
        let gate = Rc::new(Semaphore::new(limit(&timing.settings, 0)));
        Self(Rc::new(Remote {
            caller: RefCell::new(connection.caller.clone()),
            connection,
            tokens: Cell::default(),
            renewing: Mutex::default(),
            description: RefCell::default(),
            describing: Mutex::default(),
            gate: RefCell::new(gate),
            in_flight: Cell::default(),
            traffic: Cell::default(),
            timing,
            reported,
            secrets,
        }))
    }

    /// True if that connection has the same adapter, transport and credentials.
    pub(crate) fn is_of(&self, connection: &Connection) -> bool {
        let own = &self.0.connection;
        own.name == connection.name && own.caller == connection.caller
    }

    /// The same adapter, for reading only.
    pub(crate) fn reader(&self) -> Reader {
        Reader(self.0.clone())
    }
}

impl Reader {
    pub(crate) fn name(&self) -> &str {
        &self.0.connection.name
    }

    pub(crate) fn traffic(&self) -> Traffic {
        self.0.traffic.get()
    }

    /// The instance that the adapter last reported; empty if it reported none.
    pub(crate) fn instance(&self) -> String {
        self.0.description.borrow().as_ref().map(|it| it.instance.clone()).unwrap_or_default()
    }

    /// The adapter as it is recorded.
    pub(crate) fn adapter(&self) -> Adapter {
        let name = self.0.description.borrow().as_ref().map(|it| it.name.clone());
        let address = self.name().to_owned();
        Adapter {
            instance: self.instance(),
            name: name.unwrap_or_else(|| address.clone()),
            address,
            ..Adapter::default()
        }
    }

    /// True if both are the same connection.
    pub(crate) fn is_one_with(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// True if both are connected to the same adapter, possibly over two connections.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.0.connection.caller.base() == other.0.connection.caller.base()
    }
}

/// The number of simultaneous requests: as many as the engine allows, unless the adapter requests fewer.
fn limit(settings: &Settings, requested: u32) -> usize {
    let own = settings.per_adapter.max(1);
    if requested == 0 { own } else { own.min(requested as usize) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases: the engine's limit, the adapter's limit, and the effective limit.
    #[test]
    fn simultaneous_requests_stay_within_both_limits() {
        for (per_adapter, requested, expected) in
            [(10, 0, 10), (10, 4, 4), (10, 20, 10), (0, 0, 1), (0, 7, 1), (3, 1, 1)]
        {
            let settings = Settings { per_adapter, ..Settings::default() };
            assert_eq!(limit(&settings, requested), expected, "{per_adapter} {requested}");
        }
    }
}

//! An adapter as the engine sees it: [`Reader`] can only ask, [`Writer`] can also change.

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

/// Who is told of what happens.
pub(crate) type EventListener = Rc<dyn Fn(&Event)>;

/// Where an adapter is and how to talk to it.
pub struct Connection {
    /// What it is called here.
    pub name: String,
    /// What sends the requests.
    pub transport: Rc<dyn Transport>,
    /// Its address and token.
    pub caller: Caller,
    /// Asked for another token when the adapter does not take the one it got; `None` ends the step.
    pub credentials: Option<Rc<Credentials>>,
}

/// Gives another token for the adapter of that name, or none.
pub type Credentials = dyn Fn(&str) -> LocalFuture<Option<Token>>;

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
    /// The most at a time.
    pub most_in_flight: usize,
}

/// Asks an adapter. There is no method that changes anything.
#[derive(Clone)]
pub(crate) struct Reader(Rc<Remote>);

/// Asks an adapter, and has it change things.
#[derive(Clone)]
pub(crate) struct Writer(Rc<Remote>);

struct Remote {
    connection: Connection,
    caller: RefCell<Caller>,
    /// How often the token was another.
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

    /// Whether that connection leads to the same adapter in the same way.
    pub(crate) fn is_of(&self, connection: &Connection) -> bool {
        let own = &self.0.connection;
        own.name == connection.name && own.caller == connection.caller
    }

    /// The same adapter, only to be asked.
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

    /// Which adapter it said it is when it was asked last; empty where it did not.
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

    /// Whether both are one connection.
    pub(crate) fn is_one_with(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Whether both ask the same adapter, be it over two connections.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.0.connection.caller.base() == other.0.connection.caller.base()
    }
}

/// How many requests at a time: as many as the engine allows, unless the adapter wants fewer.
fn limit(settings: &Settings, wanted: u32) -> usize {
    let own = settings.per_adapter.max(1);
    if wanted == 0 { own } else { own.min(wanted as usize) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By what the engine allows and the adapter wants.
    #[test]
    fn there_are_no_more_requests_at_a_time_than_both_want() {
        for (per_adapter, wanted, expected) in
            [(10, 0, 10), (10, 4, 4), (10, 20, 10), (0, 0, 1), (0, 7, 1), (3, 1, 1)]
        {
            let settings = Settings { per_adapter, ..Settings::default() };
            assert_eq!(limit(&settings, wanted), expected, "{per_adapter} {wanted}");
        }
    }
}

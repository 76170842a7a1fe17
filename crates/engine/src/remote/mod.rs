//! An adapter as the engine sees it: [`Reader`] can only ask, [`Writer`] can also change.

mod exchange;
mod read;
mod settle;
mod write;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use protocol::{Caller, Description, LocalFuture, Token, Transport};
use serde::Serialize;
use tokio::sync::Semaphore;

use crate::{Settings, pace::Pace};

pub(crate) use write::Written;

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

/// What went over one connection.
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
    description: RefCell<Option<Rc<Description>>>,
    gate: RefCell<Rc<Semaphore>>,
    in_flight: Cell<usize>,
    traffic: Cell<Traffic>,
    pace: Pace,
}

impl Writer {
    pub(crate) fn new(connection: Connection, pace: Pace) -> Self {
        let gate = Rc::new(Semaphore::new(limit(&pace.settings, 0)));
        Self(Rc::new(Remote {
            caller: RefCell::new(connection.caller.clone()),
            connection,
            description: RefCell::default(),
            gate: RefCell::new(gate),
            in_flight: Cell::default(),
            traffic: Cell::default(),
            pace,
        }))
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
}

/// How many requests at a time: as many as the engine allows, unless the adapter wants fewer.
fn limit(settings: &Settings, wanted: u32) -> usize {
    let own = settings.per_adapter.max(1);
    if wanted == 0 { own } else { own.min(wanted as usize) }
}

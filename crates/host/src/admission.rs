//! Admission of connections: those that have sent a token, and a few of all others.
//!
//! Every program of this machine can open connections. Connections without a token therefore have few slots,
//! and a new one replaces the oldest of them. They cannot take the slots of connections with a token. Peers
//! are not counted separately: all are this machine, and a program can choose any address of the loopback.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    sync::Arc,
};

use tokio::{
    select,
    sync::{Notify, OwnedSemaphorePermit, Semaphore},
    time::{Instant, sleep_until},
};

use crate::Limits;

/// All connections of a server.
#[derive(Clone)]
pub(crate) struct Admission(Rc<Inner>);

struct Inner {
    limits: Limits,
    /// The slots of connections with a token.
    known: Arc<Semaphore>,
    /// The slots of connections whose responses come in parts.
    streams: Arc<Semaphore>,
    strangers: RefCell<UnauthenticatedConnections>,
    /// Notifies that a connection without a token was closed, or has sent a token.
    left: Notify,
}

/// Connections that have not sent a token, the one that was idle the longest first.
#[derive(Default)]
struct UnauthenticatedConnections {
    by_turn: BTreeMap<u64, UnauthenticatedConnection>,
    next: u64,
}

struct UnauthenticatedConnection {
    /// The time at which it was opened, or last sent a request.
    since: Instant,
    evict: Rc<Notify>,
}

/// The slot of one connection, which is free when this is dropped.
pub(crate) struct ConnectionSlot {
    admission: Admission,
    /// Its number among the connections without a token.
    turn: Cell<Option<u64>>,
    permit: RefCell<Option<OwnedSemaphorePermit>>,
    evict: Rc<Notify>,
}

impl Admission {
    pub(crate) fn new(limits: Limits) -> Self {
        let known = Arc::new(Semaphore::new(limits.connections));
        let streams = Arc::new(Semaphore::new(limits.streams));
        let strangers = RefCell::default();
        Self(Rc::new(Inner { limits, known, streams, strangers, left: Notify::new() }))
    }

    /// The number of connections with a token, and of the others.
    pub(crate) fn count(&self) -> (usize, usize) {
        let known = self.0.limits.connections - self.0.known.available_permits();
        (known, self.0.strangers.borrow().by_turn.len())
    }

    /// Waits until one more connection can be accepted. If all slots without a token are in use, the
    /// connection that was idle the longest is closed, but not before it had time to send a request.
    pub(crate) async fn room(&self) {
        drop(self.0.known.acquire().await);
        loop {
            let left = self.0.left.notified();
            let Some(since) = self.oldest() else { return };
            let until = since + self.0.limits.grace;
            if until <= Instant::now() {
                return self.evict();
            }
            select! {
                () = left => {}
                () = sleep_until(until) => {}
            }
        }
    }

    /// The time since which the oldest connection without a token is idle, if all their slots are in use.
    fn oldest(&self) -> Option<Instant> {
        let strangers = self.0.strangers.borrow();
        let is_full = strangers.by_turn.len() >= self.0.limits.strangers;
        strangers.by_turn.first_key_value().filter(|_| is_full).map(|(_, it)| it.since)
    }

    fn evict(&self) {
        if let Some((_, stranger)) = self.0.strangers.borrow_mut().by_turn.pop_first() {
            stranger.evict.notify_one();
        }
    }

    /// Adds a new connection, which counts as one without a token.
    pub(crate) fn enter(&self) -> ConnectionSlot {
        let place = ConnectionSlot {
            admission: self.clone(),
            turn: Cell::default(),
            permit: RefCell::default(),
            evict: Rc::default(),
        };
        place.take_turn();
        place
    }

    fn leave(&self, turn: Option<u64>) {
        if let Some(turn) = turn {
            self.0.strangers.borrow_mut().by_turn.remove(&turn);
            self.0.left.notify_one();
        }
    }
}

impl ConnectionSlot {
    fn take_turn(&self) {
        let mut strangers = self.admission.0.strangers.borrow_mut();
        strangers.next += 1;
        let turn = strangers.next;
        strangers
            .by_turn
            .insert(turn, UnauthenticatedConnection { since: Instant::now(), evict: self.evict.clone() });
        self.turn.set(Some(turn));
    }

    /// Records that it has sent a request without a token.
    pub(crate) fn renew(&self) {
        if self.permit.borrow().is_none() && self.turn.get().is_some() {
            self.admission.leave(self.turn.take());
            self.take_turn();
        }
    }

    /// Records that it has sent a token: it waits until there is a slot for connections with a token, and
    /// takes it.
    pub(crate) async fn recognise(&self) {
        if self.permit.borrow().is_some() {
            return;
        }
        self.admission.leave(self.turn.take());
        let permit = self.admission.0.known.clone().acquire_owned().await;
        // The semaphore is never closed.
        self.permit.replace(permit.ok());
    }

    /// Takes a slot for responses that come in parts instead of the one that it has; false if there is none.
    pub(crate) fn stream(&self) -> bool {
        let permit = self.admission.0.streams.clone().try_acquire_owned().ok();
        let is_there = permit.is_some();
        if is_there {
            self.admission.leave(self.turn.take());
            self.permit.replace(permit);
        }
        is_there
    }

    /// Returns when its slot is given to another connection.
    pub(crate) async fn evicted(&self) {
        self.evict.notified().await;
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.admission.leave(self.turn.take());
    }
}

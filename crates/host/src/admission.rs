//! Which connections are served: those that have shown a token, and a few of all others.
//!
//! Every program of this machine can open connections, so who is not known yet has few places, and loses the oldest of
//! them to who comes later. The places of those who are known cannot be taken by others. Peers are not counted apart: all
//! are this machine, and a program chooses freely which address of the loopback it comes from.

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
    /// The places of those who are known.
    known: Arc<Semaphore>,
    strangers: RefCell<UnauthenticatedConnections>,
    /// A stranger left, or is one no more.
    left: Notify,
}

/// Connections that have not shown a token, the one that was quiet the longest first.
#[derive(Default)]
struct UnauthenticatedConnections {
    by_turn: BTreeMap<u64, UnauthenticatedConnection>,
    next: u64,
}

struct UnauthenticatedConnection {
    /// When it came, or last asked for something.
    since: Instant,
    evict: Rc<Notify>,
}

/// The place of one connection, which is free when this is dropped.
pub(crate) struct ConnectionSlot {
    admission: Admission,
    /// Its turn among the strangers.
    turn: Cell<Option<u64>>,
    permit: RefCell<Option<OwnedSemaphorePermit>>,
    evict: Rc<Notify>,
}

impl Admission {
    pub(crate) fn new(limits: Limits) -> Self {
        let known = Arc::new(Semaphore::new(limits.connections));
        let strangers = RefCell::default();
        Self(Rc::new(Inner { limits, known, strangers, left: Notify::new() }))
    }

    /// How many connections there are that have shown a token, and how many others.
    pub(crate) fn count(&self) -> (usize, usize) {
        let known = self.0.limits.connections - self.0.known.available_permits();
        (known, self.0.strangers.borrow().by_turn.len())
    }

    /// Waits until one more connection can be taken. Where strangers have all their places, the one that was quiet the
    /// longest loses its own, but not before it had time to ask for something.
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

    /// Since when the oldest stranger is quiet, where all their places are taken.
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

    /// A new connection, of which nothing is known yet.
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

    /// It asks for something without showing a token.
    pub(crate) fn renew(&self) {
        if self.permit.borrow().is_none() && self.turn.get().is_some() {
            self.admission.leave(self.turn.take());
            self.take_turn();
        }
    }

    /// It has shown a token: it is counted among the known, and waits until there is a place among them.
    pub(crate) async fn recognise(&self) {
        if self.permit.borrow().is_some() {
            return;
        }
        self.admission.leave(self.turn.take());
        let permit = self.admission.0.known.clone().acquire_owned().await;
        // It is never closed.
        self.permit.replace(permit.ok());
    }

    /// Ends when its place is given to somebody else.
    pub(crate) async fn evicted(&self) {
        self.evict.notified().await;
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.admission.leave(self.turn.take());
    }
}

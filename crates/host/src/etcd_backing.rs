//! The resources of a store in etcd, through its JSON gateway.
//!
//! The keys, under a common prefix:
//!
//! ```text
//! counters                        the counters of the store, and the write that has set them
//! resources/NAMESPACE/KIND/ID     a resource: its metadata as JSON, a tab, and its spec as canonical JSON
//! ```
//!
//! where `/` and `%` in the name of a kind are `%2F` and `%25`. The format is named in `counters`; another one is
//! refused.
//!
//! # Guarantees
//!
//! Each write is one transaction of etcd, of one or more transactions of the store, with the condition that
//! `counters` was last written by this process. So the content is always the state after some transaction, and two
//! processes never both write: a process that opens it writes `counters`, and a process that had opened it before cannot write
//! any more. After a process was killed nothing is needed; another one takes over at once. The content that the former process
//! has in memory is then out of date: an [`EtcdOwnership`] finds that out, within ten seconds even if etcd cannot be reached.
//!
//! A write whose answer was lost is sent again. If there is no answer at all, the write is reported as failed, and
//! is settled before the next one: if it has happened after all, it is reverted, as nobody has seen it.

mod blocking;
mod counters;
mod group;
mod keys;
mod load;
mod ownership;
mod settle;

use std::{fmt, rc::Rc, sync::Arc, time::Instant};

use protocol::Transport;
use state::etcd::{
    EtcdOptions,
    wire::{Condition, Keys, Outcome, Transaction, TransactionOp},
};
use store::{BackingStore, Change, ChangeCheck, Commit, Counters, Resource};

use crate::{HttpTransport, TransportOptions};
use blocking::BlockingGateway;
use counters::Writes;
use group::Group;
use keys::Names;
use settle::Attempt;

pub use ownership::{EtcdOwnership, OwnershipEnd};

/// The number of rounds in which all members are tried: about three seconds.
const ROUNDS: u32 = 6;
/// The number of times that a write is sent again after the outcome of an earlier one was settled.
const TRIES: usize = 4;

/// The resources of a store in etcd, under a prefix of their own. Its methods wait for the network; they can be called
/// in any thread.
pub struct EtcdBacking {
    gateway: BlockingGateway,
    names: Names,
    endpoints: Vec<String>,
    /// The addresses and the prefix, for messages.
    place: String,
    writes: Writes,
    counters: Counters,
    /// The revision of etcd at which `counters` was last written by this process; 0 if nothing was.
    known: i64,
    /// Writes without an answer since then. At most one of them has happened, or none.
    unsettled: Vec<Attempt>,
}

impl EtcdBacking {
    /// The resources under a prefix, which may be none yet, of the cluster with members at these addresses:
    /// `http://10.0.0.1:2379`. Nothing is read yet.
    ///
    /// # Errors
    /// An error message for people, if the system has no means to send requests.
    pub fn open<E: Into<String>>(
        endpoints: impl IntoIterator<Item = E>,
        prefix: &str,
    ) -> Result<Self, String> {
        Self::open_over(endpoints, prefix, ROUNDS, || {
            let transport = HttpTransport::new(TransportOptions::default());
            transport.map(|it| Rc::new(it) as _).map_err(|why| format!("cannot set up TLS: {why}"))
        })
    }

    /// The same over another transport, which is made in the thread that uses it. All members are tried `rounds`
    /// times.
    ///
    /// # Errors
    /// That of `transport`, or if no thread can be started.
    pub fn open_over<E: Into<String>>(
        endpoints: impl IntoIterator<Item = E>,
        prefix: &str,
        rounds: u32,
        transport: impl FnOnce() -> Result<Rc<dyn Transport>, String> + Send + 'static,
    ) -> Result<Self, String> {
        let endpoints: Vec<String> = endpoints.into_iter().map(Into::into).collect();
        let place = format!("etcd at {}, prefix `{prefix}`", endpoints.join(" and "));
        let members = endpoints.clone();
        let options = move || EtcdOptions { rounds, ..EtcdOptions::at(members, String::new()) };
        Ok(Self {
            endpoints,
            names: Names::new(prefix),
            place,
            writes: Writes::new()?,
            counters: Counters::default(),
            known: 0,
            unsettled: Vec::new(),
            gateway: BlockingGateway::start(options, transport)?,
        })
    }

    /// The check whether another process has opened the store since this one. To be called before the store is opened.
    pub fn ownership(&self) -> EtcdOwnership {
        EtcdOwnership {
            endpoints: self.endpoints.clone(),
            key: self.names.counters().to_owned(),
            process: self.writes.process().to_owned(),
            since: Instant::now(),
        }
    }

    /// Writes these operations and the counters, if no other process has written.
    fn write(
        &mut self,
        operations: &[TransactionOp],
        keys: Vec<String>,
        counters: Counters,
    ) -> Result<(), String> {
        let value = self.writes.value(counters);
        for _ in 0..TRIES {
            match self.transact(operations, &value, self.known) {
                Ok(outcome) if outcome.happened => return self.settled(outcome.revision),
                Ok(outcome) => match outcome.one(0) {
                    // It has happened when it was sent before, and that answer was lost.
                    Some(pair) if pair.value == value => return self.settled(pair.modified),
                    found => self.resolve(found)?,
                },
                Err(failed) if failed.is_open => {
                    self.unsettled.push(Attempt { value, keys });
                    return Err(failed.why);
                }
                Err(failed) => return Err(failed.why),
            }
        }
        Err(format!("{}: earlier writes keep arriving late; try again", self.place))
    }

    /// Executes operations and sets the counters if these were last written at a revision; otherwise reads them.
    fn transact(
        &self,
        operations: &[TransactionOp],
        value: &[u8],
        known: i64,
    ) -> Result<Outcome, blocking::Failed> {
        let counters = self.names.counters();
        let mut deeds = operations.to_vec();
        deeds.push(TransactionOp::put(counters, value));
        self.gateway.transact(&Transaction {
            conditions: vec![Condition::Modified(counters.to_owned(), known)],
            deeds,
            otherwise: vec![TransactionOp::Read(Keys::One(counters.to_owned()))],
        })
    }

    /// After a write at a revision.
    fn settled(&mut self, known: i64) -> Result<(), String> {
        self.known = known;
        // Those that arrive later find that the counters were written since.
        self.unsettled.clear();
        Ok(())
    }
}

impl BackingStore for EtcdBacking {
    fn load(&mut self, each: &mut dyn FnMut(Resource)) -> Result<Counters, String> {
        self.read_all(each)
    }

    fn commit(&mut self, changes: &[Change], counters: Counters) -> Result<(), String> {
        self.commit_many(&[Commit { changes: changes.to_vec(), counters }]).map(drop)
    }

    fn commit_many(&mut self, commits: &[Commit]) -> Result<usize, String> {
        self.settle()?;
        let Group { operations, keys, count } = Group::of(&self.names, commits)?;
        let last = commits.get(count.saturating_sub(1)).map_or(self.counters, |it| it.counters);
        self.write(&operations, keys, last)?;
        self.counters = last;
        Ok(count)
    }

    fn check(&self) -> Option<ChangeCheck> {
        let names = self.names.clone();
        Some(Arc::new(move |changes: &[Change]| group::check(&names, changes)))
    }
}

impl fmt::Debug for EtcdBacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EtcdBacking").field(&self.place).finish()
    }
}

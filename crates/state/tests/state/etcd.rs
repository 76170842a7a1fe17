//! The keys in etcd, and the client's handling of faults. The host's tests run against a real etcd.

mod damage;
mod faults;
mod server;
mod sizes;
mod writers;

use std::rc::Rc;

use futures::executor::block_on;
use planloom_state::{
    Backend, BackendError, Change, Commit, Lease, Snapshot,
    etcd::{EtcdBackend, EtcdOptions},
    testing::{LeapingTimer, claim, entry},
};

pub(crate) use server::{EtcdServer, Fault};

const START: i64 = 1_700_000_000_000;

/// A client that holds the lock, and what it expects to be kept.
struct Writer {
    backend: EtcdBackend,
    lease: Lease,
    snapshot: Snapshot,
}

struct Rig {
    server: EtcdServer,
    timer: Rc<LeapingTimer>,
    options: EtcdOptions,
}

impl Rig {
    fn new() -> Self {
        let timer = Rc::new(LeapingTimer::at(START));
        let options = EtcdOptions::at(["http://a", "http://b/", "http://c"], "shop/");
        Self { server: EtcdServer::new(timer.clone()), timer, options }
    }

    fn open(&self) -> EtcdBackend {
        EtcdBackend::new(Rc::new(self.server.clone()), self.timer.clone(), self.options.clone())
    }

    fn writer(&self, who: &str) -> Writer {
        let backend = self.open();
        let lease = block_on(backend.acquire(claim(who, START, 60_000))).expect("it is not held");
        Writer { backend, lease, snapshot: Snapshot::new("shop", "l") }
    }

    /// Takes the lock away from its holder and continues from the current state.
    fn successor(&self, of: &Writer, who: &str) -> Writer {
        block_on(of.backend.unlock(&of.lease.holder.id)).expect("it is held");
        Writer { snapshot: of.snapshot.clone(), ..self.writer(who) }
    }

    /// The paths of the requests so far.
    fn paths(&self) -> Vec<String> {
        let path = |(to, _): (String, _)| to.split_once("/v3").map(|it| it.1.to_owned()).unwrap_or(to);
        self.server.requests().into_iter().map(path).collect()
    }
}

impl Writer {
    fn keep(&mut self, changes: Vec<Change>) -> Result<(), BackendError> {
        let commit = Commit { serial: self.snapshot.serial + 1, changes };
        let mut after = self.snapshot.clone();
        after.take(&commit);
        block_on(self.backend.commit(&self.lease, Rc::new(commit), Rc::new(after.clone())))?;
        self.snapshot = after;
        Ok(())
    }

    fn put(&mut self, address: &str, word: &str) -> Result<(), BackendError> {
        self.keep(vec![Change::Put(address.into(), Box::new(entry(word)))])
    }

    fn checkpoint(&self) -> Result<(), BackendError> {
        block_on(self.backend.checkpoint(&self.lease, Rc::new(self.snapshot.clone())))
    }

    /// Checks that it and a new client read what is expected.
    fn check(&self, rig: &Rig) {
        for backend in [&self.backend, &rig.open()] {
            assert_eq!(block_on(backend.load()), Ok(Some(self.snapshot.clone())));
        }
    }
}

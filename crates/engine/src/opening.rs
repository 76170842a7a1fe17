use std::collections::BTreeMap;

use state::{Claim, Snapshot};
use store::{Kind, Query, whole_millis};

use crate::{
    Engine, EngineError, Event, Stop,
    kinds::{self, ResourceSpec, THE_ONE},
    recover::recover,
    unreachable_adapter::UnreachableAdapter,
};

impl Engine {
    /// Reads the state, for inspection and planning only. Acquires no lease and writes nothing.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn inspect(&self) -> Result<(), EngineError> {
        self.0.context.ledger.load(self.new_snapshot()).await?;
        self.0.context.unsettled.borrow_mut().clear();
        self.mirror_recorded()?;
        self.opened();
        Ok(())
    }

    /// Determines the outcome of what an interrupted run had started, after [`inspect`](Self::inspect): plans
    /// take it into account, as in a run that records it first. Nothing is written.
    ///
    /// # Errors
    /// If an adapter cannot report.
    pub async fn inspect_begun(&self) -> Result<(), EngineError> {
        self.0.context.ledger.rehearse();
        self.settle().await?;
        self.unsettled_error().map_or(Ok(()), Err)
    }

    /// Acquires the lease, reads the state, and determines the outcome of what an earlier run had started.
    ///
    /// # Errors
    /// If the state is held by another process, it cannot be read, or an adapter cannot report an outcome.
    /// The lease is released in these cases.
    pub async fn open(&self, operation: &str) -> Result<(), EngineError> {
        self.open_held(operation, false).await
    }

    /// Like [`open`](Self::open), but resources of unreachable adapters are left alone until these can
    /// report, as in [`plan_skipping_unreachable`](Self::plan_skipping_unreachable).
    ///
    /// # Errors
    /// If the state is held by another process, or it cannot be read. The lease is released in these cases.
    pub async fn open_skipping_unreachable(&self, operation: &str) -> Result<(), EngineError> {
        self.open_held(operation, true).await
    }

    async fn open_held(&self, operation: &str, around: bool) -> Result<(), EngineError> {
        let context = &self.0.context;
        let (now, ttl) = (context.timing.now().0, whole_millis(context.timing.settings.lease));
        let claim =
            Claim { id: context.name(), who: self.0.who.clone(), operation: operation.to_owned(), now, ttl };
        context.ledger.acquire(claim).await?;
        context.stop.send_replace(Stop::No);
        self.put(kinds::leases().key(THE_ONE), &true)?;
        let opened = self.read_held(around).await;
        if opened.is_err() {
            self.close().await?;
        }
        opened
    }

    async fn read_held(&self, around: bool) -> Result<(), EngineError> {
        self.0.context.ledger.load(self.new_snapshot()).await?;
        self.settle().await?;
        match self.unsettled_error().filter(|_| !around) {
            Some(error) => Err(error),
            None => {
                self.opened();
                Ok(())
            }
        }
    }

    /// Determines the outcomes of started writes, as far as adapters can report them.
    pub(crate) async fn settle(&self) -> Result<(), EngineError> {
        let unsettled = recover(&self.0.context, &self.0.readers).await?;
        *self.0.context.unsettled.borrow_mut() = unsettled;
        self.mirror_recorded()
    }

    /// The error that an adapter could not report the outcome of a started write, if so.
    fn unsettled_error(&self) -> Option<EngineError> {
        self.0.context.unsettled.borrow().first().map(UnreachableAdapter::unsettled_error)
    }

    fn new_snapshot(&self) -> Snapshot {
        let context = &self.0.context;
        Snapshot::new(context.deployment_name(), context.name())
    }

    fn opened(&self) {
        let snapshot = self.snapshot();
        let (serial, resources) = (snapshot.serial, snapshot.resources.len());
        self.0.context.notify(&Event::Opened { serial, resources });
    }

    pub(crate) fn mirror_recorded(&self) -> Result<(), EngineError> {
        let snapshot = self.snapshot();
        let entries = snapshot.resources.iter().map(|(address, entry)| {
            let (kind, phase) = (entry.kind.clone(), Some(entry.phase.clone()));
            (address.clone(), ResourceSpec { kind, phase, message: None })
        });
        self.mirror(&kinds::recorded(), entries.collect())
    }

    /// Releases the state.
    ///
    /// # Errors
    /// If the backend cannot be reached; the lease then expires by itself.
    pub async fn close(&self) -> Result<(), EngineError> {
        self.remove(&kinds::leases().key(THE_ONE))?;
        Ok(self.0.context.ledger.release().await?)
    }

    /// Replaces the resources of a kind.
    pub(crate) fn mirror(
        &self,
        kind: &Kind,
        resources: BTreeMap<String, ResourceSpec>,
    ) -> Result<(), EngineError> {
        for resource in self.0.store.list(kind, &Query::all()).iter() {
            if !resources.contains_key(&**resource.id()) {
                self.remove(resource.key())?;
            }
        }
        resources.into_iter().try_for_each(|(id, spec)| self.put(kind.key(id), &spec))
    }
}

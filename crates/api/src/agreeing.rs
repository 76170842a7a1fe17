//! Writes that other deployments have to agree to, by the protocol of [`regions::references`].

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use integrity::{Agreements, Blocker, BrokenReference, IntegrityError, Outcome, RemoteReference, Work};
use regions::{
    Deployment,
    references::{ReferenceId, Reply, Request, Saving, Status, Tentatives, Unchecked},
};
use store::Key;

use crate::{Api, Neighbors, Problem, methods::written::Refusal};

/// The number of attempts to agree on a write, if others change what was agreed on.
const ATTEMPTS: usize = 10;

/// A write on its way to an agreement. While it exists, its transaction is open.
pub(crate) struct Agreeing {
    api: Rc<Api>,
    neighbors: Neighbors,
    /// The deployment that writes.
    source: Deployment,
    open: BTreeSet<u64>,
    wanted: BTreeMap<Key, RemoteReference>,
    agreements: Agreements,
}

impl Agreeing {
    /// A write of a resource of a service.
    pub(crate) fn new(api: Rc<Api>, neighbors: Neighbors, service: &str) -> Self {
        let source = Deployment { service: service.into(), region: neighbors.topology.own.clone() };
        let (open, wanted, agreements) = (BTreeSet::new(), BTreeMap::new(), Agreements::default());
        Self { api, neighbors, source, open, wanted, agreements }
    }

    /// Tries a write until other deployments have agreed to it.
    ///
    /// # Errors
    /// The refusal, if they do not agree or if that was not the reason.
    pub(crate) async fn agreed<T>(
        mut self,
        mut attempt: impl AsyncFnMut(&Agreements) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        for _ in 0..ATTEMPTS {
            match attempt(&self.agreements).await {
                Err(Refusal::Integrity(IntegrityError::Unestablished { references })) => {
                    self.establish(references).await?;
                }
                Err(Refusal::Integrity(IntegrityError::Unchecked { keys, missing })) => {
                    self.check(keys, missing).await?;
                }
                done => return done,
            }
        }
        attempt(&self.agreements).await
    }

    async fn establish(&mut self, references: Vec<RemoteReference>) -> Result<(), Refusal> {
        self.wanted.extend(references.into_iter().map(|it| (it.target.clone(), it)));
        let number = (self.api.ids)();
        self.open.insert(number);
        self.api.open.borrow_mut().insert(number);
        let id = ReferenceId { source: self.source.clone(), number };
        let targets = self.wanted.values().map(|it| (it.target.clone(), it.owner.clone()));
        let mut saving = Saving::new(id, targets);
        for (owner, request) in saving.requests().collect::<Vec<_>>() {
            let reply = self.send(&owner, &request).await?;
            saving.reply(request.key(), &reply);
        }
        let broken: Vec<BrokenReference> = saving.refused().iter().filter_map(|it| self.broken(it)).collect();
        if !broken.is_empty() {
            return Err(IntegrityError::BrokenReferences { broken }.into());
        }
        self.agreements.saving = Some(saving);
        Ok(())
    }

    fn broken(&self, refused: &regions::references::Refused<Key>) -> Option<BrokenReference> {
        let RemoteReference { referrer, place, target, .. } = self.wanted.get(&refused.key)?.clone();
        Some(BrokenReference { referrer, place, target, deleting: refused.deleting })
    }

    async fn check(&mut self, keys: Vec<Key>, missing: Unchecked<Deployment, Key>) -> Result<(), Refusal> {
        let begun = match missing {
            Unchecked::Tentative(tentative) => Err(tentative),
            Unchecked::Sources(_) => self.api.transactions.begin_checking(&keys),
        };
        let mut checking = match begun {
            Ok(checking) => checking,
            Err(tentative) => return self.resolve(tentative).await,
        };
        for (source, request) in checking.requests().collect::<Vec<_>>() {
            let reply = self.send(&source, &request).await?;
            checking.reply(&source, request.key(), &reply);
        }
        let blocker = |(target, it): &(Key, regions::references::Blocker<Key>)| Blocker {
            target: target.clone(),
            referrer: it.referrer.clone(),
            place: it.place.clone(),
        };
        let blockers: Vec<Blocker> = checking.blockers().iter().map(blocker).collect();
        if !blockers.is_empty() {
            return Err(IntegrityError::Blocked { blockers }.into());
        }
        self.agreements.checking = checking;
        Ok(())
    }

    /// Asks what has become of the transactions that will refer to what is deleted.
    async fn resolve(&self, tentative: Tentatives<Deployment, Key>) -> Result<(), Refusal> {
        for (key, id) in tentative {
            let source = id.source.clone();
            let request = Request::Status { id, key };
            let reply = self.send(&source, &request).await?;
            if reply == (Reply::Status { status: Status::Open }) {
                let detail = format!("a resource of {source} is about to refer to it; send it again");
                return Err(Problem::aborted(detail).into());
            }
            self.api.transactions.take_reply(&source, &request, &reply).await?;
        }
        Ok(())
    }

    async fn send(&self, to: &Deployment, request: &Request<Deployment, Key>) -> Result<Reply<Key>, Refusal> {
        let reply = self.neighbors.peers.send(to, request).await;
        reply.map_err(|why| Problem::unavailable(format!("{to}, which has to agree, {why}")).into())
    }
}

impl Drop for Agreeing {
    fn drop(&mut self) {
        let mut open = self.api.open.borrow_mut();
        open.retain(|it| !self.open.contains(it));
    }
}

impl Api {
    /// Does some work, with the agreement of other deployments; false if it cannot be done.
    pub(crate) async fn perform_agreed(self: &Rc<Self>, neighbors: &Neighbors, work: &Work) -> bool {
        let agreeing = Agreeing::new(self.clone(), neighbors.clone(), &work.key().kind.namespace);
        let done = agreeing.agreed(async |agreements| {
            let (outcome, submitted) = self.transactions.submit_agreed_work(agreements, work);
            submitted.await?;
            Ok(matches!(outcome, Outcome::Done(_)))
        });
        done.await.unwrap_or_default()
    }

    /// Sends the requests that records demand, and uses the replies; false if that has changed nothing.
    pub(crate) async fn send_owed(&self) -> bool {
        let Some(neighbors) = &self.neighbors else { return false };
        let mut is_changed = false;
        for (to, request) in self.transactions.owed() {
            let Ok(reply) = neighbors.peers.send(&to, &request).await else { continue };
            let submitted = self.transactions.take_reply(&to, &request, &reply);
            is_changed |= submitted.await.is_ok_and(|it| !it.resources.is_empty());
        }
        is_changed
    }

    /// The reply to a request of another deployment, once everything that it speaks of is kept.
    ///
    /// # Errors
    /// 503 if it cannot be kept.
    pub async fn reply_to(&self, request: Request<Deployment, Key>) -> Result<Reply<Key>, Problem> {
        let is_open = request.number().is_some_and(|it| self.open.borrow().contains(&it));
        let (reply, submitted) = self.transactions.reply_to(&request, is_open);
        match submitted.await {
            Ok(_) => Ok(reply),
            Err(error) => Err(Problem::unavailable(error.to_string())),
        }
    }
}

//! Requests of other deployments, and those that are owed to them.

use regions::{
    Deployment,
    references::{Checking, Reply, Request, Tentatives, answer, confirmations, questions, take},
};
use store::Key;

use crate::{IntegrityError, Submitted, Transactions, records, records::StoredRecords};

/// The time, in milliseconds, after which the source of a reference is asked whether it has committed it (Goten's guide: at
/// most 5 minutes).
const PATIENCE: i64 = 60_000;

impl Transactions {
    /// The reply to a request of another deployment. It may be sent when what is submitted is kept, and not before: it
    /// speaks of everything that was submitted until then. `is_open` says whether the transaction that the request is about is
    /// in progress here.
    pub fn reply_to(
        &self,
        request: &Request<Deployment, Key>,
        is_open: bool,
    ) -> (Reply<Key>, Submitted<IntegrityError>) {
        let mut reply = Reply::Missing;
        let submitted = self.submit(|commit| {
            let now = commit.stored().now().0;
            reply = answer(&mut commit.records, request, now, is_open);
            Ok(())
        });
        (reply, submitted)
    }

    /// Uses a reply to a request that records demanded.
    pub fn take_reply(
        &self,
        from: &Deployment,
        request: &Request<Deployment, Key>,
        reply: &Reply<Key>,
    ) -> Submitted<IntegrityError> {
        self.submit(|commit| {
            take(&mut commit.records, from, request, reply);
            Ok(())
        })
    }

    /// Begins to ask the sources of references whether resources can be deleted.
    ///
    /// # Errors
    /// Their tentative references, whose sources have to be queried first.
    pub fn begin_checking(
        &self,
        keys: &[Key],
    ) -> Result<Checking<Deployment, Key>, Tentatives<Deployment, Key>> {
        let begun =
            self.reading(|stored| Some(Checking::begin(&StoredRecords::new(stored), keys.iter().cloned())));
        begun.unwrap_or_else(|| Ok(Checking::default()))
    }

    /// The requests that the records demand, each with the deployment that it is for.
    pub fn owed(&self) -> Vec<(Deployment, Request<Deployment, Key>)> {
        self.reading(|stored| {
            let mut owed = Vec::new();
            for (key, remote) in records::owed_remotes(stored) {
                if let Some(owner) = self.rules().names.owner_of(&key) {
                    let requests = confirmations(&key, &remote);
                    owed.extend(requests.into_iter().map(|it| (owner.clone(), it)));
                }
            }
            for (key, record) in records::owed_back_references(stored) {
                owed.extend(questions(&key, &record, stored.now().0, PATIENCE));
            }
            owed
        })
    }
}

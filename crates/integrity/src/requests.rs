//! Requests of other deployments, and those that are owed to them.

use regions::{
    Deployment,
    references::{
        Checking, Reply, Request, Unchecked, check, confirm, confirmations, confirmed, deleted, establish,
        questions, released, resolve, status,
    },
};
use store::Key;

use crate::{Commit, IntegrityError, Submitted, Transactions, records};

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
            reply = commit.reply_to(request, is_open);
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
            let records = commit.records_mut();
            match (request, reply) {
                (Request::Confirm { id, key }, Reply::Confirmed) => confirmed(records, id, key),
                (Request::Status { id, key }, Reply::Status { status }) => resolve(records, id, key, *status),
                (Request::Deleted { key, incarnation }, Reply::Depends { depends: false }) => {
                    released(records, from, key, *incarnation);
                }
                _ => {}
            }
            Ok(())
        })
    }

    /// Begins to ask the sources of references whether resources can be deleted.
    ///
    /// # Errors
    /// Their tentative references, which have to be resolved first.
    pub fn begin_checking(
        &self,
        keys: &[Key],
    ) -> Result<Checking<Deployment, Key>, Unchecked<Deployment, Key>> {
        let mut begun = Ok(Checking::default());
        let read = self.submit::<IntegrityError>(|commit| {
            begun = Checking::begin(commit.records_mut(), keys.iter().cloned());
            Ok(())
        });
        // It writes nothing, so nothing is to be kept.
        drop(read);
        begun
    }

    /// The requests that the records demand, each with the deployment that it is for.
    pub fn owed(&self) -> Vec<(Deployment, Request<Deployment, Key>)> {
        let mut owed = Vec::new();
        let read = self.submit::<IntegrityError>(|commit| {
            owed = commit.owed();
            Ok(())
        });
        drop(read);
        owed
    }
}

impl Commit<'_> {
    fn reply_to(&mut self, request: &Request<Deployment, Key>, is_open: bool) -> Reply<Key> {
        let now = self.now();
        let records = self.records_mut();
        match request {
            Request::Establish { id, key } => establish(records, id.clone(), key, now),
            Request::Confirm { id, key } => confirm(records, id, key),
            Request::Status { id, key } => status(records, id, key, is_open),
            Request::Check { key } => check(records, key),
            Request::Deleted { key, incarnation } => deleted(records, key, *incarnation),
        }
    }

    fn owed(&self) -> Vec<(Deployment, Request<Deployment, Key>)> {
        let mut owed = Vec::new();
        for (key, remote) in records::owed_remotes(self.writing()) {
            if let Some(owner) = self.rules().names.owner_of(&key) {
                let requests = confirmations(&key, &remote);
                owed.extend(requests.into_iter().map(|it| (owner.clone(), it)));
            }
        }
        for (key, record) in records::owed_back_references(self.writing()) {
            owed.extend(questions(&key, &record, self.now(), PATIENCE));
        }
        owed
    }
}

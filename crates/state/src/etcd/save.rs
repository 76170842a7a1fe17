use super::{
    gateway::Gateway,
    head::{HEAD, Head, JOURNAL, LOCK, VersionedHead, commit_key, of_token, piece_key, pieces_key},
    wire::{Condition, Keys, Outcome, Transaction, TransactionOp},
};
use crate::{BackendError, Commit, Lease, SealedPart, Snapshot};

/// The largest value: with the overhead of the request it stays well below etcd's limit of 1.5 MiB.
const PIECE: usize = 768 << 10;
/// Commits of that many bytes are folded, if they are larger than the snapshot.
const FOLD: usize = 1 << 20;

impl Gateway {
    /// Writes a commit; returns the new head.
    pub(super) async fn commit(
        &self,
        known: VersionedHead,
        lease: &Lease,
        commit: &Commit,
        after: &Snapshot,
    ) -> Result<VersionedHead, BackendError> {
        let kept = known.head.as_ref().map(|it| (it.lineage.as_str(), it.serial));
        commit.follows(kept, after)?;
        let line = self.options.encryption.close(SealedPart::Commit, commit.to_line().into_bytes())?;
        match &known.head {
            Some(head) if line.len() <= PIECE && !is_worth_folding(head, line.len()) => {
                self.append(&known, head, lease, &line).await
            }
            _ => {
                let known = self.replace(&known, lease, after, false).await?;
                self.prune(&known, lease).await?;
                Ok(known)
            }
        }
    }

    async fn append(
        &self,
        known: &VersionedHead,
        head: &Head,
        lease: &Lease,
        line: &[u8],
    ) -> Result<VersionedHead, BackendError> {
        let (serial, lock) = (head.serial + 1, lease.token.clone());
        let next = Head { serial, journal: head.journal + line.len(), lock, ..head.clone() };
        let deeds = vec![TransactionOp::put(self.key(&commit_key(serial)), line)];
        self.advance(known, lease, next, deeds).await
    }

    /// Writes the whole snapshot, then makes it the current one, and a version to keep if requested.
    async fn replace(
        &self,
        known: &VersionedHead,
        lease: &Lease,
        after: &Snapshot,
        is_version: bool,
    ) -> Result<VersionedHead, BackendError> {
        let whole = self.options.encryption.close(SealedPart::Snapshot, after.to_text().into_bytes())?;
        let pieces = whole.len().div_ceil(PIECE);
        for (index, piece) in whole.chunks(PIECE).enumerate() {
            let put = TransactionOp::put(self.key(&piece_key(after.serial, index)), piece);
            let outcome = self.transact(&self.guarded(known, lease, vec![put])?).await?;
            if !outcome.happened {
                return Err(self.beaten(&outcome, lease, after.serial)?);
            }
        }
        let next = Head {
            serial: after.serial,
            base: after.serial,
            pieces,
            ..Head::new(&after.lineage, &lease.token)
        };
        let own = self.key(&pieces_key(after.serial));
        let mut deeds = vec![
            TransactionOp::Delete(Keys::under(&self.key(JOURNAL))),
            // Pieces beyond the last one that an interrupted write left.
            TransactionOp::Delete(Keys::from(&self.key(&piece_key(after.serial, pieces)), &own)),
        ];
        deeds.extend(is_version.then(|| self.version(after, pieces)));
        self.advance(known, lease, next, deeds).await
    }

    /// The end of a run: writes the whole as one version of the history. Returns the new head.
    pub(super) async fn checkpoint(
        &self,
        known: VersionedHead,
        lease: &Lease,
        snapshot: &Snapshot,
    ) -> Result<VersionedHead, BackendError> {
        let serial = known.head.as_ref().map_or(0, |it| it.serial);
        let Some(head) = known.head.as_ref().filter(|_| serial == snapshot.serial) else {
            return Err(BackendError::Stale { requested: snapshot.serial, kept: serial });
        };
        let known = if head.base == serial {
            let next = Head { lock: lease.token.clone(), ..head.clone() };
            self.advance(&known, lease, next, vec![self.version(snapshot, head.pieces)]).await?
        } else {
            self.replace(&known, lease, snapshot, true).await?
        };
        self.prune(&known, lease).await?;
        Ok(known)
    }

    /// Writes the next head together with other operations, all or nothing.
    async fn advance(
        &self,
        known: &VersionedHead,
        lease: &Lease,
        next: Head,
        deeds: Vec<TransactionOp>,
    ) -> Result<VersionedHead, BackendError> {
        let value = next.write();
        let put = TransactionOp::put(self.key(HEAD), value.clone());
        let outcome = self.transact(&self.guarded(known, lease, [deeds, vec![put]].concat())?).await?;
        if outcome.happened {
            return Ok(VersionedHead {
                head: Some(next),
                modified: outcome.revision,
                revision: outcome.revision,
            });
        }
        match outcome.one(0) {
            // An earlier try, whose answer was lost, succeeded.
            Some(kept) if kept.value == value => {
                Ok(VersionedHead { head: Some(next), modified: kept.modified, revision: outcome.revision })
            }
            _ => Err(self.beaten(&outcome, lease, next.serial)?),
        }
    }

    /// A transaction with the conditions that the head is as known and the lock is that of the lease.
    pub(super) fn guarded(
        &self,
        known: &VersionedHead,
        lease: &Lease,
        deeds: Vec<TransactionOp>,
    ) -> Result<Transaction, BackendError> {
        let (_, created) = of_token(lease)?;
        let conditions = vec![
            Condition::Modified(self.key(HEAD), known.modified),
            Condition::Created(self.key(LOCK), created),
        ];
        let otherwise = [HEAD, LOCK].map(|it| TransactionOp::Read(Keys::One(self.key(it)))).into();
        Ok(Transaction { conditions, deeds, otherwise })
    }

    /// The reason why the conditions of a transaction failed.
    fn beaten(&self, outcome: &Outcome, lease: &Lease, requested: u64) -> Result<BackendError, BackendError> {
        let (_, created) = of_token(lease)?;
        if outcome.one(1).is_none_or(|it| it.created != created) {
            return Ok(BackendError::LeaseLost);
        }
        let kept = outcome.one(0).map(|it| self.read_head(&it.value)).transpose()?;
        Ok(BackendError::Stale { requested, kept: kept.map_or(0, |it| it.serial) })
    }
}

fn is_worth_folding(head: &Head, more: usize) -> bool {
    head.journal + more > FOLD.max(head.pieces * PIECE)
}

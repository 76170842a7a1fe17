use super::{
    gateway::Gateway,
    head::{Head, JOURNAL, VersionedHead, commit_key, pieces_key},
    wire::{Pair, RangeOptions},
};
use crate::{BackendError, Commit, SealedPart, Snapshot};

/// Most commits are short.
const COMMITS: RangeOptions = RangeOptions { revision: 0, limit: 256, keys_only: false };
/// Four pieces fit into one answer.
const PIECES: RangeOptions = RangeOptions { revision: 0, limit: 4, keys_only: false };
/// The number of times that a read is restarted because its data was folded in the meantime.
const TRIES: u32 = 5;

impl Gateway {
    /// The snapshot, and the head it was read from.
    pub(super) async fn load(&self) -> Result<(Option<Snapshot>, VersionedHead), BackendError> {
        for _ in 0..TRIES {
            let known = self.head().await?;
            let Some(head) = &known.head else { return Ok((None, known)) };
            if let Some(snapshot) = self.compose(head, known.revision).await? {
                return Ok((Some(snapshot), known));
            }
        }
        Err(BackendError::Unavailable("the state changes faster than it can be read".into()))
    }

    /// The snapshot for a head; `None` if that revision is not available any more.
    async fn compose(&self, head: &Head, revision: i64) -> Result<Option<Snapshot>, BackendError> {
        let Some(mut snapshot) = self.snapshot(head.base, head.pieces, revision).await? else {
            return Ok(None);
        };
        if head.serial > head.base {
            let Some(commits) = self.all(&self.key(JOURNAL), COMMITS.at(revision)).await? else {
                return Ok(None);
            };
            for pair in &commits {
                self.take(&mut snapshot, pair)?;
            }
        }
        if (snapshot.serial, &snapshot.lineage) != (head.serial, &head.lineage) {
            let why = format!("it has version {}, but {} is expected", head.serial, snapshot.serial);
            return Err(self.corrupt("head", &why));
        }
        Ok(Some(snapshot))
    }

    fn take(&self, snapshot: &mut Snapshot, pair: &Pair) -> Result<(), BackendError> {
        let name = commit_key(snapshot.serial + 1);
        let text = self.clear(SealedPart::Commit, &name, &pair.value)?;
        let commit = Commit::read(&text).map_err(|why| self.corrupt(&name, &why.to_string()))?;
        if pair.key != self.key(&name) || !snapshot.take(&commit) {
            return Err(self.corrupt(&name, "the commit is missing"));
        }
        Ok(())
    }

    /// A snapshot from its pieces, at a revision.
    pub(super) async fn snapshot(
        &self,
        serial: u64,
        pieces: usize,
        revision: i64,
    ) -> Result<Option<Snapshot>, BackendError> {
        let name = pieces_key(serial);
        let Some(mut found) = self.all(&self.key(&name), PIECES.at(revision)).await? else { return Ok(None) };
        // An interrupted write may have left more pieces.
        found.truncate(pieces);
        if found.len() < pieces {
            return Err(self.corrupt(&name, &format!("it has {} of {pieces} pieces", found.len())));
        }
        let whole: Vec<u8> = found.into_iter().flat_map(|it| it.value).collect();
        let text = self.clear(SealedPart::Snapshot, &name, &whole)?;
        Snapshot::read(&text).map(Some).map_err(|why| self.corrupt(&name, &why.to_string()))
    }

    fn clear(&self, piece: SealedPart, name: &str, kept: &[u8]) -> Result<String, BackendError> {
        let clear = self.options.encryption.open(piece, kept)?;
        String::from_utf8(clear.into_owned()).map_err(|_| self.corrupt(name, "it is not text"))
    }
}

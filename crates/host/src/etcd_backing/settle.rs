use state::etcd::wire::{Keys, Pair, RangeOptions, TransactionOp, pairs, range};

use super::EtcdBacking;

/// A write without an answer: it may have happened, or still happen.
pub(super) struct Attempt {
    /// The value that it sets the counters to.
    pub(super) value: Vec<u8>,
    /// The keys that it changes besides; none for one that reverts another.
    pub(super) keys: Vec<String>,
}

impl EtcdBacking {
    /// Finds out the outcome of writes without an answer, and reverts those that are not known to have happened.
    ///
    /// # Errors
    /// If that cannot be found out now, or another process has written.
    pub(super) fn settle(&mut self) -> Result<(), String> {
        if self.unsettled.is_empty() {
            return Ok(());
        }
        let found = self.counters_pair()?;
        self.resolve(found.as_ref())
    }

    /// The same, given the counters as they are.
    pub(super) fn resolve(&mut self, found: Option<&Pair>) -> Result<(), String> {
        let modified = found.map_or(0, |it| it.modified);
        // Nothing has happened so far.
        if modified == self.known {
            return Ok(());
        }
        let attempt = found.and_then(|pair| self.unsettled.iter().find(|it| it.value == pair.value));
        match attempt.map(|it| it.keys.clone()) {
            None => Err(format!(
                "{}: another process has opened it since, and only the last one may write; \
                 end this process or that one, and start it again",
                self.place
            )),
            Some(keys) if keys.is_empty() => self.settled(modified),
            Some(keys) => self.revert(keys, modified),
        }
    }

    /// Reverts a write that has happened at a revision.
    fn revert(&mut self, keys: Vec<String>, modified: i64) -> Result<(), String> {
        let before: Vec<TransactionOp> =
            keys.into_iter().map(|it| self.before(it)).collect::<Result<_, _>>()?;
        let value = self.writes.value(self.counters);
        self.unsettled.push(Attempt { value: value.clone(), keys: Vec::new() });
        let outcome = self.transact(&before, &value, modified).map_err(|it| it.why)?;
        match outcome.one(0) {
            _ if outcome.happened => self.settled(outcome.revision),
            found => self.resolve(found),
        }
    }

    /// The operation that restores a key to its value as of the last write of this process.
    fn before(&self, key: String) -> Result<TransactionOp, String> {
        // Before the first write there was nothing, and no revision to read it at.
        let at = RangeOptions::default().at(self.known);
        let answer = self.gateway.post("/kv/range", range(&Keys::One(key.clone()), at));
        let pair = pairs(&answer.map_err(|it| it.why)?).map_err(|why| why.to_string())?.pop();
        Ok(match pair {
            Some(pair) => TransactionOp::put(key, pair.value),
            None => TransactionOp::Delete(Keys::One(key)),
        })
    }
}

use store::{Actor, Query, Resource, StoreError, Transaction, UpdateOptions};

use crate::{Transactions, stored};

/// The number of resources that are updated at a time, as many as a backing store takes in one transaction.
const BATCH: usize = 100;

impl Transactions {
    /// Updates the labels by which referrers are found to the rules, for a store that was written under other rules: a
    /// field may refer to another kind now. Returns the number of resources that were updated. Their values stay as they are,
    /// even if they refer to resources that do not exist; that is checked when they are next saved.
    ///
    /// It reads everything that is stored, and has to run before anything else writes.
    ///
    /// # Errors
    /// Those of the store. The updates before the error remain, and the rest can be done by another call.
    pub fn reindex(&self) -> Result<usize, StoreError> {
        let outdated = self.outdated();
        for batch in outdated.chunks(BATCH) {
            let update = |transaction: Transaction, resource: &Resource| {
                transaction.update_with(resource.clone(), UpdateOptions::any_phase())
            };
            self.store().commit(&Actor::user(), batch.iter().fold(Transaction::new(), update))?;
        }
        Ok(outdated.len())
    }

    /// The resources with other labels than the rules say, with the right ones.
    fn outdated(&self) -> Vec<Resource> {
        let (view, rules) = (self.store().view(), self.rules());
        let mut outdated = Vec::new();
        for kind in rules.model.kinds() {
            let all = view.list(&kind.kind, &Query::all());
            // Copies are referrers of nothing here.
            for resource in all.iter().filter(|it| it.metadata.origin.is_none()) {
                let labels = stored::labels(rules, resource.key(), &resource.spec.value());
                if labels != resource.metadata.labels {
                    let mut right = (**resource).clone();
                    right.metadata.labels = labels;
                    outdated.push(right);
                }
            }
        }
        outdated
    }
}

use integrity::{IntegrityError, Submitted, Transactions};
use regions::registration::answer;

use crate::{Reply, Request, stored::StoredRegistry};

/// The reply to a request, and the transaction that it was executed in. The reply may be sent when that is kept, and not before; if
/// it is refused, nothing has changed.
pub fn reply_to(
    transactions: &Transactions,
    request: &Request,
) -> (Option<Reply>, Submitted<IntegrityError>) {
    let mut reply = None;
    let submitted = transactions.submit(|commit| {
        let writing = *commit.store();
        let mut registry = StoredRegistry::new(&writing);
        reply = Some(answer(&mut registry, request));
        registry.write_to(commit)
    });
    (reply, submitted)
}

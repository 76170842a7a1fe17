use std::{rc::Rc, time::Duration};

use runtime::{Action, Controller};

use crate::{Event, Stop, kinds, run_context::RunContext};

/// The shortest interval between two renewals of a lease.
const SHORTEST: Duration = Duration::from_millis(10);

/// Renews the lease of the state while it is open; cancels the run when the lease is lost.
pub(crate) fn controller(context: Rc<RunContext>) -> Controller {
    Controller::queue("keep").primary(kinds::leases()).reconcile(move |cx, key| {
        let context = context.clone();
        async move {
            if cx.find(&key)?.is_none() {
                return Ok(Action::Done);
            }
            let ttl = context.timing.settings.lease;
            if let Err(error) = context.ledger.renew(context.timing.now(), ttl).await {
                context.notify(&Event::Error(error.into()));
                context.stop.send_replace(Stop::AtOnce);
                return Ok(Action::Done);
            }
            Ok(Action::RequeueAfter((ttl / 3).max(SHORTEST)))
        }
    })
}

use std::{rc::Rc, time::Duration};

use runtime::{Action, Controller};

use crate::{Event, Stop, kinds, run_context::RunContext};

/// A lease is not renewed more often than this.
const SHORTEST: Duration = Duration::from_millis(10);

/// Keeps the right to write the state for as long as it is open; when it is lost, the run is given up.
pub(crate) fn controller(desk: Rc<RunContext>) -> Controller {
    Controller::queue("keep").primary(kinds::leases()).reconcile(move |cx, key| {
        let context = desk.clone();
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

use std::rc::Rc;

use runtime::{Action, Controller};

use crate::{Event, Stop, kinds, run_context::RunContext};

/// Keeps the right to write the state for as long as it is open; when it is lost, the run is given up.
pub(crate) fn controller(desk: Rc<RunContext>) -> Controller {
    Controller::queue("keep").primary(kinds::leases()).reconcile(move |cx, key| {
        let context = desk.clone();
        async move {
            if cx.find(&key)?.is_none() {
                return Ok(Action::Done);
            }
            let ttl = context.timing.settings.lease;
            if let Err(error) = context.ledger.renew(context.timing.now().0, ttl).await {
                context.notify(&Event::Error(error.into()));
                context.stop.send_replace(Stop::AtOnce);
                return Ok(Action::Done);
            }
            Ok(Action::RequeueAfter((ttl / 3).max(10)))
        }
    })
}

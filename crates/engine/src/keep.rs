use std::rc::Rc;

use runtime::{Action, Controller};

use crate::{Event, Stop, desk::Desk, kinds};

/// Keeps the right to write the state for as long as it is open; when it is lost, the run is given up.
pub(crate) fn controller(desk: Rc<Desk>) -> Controller {
    Controller::queue("keep").primary(kinds::leases()).reconcile(move |cx, key| {
        let desk = desk.clone();
        async move {
            if cx.find(&key)?.is_none() {
                return Ok(Action::Done);
            }
            let ttl = desk.pace.settings.lease;
            if let Err(error) = desk.ledger.renew(desk.pace.now().0, ttl).await {
                desk.tell(&Event::Trouble(error.into()));
                desk.stop.send_replace(Stop::AtOnce);
                return Ok(Action::Done);
            }
            Ok(Action::RequeueAfter((ttl / 3).max(10)))
        }
    })
}

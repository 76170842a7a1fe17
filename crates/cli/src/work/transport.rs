use report::codes;
use std::rc::Rc;

use host::{HttpTransport, TransportOptions};
use protocol::Transport;
use workspace::view::DiagnosticView;

use crate::problem::problem;

/// The transport that sends requests over the network.
pub(crate) fn transport() -> Result<Rc<dyn Transport>, Box<DiagnosticView>> {
    match HttpTransport::new(TransportOptions::default()) {
        Ok(transport) => Ok(Rc::new(transport)),
        Err(error) => {
            let message = format!("the network cannot be used: {error}");
            Err(Box::new(problem(
                codes::SYSTEM,
                None,
                message,
                "check that the system's certificates can be read",
            )))
        }
    }
}

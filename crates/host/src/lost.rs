use std::error::Error;

use protocol::Lost;

/// What the failure of a request means for whoever sent it.
///
/// What failed while connecting, be it for want of time, was never sent; of all else that cannot be known.
pub(crate) fn lost(error: &reqwest::Error) -> Lost {
    if error.is_builder() || error.is_connect() {
        Lost::Unreachable(why(error))
    } else if error.is_timeout() {
        Lost::TimedOut
    } else {
        Lost::Broken(why(error))
    }
}

/// The innermost cause: the others only say that there is one, and the address.
fn why(error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string().replace(char::is_control, " ")
}

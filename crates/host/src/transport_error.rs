use std::error::Error;

use protocol::TransportError;

/// Converts the failure of a request into an error for its caller.
///
/// A request that failed while connecting, also by a timeout, was never sent; for all other failures that is
/// not known.
pub(crate) fn lost(error: &reqwest::Error) -> TransportError {
    if is_dns(error) {
        TransportError::Unresolved(why(error))
    } else if error.is_builder() || error.is_connect() {
        TransportError::Unreachable(why(error))
    } else if error.is_timeout() {
        TransportError::TimedOut
    } else {
        TransportError::Broken(why(error))
    }
}

/// True if the host name could not be resolved: the connector reports this only in its message.
fn is_dns(error: &reqwest::Error) -> bool {
    error.is_connect() && causes(error).any(|it| it.to_string().starts_with("dns error"))
}

/// The innermost cause: the other errors contain only that there is one, and the address.
fn why(error: &reqwest::Error) -> String {
    let innermost = causes(error).last().map(ToString::to_string);
    innermost.unwrap_or_default().replace(char::is_control, " ")
}

/// An error, its cause, the cause of that, and so on.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &dyn Error> {
    let mut next: Option<&dyn Error> = Some(error);
    std::iter::from_fn(move || {
        let cause = next?;
        next = cause.source();
        Some(cause)
    })
}

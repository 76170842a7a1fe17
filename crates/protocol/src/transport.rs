use std::{fmt, pin::Pin};

/// A future that stays in its thread.
pub type LocalFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// Sends requests: that of a host over the network, that of a test to an adapter in the same process.
///
/// It sends a request once, follows no redirect, sends no cookies, and reads no more of a response than the
/// request [allows](crate::LongestAnswer). Dropping the future cancels the request; whether the other side
/// executed it is then not known.
pub trait Transport {
    /// Sends one request.
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> LocalFuture<Result<http::Response<Vec<u8>>, TransportError>>;
}

/// The reason why there is no response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransportError {
    /// No connection: nothing was sent. With a reason in a line.
    Unreachable(String),
    /// The host name does not exist: nothing was sent, and a retry soon does not help. With a reason in a
    /// line.
    Unresolved(String),
    /// The response did not arrive in time.
    TimedOut,
    /// The connection broke before the response was complete. With a reason in a line.
    Broken(String),
    /// The response is longer than the limit.
    TooLong,
    /// The browser blocked the request: the adapter does not allow this page, or cannot be reached at all.
    /// With a reason in a line.
    Blocked(String),
}

impl TransportError {
    /// True if the other side certainly did not receive the request.
    pub const fn was_not_sent(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::Unresolved(_))
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(why) => write!(f, "cannot be reached: {why}"),
            Self::Unresolved(why) => write!(f, "its name cannot be resolved: {why}"),
            Self::TimedOut => f.write_str("the request timed out"),
            Self::Broken(why) => write!(f, "the connection broke: {why}"),
            Self::TooLong => f.write_str("the response is too long"),
            Self::Blocked(why) => write!(f, "the browser could not or may not reach it: {why}"),
        }
    }
}

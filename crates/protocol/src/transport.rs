use std::{fmt, pin::Pin};

/// A future that stays in its thread.
pub type LocalFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// Sends requests: a host's, over the network; a test's, into an adapter in the same process.
///
/// It sends a request once, follows no redirect, sends no cookies, and reads no more of an answer than the request
/// [says](crate::LongestAnswer). Dropping the future gives the request up; whether the other side
/// did what it says is then not known.
pub trait Transport {
    /// Sends one request.
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> LocalFuture<Result<http::Response<Vec<u8>>, TransportError>>;
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransportError {
    /// No connection: nothing was sent. Why, in a line.
    Unreachable(String),
    /// The host's name leads nowhere: nothing was sent, and asking again soon does not help. Why, in a line.
    Unresolved(String),
    /// The answer did not come in time.
    TimedOut,
    /// The connection broke before the answer was complete. Why, in a line.
    Broken(String),
    /// The answer is longer than is read.
    TooLong,
    /// The browser did not let it through: the adapter does not allow this page, or cannot be reached at all.
    Blocked(String),
}

impl TransportError {
    /// Whether the other side certainly did nothing.
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

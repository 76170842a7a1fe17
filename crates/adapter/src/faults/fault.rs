use serde::{Deserialize, Serialize};

/// A fault of the delivery of a response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The connection is refused. The call is never executed.
    Refuse,
    /// The connection is reset after some bytes of the response's body.
    Reset {
        /// The number of bytes; 0 is before any part of the response.
        after: usize,
    },
    /// There is never a response.
    Silence,
    /// A response without end.
    Endless,
    /// An error status in place of the response, with a problem as its body.
    Status {
        /// 429, 500, 503 or any other.
        code: u16,
        /// The number of seconds after which to retry.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after: Option<u32>,
    },
    /// The response is delayed, and otherwise as it should be.
    Slow {
        /// The delay in milliseconds.
        ms: u32,
    },
    /// The body ends in the middle.
    Malformed,
    /// The response is an HTML page and declares that media type.
    WrongType,
    /// The body is longer than the limit that callers read.
    Huge,
    /// The response redirects the caller.
    Redirect {
        /// The location.
        to: String,
    },
    /// Texts for people are HTML with a script in it.
    Html,
    /// The response is about another resource.
    OtherId,
}

impl Fault {
    /// True if it changes a response, so that there has to be one.
    pub(crate) const fn needs_an_answer(&self) -> bool {
        matches!(self, Self::Slow { .. } | Self::Malformed | Self::Html | Self::OtherId)
    }
}

use serde::{Deserialize, Serialize};

/// A fault of an answer on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// No connection. The call is never carried out.
    Refuse,
    /// The connection breaks after so many bytes of the answer's body.
    Reset {
        /// 0 is before anything was answered.
        after: usize,
    },
    /// No answer ever comes.
    Silence,
    /// An answer without end.
    Endless,
    /// A status in place of the answer, with a problem as its body.
    Status {
        /// 429, 500, 503 or any other.
        code: u16,
        /// In how many seconds to ask again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after: Option<u32>,
    },
    /// The answer comes so much later, in milliseconds; then it is as it should be.
    Slow {
        /// How much.
        ms: u32,
    },
    /// The answer's body ends in the middle.
    Malformed,
    /// The answer says that it is a page for people, and is one.
    WrongType,
    /// The answer's body is longer than anybody reads.
    Huge,
    /// The answer sends the caller to another place.
    Redirect {
        /// Where.
        to: String,
    },
    /// Texts for people are HTML with a script in it.
    Html,
    /// The answer is about another resource.
    OtherId,
}

impl Fault {
    /// Whether it is a change of what is answered, so that there has to be an answer.
    pub(crate) const fn needs_an_answer(&self) -> bool {
        matches!(self, Self::Slow { .. } | Self::Malformed | Self::Html | Self::OtherId)
    }
}

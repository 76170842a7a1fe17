/// How much work an answer may take. A step is one thing that was looked at; a million take about ten milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of one search.
    pub steps: u64,
    /// Steps of all searches that make an explanation small.
    pub explanation_steps: u64,
}

impl Default for Limits {
    /// Several seconds for the answer, one for its explanation.
    fn default() -> Self {
        Self { steps: 1_000_000_000, explanation_steps: 100_000_000 }
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The steps were used up.
    Steps,
    /// A hook asked for it.
    Cancelled,
}

impl Stop {
    /// It in words, which are OLM's.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Steps => "gave up before a solution could be found",
            Self::Cancelled => "cancelled before a solution could be found",
        }
    }
}

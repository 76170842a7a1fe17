use crate::codes;
use std::{fmt, sync::Arc};

/// Segments that make no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// There is no segment.
    Empty,
    /// The collection of this segment is not a letter followed by letters, digits, `_` and `-`.
    Collection(Arc<str>),
    /// The variable of this segment is not a letter followed by letters, digits and `_`.
    Variable(Arc<str>),
    /// Two ids are called the same, so that the groups of the generated regular expression would be.
    DuplicateVariable(Arc<str>),
    /// The text is not a list of `collection/{variable}`.
    Text(Arc<str>),
    /// The regular expressions of the ids are too large together.
    TooLarge,
}

impl PatternError {
    /// Stable, for tests and tools.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => codes::PATTERN_EMPTY.as_str(),
            Self::Collection(_) => codes::PATTERN_COLLECTION.as_str(),
            Self::Variable(_) => codes::PATTERN_VARIABLE.as_str(),
            Self::DuplicateVariable(_) => codes::PATTERN_DUPLICATE_VARIABLE.as_str(),
            Self::Text(_) => codes::PATTERN_TEXT.as_str(),
            Self::TooLarge => codes::PATTERN_TOO_LARGE.as_str(),
        }
    }

    /// The advice on solving the problem.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Empty => "a pattern has at least one collection with its id",
            Self::Collection(_) => "write the plural of the kind in lower camel case, such as `roleBindings`",
            Self::Variable(_) => "write the name of the kind in snake case, such as `role_binding`",
            Self::DuplicateVariable(_) => {
                "a kind cannot have two ancestors, or itself and an ancestor, of one name; rename one of them"
            }
            Self::Text(_) => "write it as `projects/{project}/secrets/{secret}`",
            Self::TooLarge => "use smaller numbers of repetitions in the id patterns",
        }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => out.write_str("a name pattern has no segment"),
            Self::Collection(it) => write!(out, "`{}` cannot be a collection of a name", it.escape_debug()),
            Self::Variable(it) => write!(out, "`{}` cannot be the name of an id", it.escape_debug()),
            Self::DuplicateVariable(it) => write!(out, "a name pattern has two ids `{}`", it.escape_debug()),
            Self::Text(it) => write!(out, "`{}` is not a name pattern", it.escape_debug()),
            Self::TooLarge => out.write_str("the id patterns of a name are too large together"),
        }
    }
}

impl std::error::Error for PatternError {}

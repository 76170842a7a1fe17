use std::{fmt, str::FromStr, sync::Arc};

use crate::{MAX_NAME, Name, NameError, NameProblem};

/// The text of a name in its service that was not read with patterns yet: it is not empty, does not begin with a
/// slash, and is not too long. It may end with one, as ids may.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelativeName(Arc<str>);

impl RelativeName {
    /// The text, for [`Patterns::parse`](crate::Patterns::parse).
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RelativeName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let (at, problem) = match text {
            "" => (0, NameProblem::Empty),
            _ if text.len() > MAX_NAME => (MAX_NAME, NameProblem::TooLong { bytes: text.len() }),
            _ if text.starts_with('/') => (0, NameProblem::EmptySegment),
            _ => return Ok(Self(text.into())),
        };
        Err(NameError::new(at, problem, Vec::new()))
    }
}

impl From<Name> for RelativeName {
    fn from(name: Name) -> Self {
        Self(name.as_str().into())
    }
}

impl fmt::Display for RelativeName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}

use std::{fmt, str::FromStr, sync::Arc};

use crate::{NameError, NameProblem};

/// The domain of a service: `secrets.edgelq.com`. It has ASCII letters, digits, `-` and `.`, 128 at most.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServiceName(Arc<str>);

/// Characters of a service's name, at most; the longest that id patterns of services allow.
const LONGEST: usize = 128;

impl ServiceName {
    /// The domain.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ServiceName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let is_of_name = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '.';
        let wrong = text.find(|it| !is_of_name(it)).or((text.len() > LONGEST).then_some(LONGEST));
        match wrong.or(text.is_empty().then_some(0)) {
            Some(at) => Err(NameError::new(at, NameProblem::Service { found: text.into() }, Vec::new())),
            None => Ok(Self(text.into())),
        }
    }
}

impl fmt::Display for ServiceName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}

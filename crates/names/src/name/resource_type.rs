use std::{fmt, str::FromStr, sync::Arc};

use super::error::shifted;
use crate::{NameError, NameProblem, ServiceName};

/// A kind with its service: `iam.edgelq.com/Project`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceType {
    service: ServiceName,
    kind: Arc<str>,
}

impl ResourceType {
    /// The service, before the slash.
    pub fn service(&self) -> &ServiceName {
        &self.service
    }

    /// The kind, after the slash: a letter, then letters, digits and `_`.
    pub fn kind(&self) -> &str {
        &self.kind
    }
}

impl FromStr for ResourceType {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let (service, kind) = text.split_once('/').unwrap_or((text, ""));
        let service: ServiceName = service.parse()?;
        let foreign = kind.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_'));
        let begins = kind.starts_with(|it: char| it.is_ascii_alphabetic());
        match foreign.or((!begins).then_some(0)) {
            Some(at) => {
                let error = NameError::new(at, NameProblem::Kind { found: kind.into() }, Vec::new());
                Err(shifted(error, text.len() - kind.len()))
            }
            None => Ok(Self { service, kind: kind.into() }),
        }
    }
}

impl fmt::Display for ResourceType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.service, self.kind)
    }
}

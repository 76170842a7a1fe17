use std::{fmt, str::FromStr};

use super::error::shifted;
use crate::{NameError, NameProblem, RelativeName, ServiceName};

/// A name with its service: `//secrets.edgelq.com/projects/p1/secrets/s`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FullName {
    service: ServiceName,
    name: RelativeName,
}

impl FullName {
    /// The name of a service.
    pub fn new(service: ServiceName, name: RelativeName) -> Self {
        Self { service, name }
    }

    /// The service, between `//` and the next slash.
    pub fn service(&self) -> &ServiceName {
        &self.service
    }

    /// The name after the service; the patterns of its kind read it.
    pub fn name(&self) -> &RelativeName {
        &self.name
    }
}

impl FromStr for FullName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let Some(rest) = text.strip_prefix("//") else {
            return Err(NameError::new(0, NameProblem::NotFull { found: text.into() }, Vec::new()));
        };
        let (service, name) = rest.split_once('/').unwrap_or((rest, ""));
        let start = text.len() - name.len();
        Ok(Self {
            service: service.parse().map_err(|error| shifted(error, 2))?,
            name: name.parse().map_err(|error| shifted(error, start))?,
        })
    }
}

impl fmt::Display for FullName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "//{}/{}", self.service, self.name)
    }
}

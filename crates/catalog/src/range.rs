//! Ranges of versions in the two dialects that OLM knows (notes/deppy §3.5).

use std::{fmt, sync::Arc};

use crate::version::Version;

mod blang;
mod masterminds;
mod segment;
mod test;
mod witness;

use test::Group;

/// Whose rules a range is read by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// A version is in it that all tests of one of these pass.
    groups: Arc<[Group]>,
}

impl Range {
    /// Reads a range.
    ///
    /// # Errors
    /// What upstream's library says is wrong with it.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, String> {
        let groups = match dialect {
            Dialect::Blang => blang::parse(text)?,
            Dialect::Masterminds => masterminds::parse(text)?,
        };
        Ok(Self { text: text.into(), dialect, groups: groups.into() })
    }

    /// A range that no version is in, for a text that cannot be read.
    pub fn unreadable(text: impl Into<Arc<str>>, dialect: Dialect) -> Self {
        Self { text: text.into(), dialect, groups: Arc::new([]) }
    }

    /// Whether a version is in it.
    pub fn contains(&self, version: &Version) -> bool {
        self.groups.iter().any(|group| group.admits(version))
    }

    /// Whether no version at all is in it, such as `<1.0.0 >=2.0.0`. Never true of a range that has one; of a range
    /// of very many parts it may be false.
    pub fn is_empty(&self) -> bool {
        witness::is_empty(&self.groups)
    }

    /// Whether it has no upper end: whatever comes is in it.
    pub fn is_unbounded(&self) -> bool {
        self.contains(&Version::new(u64::MAX, u64::MAX, u64::MAX))
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests;

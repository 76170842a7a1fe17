//! Ranges of versions in the two dialects that OLM knows (source: blang/semver and Masterminds/semver).

use std::{fmt, sync::Arc};

use crate::version::Version;

mod blang;
mod masterminds;
mod segment;
mod test;
mod witness;

use test::Group;

/// The dialect of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// That of catalogs: `olm.package.required`, `skipRange`. Spaces mean "and"; pre-releases are compared in
    /// order.
    Blang,
    /// That of users in OLM v1. Has `^`, `~`, hyphens and commas; pre-releases match only if one is named.
    Masterminds,
}

/// A range of versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// As it is written.
    pub text: Arc<str>,
    /// The dialect that it was read in.
    pub dialect: Dialect,
    /// A version is contained if it passes all tests of one of these.
    groups: Arc<[Group]>,
    /// The reason why it cannot be read; then it contains no version.
    error: Option<Arc<str>>,
}

impl Range {
    /// Reads a range.
    ///
    /// # Errors
    /// With the error message of upstream's library.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, String> {
        let groups = match dialect {
            Dialect::Blang => blang::parse(text)?,
            Dialect::Masterminds => masterminds::parse(text)?,
        };
        Ok(Self { text: text.into(), dialect, groups: groups.into(), error: None })
    }

    /// A range that contains no version, for a text that cannot be read, with the reason.
    pub fn unreadable(text: impl Into<Arc<str>>, dialect: Dialect, error: impl Into<Arc<str>>) -> Self {
        Self { text: text.into(), dialect, groups: Arc::new([]), error: Some(error.into()) }
    }

    /// The reason why it could not be read, if it could not.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// True if it contains a version.
    pub fn contains(&self, version: &Version) -> bool {
        self.groups.iter().any(|group| group.admits(version))
    }

    /// True if it contains no version at all, such as `<1.0.0 >=2.0.0`. Never true for a range that contains
    /// one; for a range of very many parts it may be false.
    pub fn is_empty(&self) -> bool {
        witness::is_empty(&self.groups)
    }

    /// True if it has no upper bound.
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

use std::cmp::Ordering;

use super::{Pre, Version};
use crate::quote::quote;

/// The release of a bundle, which orders bundles of one version: identifiers like those of pre-releases, the
/// later one has precedence, and any release is later than none (source: operator-registry).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(Vec<Pre>);

/// The highest number of characters of a release.
const LONGEST: usize = 20;

impl Release {
    /// Reads the release of a property `olm.package`. An empty text is none.
    ///
    /// # Errors
    /// If it is invalid; the error describes why.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        if text.len() > LONGEST {
            return Err(format!("invalid release {}: exceeds maximum length of {LONGEST}", quote(text)));
        }
        let parts = text.split('.').map(Pre::parse).collect::<Result<_, _>>();
        parts.map(Self).map_err(|error| format!("invalid release {}: {error}", quote(text)))
    }

    /// The release that OLM 1 takes from build metadata; empty if that is not a valid one.
    pub fn of_build(version: &Version) -> Self {
        version.build.iter().map(|it| Pre::parse(it)).collect::<Result<_, _>>().map(Self).unwrap_or_default()
    }

    /// True if there is none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// The order of two bundles: by version, then by release.
    pub fn precedence(a: (&Version, &Self), b: (&Version, &Self)) -> Ordering {
        a.0.precedence(b.0).then_with(|| a.1.cmp(b.1))
    }
}

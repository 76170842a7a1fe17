use std::cmp::Ordering;

use super::{Pre, Version};
use crate::quote::quote;

/// Which of several bundles of one version counts: identifiers like those of pre-releases, the later one wins, and any
/// release is later than none (notes/deppy §3.1).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(Vec<Pre>);

/// Characters that a release may have.
const LONGEST: usize = 20;

impl Release {
    /// Reads the release of a property `olm.package`. An empty text is none.
    ///
    /// # Errors
    /// What is wrong with it.
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

    /// The release that OLM 1 takes from build metadata; none where that cannot be one.
    pub fn of_build(version: &Version) -> Self {
        version.build.iter().map(|it| Pre::parse(it)).collect::<Result<_, _>>().map(Self).unwrap_or_default()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Which of two bundles is the later one: by version, then by release.
    pub fn precedence(a: (&Version, &Self), b: (&Version, &Self)) -> Ordering {
        a.0.precedence(b.0).then_with(|| a.1.cmp(b.1))
    }
}

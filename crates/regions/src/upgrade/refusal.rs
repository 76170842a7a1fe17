use std::{error::Error, fmt};

use crate::Name;

use super::ActiveVersion;

/// The reason why an upgrade cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotUpgradable<N> {
    /// The program of the deployment does not have the version.
    Unsupported(N),
    /// The program of the deployment in another region does not have it.
    UnsupportedIn {
        /// The region.
        region: N,
        /// The version.
        version: N,
    },
    /// An upgrade to this version has not ended.
    Upgrading(N),
}

/// The reason why a request is not executed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotServed<N> {
    /// Writes are refused while versions are switched, or the process does not know yet what it may write. A client tries again.
    Unavailable,
    /// The deployment does not operate on the version yet: it can only be read.
    ReadOnly {
        /// The version that can be written.
        current: N,
    },
    /// The program does not have the version.
    Unsupported(N),
}

/// Checks that the programs in all regions of a service have a version: only then an upgrade to it may begin in any of them
/// (source: Goten's guide, "Database Migration Flow").
///
/// # Errors
/// The first region whose program does not have it.
pub fn check_regions<'a, N: Name + 'a>(
    target: &N,
    deployments: impl IntoIterator<Item = (&'a N, &'a ActiveVersion<N>)>,
) -> Result<(), NotUpgradable<N>> {
    let mut deployments = deployments.into_iter();
    match deployments.find(|(_, it)| !it.supported_versions.contains(target)) {
        None => Ok(()),
        Some((region, _)) => {
            Err(NotUpgradable::UnsupportedIn { region: region.clone(), version: target.clone() })
        }
    }
}

impl<N> NotServed<N> {
    /// True if the same request may succeed later.
    pub const fn is_retryable(&self) -> bool {
        match self {
            Self::Unavailable => true,
            Self::ReadOnly { .. } | Self::Unsupported(_) => false,
        }
    }
}

impl<N: fmt::Display> fmt::Display for NotUpgradable<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(version) => write!(f, "the program does not have version `{version}`"),
            Self::UnsupportedIn { region, version } => {
                write!(f, "the program in region `{region}` does not have version `{version}`")
            }
            Self::Upgrading(version) => write!(f, "the upgrade to version `{version}` has not ended"),
        }
    }
}

impl<N: fmt::Display> fmt::Display for NotServed<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable => f.write_str("writes are refused while the deployment switches versions"),
            Self::ReadOnly { current } => {
                write!(f, "the version can only be read until the deployment is upgraded from `{current}`")
            }
            Self::Unsupported(version) => write!(f, "the program does not have version `{version}`"),
        }
    }
}

impl<N: fmt::Debug + fmt::Display> Error for NotUpgradable<N> {}

impl<N: fmt::Debug + fmt::Display> Error for NotServed<N> {}

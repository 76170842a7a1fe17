use std::cmp::Ordering;

use crate::version::Version;

/// Tests, all of which a version has to pass.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    /// True if pre-releases may pass.
    pub(super) pre_releases: bool,
    pub(super) tests: Vec<Test>,
}

/// A test that a version passes or fails.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// It compares like this with another one.
    Compare(Operator, Version),
    /// It is before the first or not before the second: `!=1.x`.
    Outside(Version, Version),
    /// It does not have these first two numbers with this pre-release: `!=1.2.x`.
    OtherMinor(Version),
}

/// A comparison with another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

impl Group {
    pub(super) fn admits(&self, version: &Version) -> bool {
        (self.pre_releases || version.pre.is_empty()) && self.tests.iter().all(|test| test.admits(version))
    }
}

impl Test {
    fn admits(&self, version: &Version) -> bool {
        match self {
            Self::Compare(operator, bound) => operator.admits(version.precedence(bound)),
            Self::Outside(low, high) => version.precedence(low).is_lt() || version.precedence(high).is_ge(),
            Self::OtherMinor(other) => {
                (version.major, version.minor, &version.pre) != (other.major, other.minor, &other.pre)
            }
        }
    }

    /// Versions at which its result may change.
    pub(super) fn edges(&self) -> Vec<Version> {
        match self {
            Self::Compare(_, bound) => vec![bound.clone()],
            Self::Outside(low, high) => vec![low.clone(), high.clone()],
            Self::OtherMinor(other) => match other.minor.checked_add(1) {
                Some(next) => vec![other.clone(), Version::new(other.major, next, 0)],
                None => vec![other.clone()],
            },
        }
    }
}

impl Operator {
    const fn admits(self, found: Ordering) -> bool {
        match self {
            Self::Equal => found.is_eq(),
            Self::NotEqual => found.is_ne(),
            Self::Greater => found.is_gt(),
            Self::GreaterOrEqual => found.is_ge(),
            Self::Less => found.is_lt(),
            Self::LessOrEqual => found.is_le(),
        }
    }
}

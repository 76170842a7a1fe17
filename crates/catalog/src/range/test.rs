use std::cmp::Ordering;

use crate::version::Version;

/// Tests that a version has to pass all of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    /// Pre-releases may pass.
    pub(super) pre_releases: bool,
    pub(super) tests: Vec<Test>,
}

/// Something that a version passes or not.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// It stands so to another one.
    Compare(Operator, Version),
    /// It is before the first or not before the second: `!=1.x`.
    Outside(Version, Version),
    /// It has not these first two numbers with this pre-release: `!=1.2.x`.
    OtherMinor(Version),
}

/// How a version stands to another one.
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

    /// Versions at which it may change its mind.
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

//! The ranges of users in OLM 1, as the library `Masterminds/semver` 3.4.0 reads them, peculiarities included.

use super::{
    segment::{Comparison, Partial, segments, without_hyphens},
    test::{Group, Operator, Test},
};
use crate::version::{Pre, Version};

/// Reads a range.
pub(super) fn parse(text: &str) -> Result<Vec<Group>, String> {
    without_hyphens(text).split("||").map(group).collect()
}

fn group(text: &str) -> Result<Group, String> {
    let written = segments(text).ok_or_else(|| format!("improper constraint: {text}"))?;
    let bounds = written.iter().map(|it| Bound::read(&it.version)).collect::<Result<Vec<_>, _>>()?;
    let pre_releases = bounds.iter().any(|it| !it.version.pre.is_empty());
    let tests = written.iter().zip(&bounds).flat_map(|(it, bound)| tests(it, bound)).collect();
    Ok(Group { pre_releases, tests })
}

/// A version to compare with, and its precision.
struct Bound {
    version: Version,
    known: Precision,
}

/// The number of parts of a version that are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    Nothing,
    Major,
    Minor,
    All,
}

impl Bound {
    fn read(written: &Partial<'_>) -> Result<Self, String> {
        let (known, numbers) = if is_wildcard(written.major) {
            (Precision::Nothing, ["0", "0", "0"])
        } else if is_wildcard(written.minor) {
            (Precision::Major, [written.major, "0", "0"])
        } else if is_wildcard(written.patch) {
            (Precision::Minor, [written.major, written.minor, "0"])
        } else {
            (Precision::All, [written.major, written.minor, written.patch])
        };
        let version = version(numbers, written.pre).ok_or("constraint parser error")?;
        Ok(Self { version, known })
    }

    /// The first version, pre-releases included, with the next major number.
    fn next_major(&self) -> Option<Version> {
        Some(first(self.version.major.checked_add(1)?, 0))
    }

    /// The first version, pre-releases included, with the next minor number.
    fn next_minor(&self) -> Option<Version> {
        Some(first(self.version.major, self.version.minor.checked_add(1)?))
    }

    /// The first version, pre-releases included, with the next patch number.
    fn next_patch(&self) -> Option<Version> {
        let mut next = first(self.version.major, self.version.minor);
        next.patch = self.version.patch.checked_add(1)?;
        Some(next)
    }
}

/// The lowest version with these numbers.
fn first(major: u64, minor: u64) -> Version {
    Version { pre: vec![Pre::Number(0)], ..Version::new(major, minor, 0) }
}

fn is_wildcard(part: &str) -> bool {
    matches!(part, "" | "x" | "X" | "*")
}

/// A version with leading zeros in its numbers, but not in its pre-release.
fn version([major, minor, patch]: [&str; 3], pre: &str) -> Option<Version> {
    let number = |text: &str| text.parse().ok().filter(|_: &u64| !text.starts_with('+'));
    let mut version = Version::new(number(major)?, number(minor)?, number(patch)?);
    if !pre.is_empty() {
        version.pre = pre.split('.').map(identifier).collect::<Option<_>>()?;
    }
    Some(version)
}

/// Numbers that are too large are compared as texts.
fn identifier(text: &str) -> Option<Pre> {
    let is_number = text.bytes().all(|it| it.is_ascii_digit());
    if is_number && text.len() > 1 && text.starts_with('0') {
        return None;
    }
    Some(Pre::parse(text).unwrap_or_else(|_| Pre::Text(text.into())))
}

fn tests(written: &Comparison<'_>, bound: &Bound) -> Vec<Test> {
    let compare = |operator| vec![Test::Compare(operator, bound.version.clone())];
    match (written.operator, bound.known) {
        ("" | "=", Precision::All) => compare(Operator::Equal),
        ("" | "=" | "~" | "~>", _) => tilde(bound),
        ("^", _) => caret(bound),
        ("!=", known) => not(bound, known),
        (">", Precision::Major) => from(bound.next_major()),
        (">", Precision::Minor) => from(bound.next_minor()),
        (">", _) => compare(Operator::Greater),
        ("<", _) => compare(Operator::Less),
        ("<=" | "=<", Precision::All) => compare(Operator::LessOrEqual),
        ("<=" | "=<", Precision::Major) => before(bound.next_major()),
        ("<=" | "=<", _) => before(bound.next_minor()),
        _ => compare(Operator::GreaterOrEqual),
    }
}

fn tilde(bound: &Bound) -> Vec<Test> {
    let is_zero = (bound.version.major, bound.version.minor, bound.version.patch) == (0, 0, 0);
    let mut tests = from(Some(bound.version.clone()));
    match bound.known {
        Precision::Nothing => {}
        Precision::All if is_zero => {}
        Precision::Major => tests.extend(before(bound.next_major())),
        Precision::Minor | Precision::All => tests.extend(before(bound.next_minor())),
    }
    tests
}

fn caret(bound: &Bound) -> Vec<Test> {
    let mut tests = from(Some(bound.version.clone()));
    tests.extend(if bound.version.major > 0 || bound.known == Precision::Major {
        before(bound.next_major())
    } else if bound.version.minor > 0 || bound.known == Precision::Minor {
        before(bound.next_minor())
    } else {
        before(bound.next_patch())
    });
    tests
}

fn not(bound: &Bound, known: Precision) -> Vec<Test> {
    match (known, bound.next_major()) {
        (Precision::Minor, _) => vec![Test::OtherMinor(bound.version.clone())],
        (Precision::Major, Some(next)) => vec![Test::Outside(first(bound.version.major, 0), next)],
        (Precision::Major, None) => before(Some(first(bound.version.major, 0))),
        _ => vec![Test::Compare(Operator::NotEqual, bound.version.clone())],
    }
}

/// The test for versions from this one on; no version passes if there is none.
fn from(version: Option<Version>) -> Vec<Test> {
    match version {
        Some(version) => vec![Test::Compare(Operator::GreaterOrEqual, version)],
        None => vec![Test::Compare(Operator::Less, first(0, 0))],
    }
}

/// The test for versions before this one; every version passes if there is none.
fn before(version: Option<Version>) -> Vec<Test> {
    version.into_iter().map(|version| Test::Compare(Operator::Less, version)).collect()
}

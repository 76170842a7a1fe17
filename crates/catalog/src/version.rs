//! Versions as catalogs write them: Semantic Versioning 2.0, with the messages of the library that OLM uses.

use std::{cmp::Ordering, fmt, sync::Arc};

use crate::quote::quote;

mod release;

pub use release::Release;

/// A version.
///
/// Equality compares all parts; [`Version::precedence`] gives the order, which ignores build metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The first number.
    pub major: u64,
    /// The second number.
    pub minor: u64,
    /// The third number.
    pub patch: u64,
    /// The identifiers after `-`, split at dots.
    pub pre: Vec<Pre>,
    /// The identifiers after `+`, split at dots.
    pub build: Vec<Arc<str>>,
}

/// An identifier of a pre-release.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pre {
    /// Digits only.
    Number(u64),
    /// Anything else; ordered after all numbers.
    Text(Arc<str>),
}

impl Version {
    /// The version with three numbers.
    pub const fn new(major: u64, minor: u64, patch: u64) -> Self {
        Self { major, minor, patch, pre: Vec::new(), build: Vec::new() }
    }

    /// Reads a version, strictly: three numbers, no leading zeros, no `v` (source: operator-registry).
    ///
    /// # Errors
    /// With the error message of upstream's library.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("Version string empty".to_owned());
        }
        let mut parts = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
            return Err("No Major.Minor.Patch elements found".to_owned());
        };
        let (major, minor) = (number(major, "major", "Major")?, number(minor, "minor", "Minor")?);
        let (rest, build) = split(rest, '+');
        let (patch, pre) = split(rest, '-');
        let patch = number(patch, "patch", "Patch")?;
        let pre = pre.map_or(Ok(Vec::new()), |it| it.split('.').map(Pre::parse).collect())?;
        let build = build.map_or(Ok(Vec::new()), |it| it.split('.').map(metadata).collect())?;
        Ok(Self { major, minor, patch, pre, build })
    }

    /// Reads a version as OLM reads those of installed bundles: surrounding spaces, a `v` before it, leading
    /// zeros and missing numbers are accepted (source: blang/semver and Masterminds/semver).
    ///
    /// # Errors
    /// With the error message of upstream's library.
    pub fn parse_tolerant(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts: Vec<String> = text.splitn(3, '.').map(without_zeros).collect();
        let is_short = parts.len() < 3;
        if is_short && parts.last().is_some_and(|last| last.contains(['+', '-'])) {
            return Err("Short version cannot contain PreRelease/Build meta data".to_owned());
        }
        parts.resize(3, "0".to_owned());
        Self::parse(&parts.join("."))
    }

    /// The order of versions. Build metadata is ignored.
    pub fn precedence(&self, other: &Self) -> Ordering {
        let numbers = |it: &Self| (it.major, it.minor, it.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| match (self.pre.is_empty(), other.pre.is_empty()) {
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            _ => self.pre.cmp(&other.pre),
        })
    }

    /// The next version in that order, if there is one.
    pub(crate) fn successor(&self) -> Option<Self> {
        let mut next = self.clone();
        next.build.clear();
        if next.pre.is_empty() {
            next.patch = next.patch.checked_add(1)?;
        }
        next.pre.push(Pre::Number(0));
        Some(next)
    }
}

impl Pre {
    /// Reads one identifier.
    ///
    /// # Errors
    /// With the error message of upstream's library.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("Prerelease is empty".to_owned());
        }
        if text.bytes().all(|it| it.is_ascii_digit()) {
            if has_leading_zeros(text) {
                let shown = quote(text);
                return Err(format!("Numeric PreRelease version must not contain leading zeroes {shown}"));
            }
            return digits(text).map(Self::Number);
        }
        if !text.bytes().all(is_identifier) {
            return Err(format!("Invalid character(s) found in prerelease {}", quote(text)));
        }
        Ok(Self::Text(text.into()))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        for (at, part) in self.pre.iter().enumerate() {
            write!(f, "{}{part}", if at == 0 { '-' } else { '.' })?;
        }
        for (at, part) in self.build.iter().enumerate() {
            write!(f, "{}{part}", if at == 0 { '+' } else { '.' })?;
        }
        Ok(())
    }
}

impl fmt::Display for Pre {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after)))
}

fn number(text: &str, name: &str, capital: &str) -> Result<u64, String> {
    if !text.bytes().all(|it| it.is_ascii_digit()) {
        return Err(format!("Invalid character(s) found in {name} number {}", quote(text)));
    }
    if has_leading_zeros(text) {
        return Err(format!("{capital} number must not contain leading zeroes {}", quote(text)));
    }
    digits(text)
}

/// Only digits, or nothing.
fn digits(text: &str) -> Result<u64, String> {
    let reason = if text.is_empty() { "invalid syntax" } else { "value out of range" };
    text.parse().map_err(|_| format!("strconv.ParseUint: parsing {}: {reason}", quote(text)))
}

fn metadata(text: &str) -> Result<Arc<str>, String> {
    if text.is_empty() {
        return Err("Build meta data is empty".to_owned());
    }
    if !text.bytes().all(is_identifier) {
        return Err(format!("Invalid character(s) found in build meta data {}", quote(text)));
    }
    Ok(text.into())
}

fn has_leading_zeros(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0')
}

pub(crate) fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

fn without_zeros(part: &str) -> String {
    if part.len() <= 1 {
        return part.to_owned();
    }
    let rest = part.trim_start_matches('0');
    if rest.starts_with(|it: char| it.is_ascii_digit()) { rest.to_owned() } else { format!("0{rest}") }
}

#[cfg(test)]
mod tests;

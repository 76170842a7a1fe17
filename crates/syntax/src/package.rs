//! Zip packages: several YAML files published as one, the multi-YAML descriptor packages of the Golem application model.
//!
//! Only YAML files in the archive's root count: a folder that holds everything is not searched, its files are in
//! [`Package::ignored`]. A package that would be dangerous to unpack is refused as a whole.

use std::fmt;

mod crc;
mod name;
mod read;
mod write;

pub use read::read;
pub use write::write;

/// The limits on the contents of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackageLimits {
    /// Entries of any kind.
    pub entries: usize,
    /// Bytes of all entries that are read, unpacked.
    pub total_bytes: u64,
    /// Unpacked bytes for each packed byte of an entry.
    pub ratio: u64,
}

impl Default for PackageLimits {
    /// 1,000 entries, 64 MiB, 200 to 1 (never applied to entries below 64 KiB).
    fn default() -> Self {
        Self { entries: 1_000, total_bytes: 64 << 20, ratio: 200 }
    }
}

/// The content of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// The YAML files of the root, sorted by name.
    pub files: Vec<PackageFile>,
    /// Files that do not count, sorted by name: in folders, not YAML, or links.
    pub ignored: Vec<String>,
}

/// One YAML file of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageFile {
    /// Its name in the archive.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The reason why a package is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackageError {
    /// It is not a zip archive, or a broken one.
    NotAZip,
    /// An entry's name leads out of the package.
    UnsafeName(String),
    /// An entry has no name, or one with control characters.
    OddName(String),
    /// An entry needs a password.
    Encrypted(String),
    /// It holds more entries than allowed.
    TooManyEntries(usize),
    /// It would unpack to more than is allowed.
    TooLarge,
    /// An entry unpacks to far more than it is packed in.
    SuspiciousRatio(String),
    /// Two entries have one name.
    Duplicate(String),
    /// A YAML file is not UTF-8.
    NotText(String),
    /// An entry is packed in a way that is not read.
    UnknownPacking(String),
    /// An entry's bytes are damaged.
    Damaged(String),
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAZip => f.write_str("this is not a zip archive, or it is damaged"),
            Self::UnsafeName(name) => write!(f, "the entry {name:?} leads out of the package"),
            Self::OddName(name) if name.is_empty() => f.write_str("an entry of the package has no name"),
            Self::OddName(name) => {
                write!(
                    f,
                    "the entry {name:?} has a control character in its name, which packages may not have"
                )
            }
            Self::Encrypted(name) => {
                write!(f, "the entry {name:?} requires a password, which packages may not have")
            }
            Self::TooManyEntries(count) => write!(f, "the package has {count} entries, which are too many"),
            Self::TooLarge => f.write_str("the package is too large when unpacked"),
            Self::SuspiciousRatio(name) => {
                write!(f, "the entry {name:?} unpacks to far more than it is packed in, as a zip bomb does")
            }
            Self::Duplicate(name) => write!(f, "two entries have the name {name:?}"),
            Self::NotText(name) => write!(f, "the file {name:?} is not UTF-8 text"),
            Self::UnknownPacking(name) => {
                write!(f, "the compression method of the entry {name:?} is not supported")
            }
            Self::Damaged(name) => write!(f, "the entry {name:?} is damaged"),
        }
    }
}

impl std::error::Error for PackageError {}

//! Zip packages: several YAML files published as one (GAP-16, "multi-YAML descriptor package").
//!
//! Only YAML files in the archive's root count. What would be dangerous to unpack is refused.

/// How much a package may hold.
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

/// What a package holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// The YAML files of the root, sorted by name.
    pub files: Vec<PackageFile>,
    /// Entries that do not count: in folders, or not YAML.
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

/// Why a package is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackageError {
    /// It is not a zip archive, or a broken one.
    NotAZip,
    /// An entry's name leads out of the package.
    UnsafeName(String),
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
}

/// Reads a package.
///
/// # Errors
/// [`PackageError`] when it is broken or would be dangerous to unpack.
pub fn read(bytes: &[u8], limits: &PackageLimits) -> Result<Package, PackageError> {
    let _ = (bytes, limits);
    todo!()
}

/// Writes a package. The same files give the same bytes.
pub fn write(files: &[PackageFile]) -> Vec<u8> {
    let _ = files;
    todo!()
}

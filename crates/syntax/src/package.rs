//! Zip packages: several YAML files published as one (GAP-16, "multi-YAML descriptor package").
//!
//! Only YAML files in the archive's root count: a folder that holds everything is not looked into, its files are in
//! [`Package::ignored`]. What would be dangerous to unpack is refused as a whole.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{Cursor, Read, Write};

use diag::order;
use zip::read::ZipFile;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

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

/// Why a package is refused.
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

/// Entries below this size are never suspicious.
const SMALL: u64 = 64 << 10;

/// Reads a package.
///
/// # Guarantees
/// Only the entries that count are unpacked, and never more than the limits allow, whatever sizes the archive claims.
/// The result does not depend on the order of the entries.
///
/// # Errors
/// [`PackageError`] when it is broken or would be dangerous to unpack.
pub fn read(bytes: &[u8], limits: &PackageLimits) -> Result<Package, PackageError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| PackageError::NotAZip)?;
    if archive.has_duplicate_names() {
        return Err(PackageError::Duplicate(duplicate_name(bytes, archive.central_directory_start())));
    }
    if archive.len() > limits.entries {
        return Err(PackageError::TooManyEntries(archive.len()));
    }
    let counted = survey(&archive)?;
    let mut package = Package { files: Vec::new(), ignored: counted.ignored };
    let mut left = limits.total_bytes;
    for (idx, name) in counted.files {
        let file = archive.by_index(idx).map_err(|error| refusal(error, &name))?;
        let content = unpack(file, &name, &mut left, limits.ratio, bytes.len() as u64)?;
        let text = String::from_utf8(content).map_err(|_| PackageError::NotText(name.clone()))?;
        package.files.push(PackageFile { name, text });
    }
    order::by(&mut package.files, |a, b| a.name.cmp(&b.name));
    order::by(&mut package.ignored, String::cmp);
    Ok(package)
}

/// Which entries count.
struct ZipEntries {
    files: Vec<(usize, String)>,
    ignored: Vec<String>,
}

/// Looks at all names before anything is unpacked.
fn survey(archive: &ZipArchive<Cursor<&[u8]>>) -> Result<ZipEntries, PackageError> {
    let mut survey = ZipEntries { files: Vec::new(), ignored: Vec::new() };
    let mut names = BTreeSet::new();
    for idx in 0..archive.len() {
        let entry = archive.by_index_data(idx).map_err(|_| PackageError::NotAZip)?;
        let raw = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let name = entry.name().map_err(|_| PackageError::UnsafeName(raw.clone()))?.into_owned();
        let both = [&name, &raw];
        if both.iter().any(|it| !is_inside(it)) {
            return Err(PackageError::UnsafeName(name));
        }
        if both.iter().any(|it| it.is_empty() || it.contains(char::is_control)) {
            return Err(PackageError::OddName(name));
        }
        if !names.insert(name.clone()) {
            return Err(PackageError::Duplicate(name));
        }
        if entry.encrypted() {
            return Err(PackageError::Encrypted(name));
        }
        if entry.is_file() && is_root_yaml(&name) {
            if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
                return Err(PackageError::UnknownPacking(name));
            }
            survey.files.push((idx, name));
        } else if !entry.is_dir() {
            survey.ignored.push(name);
        }
    }
    Ok(survey)
}

/// Whether a name stays inside the package on every system.
fn is_inside(name: &str) -> bool {
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    !name.starts_with('/') && !has_drive && !name.contains('\\') && name.split('/').all(|part| part != "..")
}

/// `._x.yaml` is what some systems leave beside `x.yaml`.
fn is_root_yaml(name: &str) -> bool {
    let is_yaml = |extension: &str| {
        let at = name.len().wrapping_sub(extension.len());
        at > 0 && name.get(at..).is_some_and(|it| it.eq_ignore_ascii_case(extension))
    };
    !name.contains('/') && !name.starts_with("._") && (is_yaml(".yaml") || is_yaml(".yml"))
}

/// Unpacks an entry, counting what really comes out.
fn unpack(
    mut file: ZipFile<'_, Cursor<&[u8]>>,
    name: &str,
    left: &mut u64,
    ratio: u64,
    archive_len: u64,
) -> Result<Vec<u8>, PackageError> {
    let packed = file.compressed_size().min(archive_len);
    let most = packed.saturating_mul(ratio).max(SMALL);
    let mut content = Vec::new();
    let mut chunk = [0; 16 << 10];
    loop {
        let count = file.read(&mut chunk).map_err(|_| PackageError::Damaged(name.to_owned()))?;
        if count == 0 {
            return Ok(content);
        }
        *left = left.checked_sub(count as u64).ok_or(PackageError::TooLarge)?;
        content.extend_from_slice(&chunk[..count]);
        if content.len() as u64 > most {
            return Err(PackageError::SuspiciousRatio(name.to_owned()));
        }
    }
}

fn refusal(error: ZipError, name: &str) -> PackageError {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => {
            PackageError::Encrypted(name.to_owned())
        }
        ZipError::CompressionMethodNotSupported(_) | ZipError::UnsupportedArchive(_) => {
            PackageError::UnknownPacking(name.to_owned())
        }
        _ => PackageError::Damaged(name.to_owned()),
    }
}

/// The first name that the central directory holds twice.
fn duplicate_name(bytes: &[u8], directory: u64) -> String {
    let mut names = BTreeSet::new();
    let mut at = usize::try_from(directory).unwrap_or(usize::MAX);
    while let Some(header) =
        bytes.get(at..).filter(|it| it.starts_with(b"PK\x01\x02")).and_then(|it| it.get(..46))
    {
        let len = |field: usize| usize::from(u16::from_le_bytes([header[field], header[field + 1]]));
        let name = bytes.get(at + 46..at + 46 + len(28)).unwrap_or_default();
        if !names.insert(name) {
            return String::from_utf8_lossy(name).into_owned();
        }
        at += 46 + len(28) + len(30) + len(32);
    }
    String::new()
}

/// Writes a package. The same files give the same bytes, in whatever order they come; of two with one name the first
/// counts.
pub fn write(files: &[PackageFile]) -> Vec<u8> {
    let mut sorted: Vec<&PackageFile> = files.iter().collect();
    order::by(&mut sorted, |a, b| a.name.cmp(&b.name));
    sorted.dedup_by(|later, first| later.name == first.name);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o644);
    for file in sorted {
        // Writing to memory only fails for names and texts beyond what a zip archive can hold.
        if writer.start_file(file.name.as_str(), options).is_ok() {
            let _ = writer.write_all(file.text.as_bytes());
        }
    }
    writer.finish().map(Cursor::into_inner).unwrap_or_default()
}

//! Reading packages.

use std::collections::BTreeSet;

use diag::order;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use rawzip::{
    CompressionMethod, Error, ZipArchive, ZipArchiveEntryWayfinder, ZipFileHeaderRecord, ZipSliceArchive,
    ZipVerification,
};

use super::crc::crc32;
use super::{Package, PackageError, PackageFile, PackageLimits, name};

type Archive<'a> = ZipSliceArchive<&'a [u8]>;

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
    let archive = ZipArchive::from_slice(bytes).map_err(|_| PackageError::NotAZip)?;
    let count = count(&archive)?;
    if count > limits.entries {
        return Err(PackageError::TooManyEntries(count));
    }
    let counted = survey(&archive)?;
    let mut package = Package { files: Vec::new(), ignored: counted.ignored };
    let mut left = limits.total_bytes;
    for entry in counted.files {
        let content = unpack(&archive, &entry, left, limits.ratio)?;
        left = left.saturating_sub(content.len() as u64);
        let text = String::from_utf8(content).map_err(|_| PackageError::NotText(entry.name.clone()))?;
        package.files.push(PackageFile { name: entry.name, text });
    }
    order::by(&mut package.files, |a, b| a.name.cmp(&b.name));
    order::by(&mut package.ignored, String::cmp);
    Ok(package)
}

/// As many records as the archive says that it has; any behind them are not read.
fn records<'a>(archive: &'a Archive<'_>) -> impl Iterator<Item = Result<ZipFileHeaderRecord<'a>, Error>> {
    archive.entries().take(usize::try_from(archive.entries_hint()).unwrap_or(usize::MAX))
}

/// The number of entries, before anything is kept of them.
fn count(archive: &Archive<'_>) -> Result<usize, PackageError> {
    let mut count = 0;
    for record in records(archive) {
        record.map_err(|_| PackageError::NotAZip)?;
        count += 1;
    }
    if count as u64 == archive.entries_hint() { Ok(count) } else { Err(PackageError::NotAZip) }
}

/// An entry that counts.
struct ZipEntry {
    name: String,
    is_deflated: bool,
    place: ZipArchiveEntryWayfinder,
}

/// The entries that count, and the names of those that do not.
#[derive(Default)]
struct ZipEntries {
    files: Vec<ZipEntry>,
    ignored: Vec<String>,
}

impl ZipEntries {
    fn add(&mut self, record: &ZipFileHeaderRecord<'_>, name: String) -> Result<(), PackageError> {
        if record.flags().is_encrypted() {
            return Err(PackageError::Encrypted(name));
        }
        if name::is_root_yaml(&name) && !is_link(record) {
            let is_deflated = record.compression_method() == CompressionMethod::DEFLATE;
            if !is_deflated && record.compression_method() != CompressionMethod::STORE {
                return Err(PackageError::UnknownPacking(name));
            }
            self.files.push(ZipEntry { name, is_deflated, place: record.wayfinder() });
        } else if !name.ends_with('/') {
            self.ignored.push(name);
        }
        Ok(())
    }
}

/// Checks all names before anything is unpacked.
fn survey(archive: &Archive<'_>) -> Result<ZipEntries, PackageError> {
    let mut entries = ZipEntries::default();
    let mut names = BTreeSet::new();
    for record in records(archive) {
        let record = record.map_err(|_| PackageError::NotAZip)?;
        let name = name::checked(&record)?;
        if !names.insert(name.clone()) {
            return Err(PackageError::Duplicate(name));
        }
        entries.add(&record, name)?;
    }
    Ok(entries)
}

/// Some programs write the mode of Unix and name another system as the archive's origin.
fn is_link(record: &ZipFileHeaderRecord<'_>) -> bool {
    (record.external_attributes() >> 16) & 0o170_000 == 0o120_000
}

/// Unpacks an entry, as far as it may be.
fn unpack(archive: &Archive<'_>, entry: &ZipEntry, left: u64, ratio: u64) -> Result<Vec<u8>, PackageError> {
    let damaged = || PackageError::Damaged(entry.name.clone());
    let found = archive.get_entry(entry.place).map_err(|_| damaged())?;
    let (packed, claimed) = (found.data(), found.claim_verifier());
    let most = (packed.len() as u64).saturating_mul(ratio).max(SMALL);
    let bound = claimed.uncompressed_size.min(left).min(most);
    let content = content(packed, entry.is_deflated, bound).map_err(|why| match why {
        NotUnpacked::Damaged => damaged(),
        NotUnpacked::Larger if bound == claimed.uncompressed_size => damaged(),
        NotUnpacked::Larger if bound == left => PackageError::TooLarge,
        NotUnpacked::Larger => PackageError::SuspiciousRatio(entry.name.clone()),
    })?;
    let actual = ZipVerification { crc: crc32(&content), uncompressed_size: content.len() as u64 };
    if actual == claimed { Ok(content) } else { Err(damaged()) }
}

/// The reason why there is no content.
enum NotUnpacked {
    Damaged,
    /// It is larger than its bound.
    Larger,
}

fn content(packed: &[u8], is_deflated: bool, bound: u64) -> Result<Vec<u8>, NotUnpacked> {
    let bound = usize::try_from(bound).unwrap_or(usize::MAX);
    if !is_deflated {
        return if packed.len() > bound { Err(NotUnpacked::Larger) } else { Ok(packed.to_vec()) };
    }
    decompress_to_vec_with_limit(packed, bound).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => NotUnpacked::Larger,
        _ => NotUnpacked::Damaged,
    })
}

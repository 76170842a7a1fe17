//! Writing packages.

use diag::order;
use miniz_oxide::deflate::compress_to_vec;

use super::PackageFile;
use super::crc::crc32;

/// The level at which files are packed, from 0 to 10.
const LEVEL: u8 = 6;
/// The version of the format that packed files need: 2.0.
const VERSION: u16 = 20;
/// Unix, as what made the archive: only then do entries have a mode.
const UNIX: u16 = 3 << 8;
/// Names are UTF-8.
const UNICODE: u16 = 1 << 11;
const DEFLATED: u16 = 8;
/// The first of January 1980, where time begins in zip archives; its midnight is 0.
const DATE: u16 = (1 << 5) | 1;
/// A file that its owner may write and all may read.
const MODE: u32 = 0o100_644;

/// Writes a package. The same files give the same bytes, in whatever order they come; of two with one name the first counts.
///
/// Files that a zip archive cannot hold are left out: those with names above 64 KiB, those that exceed 4 GiB, and those after
/// the 65,535th.
pub fn write(files: &[PackageFile]) -> Vec<u8> {
    let mut sorted: Vec<&PackageFile> = files.iter().collect();
    order::by(&mut sorted, |a, b| a.name.cmp(&b.name));
    sorted.dedup_by(|later, first| later.name == first.name);
    let mut archive = Archive::default();
    for file in sorted {
        let _ = archive.add(file);
    }
    archive.finish()
}

/// An archive that is being written.
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    /// The central directory, which follows the files and names each of them again.
    directory: Vec<u8>,
    files: u16,
}

impl Archive {
    /// Adds a file; `None`, and no change, when it does not fit.
    fn add(&mut self, file: &PackageFile) -> Option<()> {
        let packed = compress_to_vec(file.text.as_bytes(), LEVEL);
        let common = common(file, packed.len())?;
        let entry = [b"PK\x03\x04", &*common, file.name.as_bytes(), &packed].concat();
        let place = u32::try_from(self.bytes.len()).ok()?;
        u32::try_from(self.bytes.len() + entry.len()).ok()?;
        self.files = self.files.checked_add(1)?;
        self.bytes.extend(entry);
        // No comment, on the first disk, of no known type.
        let rest = [shorts(&[0, 0, 0]), longs(&[MODE << 16, place])].concat();
        let record = [b"PK\x01\x02", &*shorts(&[UNIX | VERSION]), &common, &rest, file.name.as_bytes()];
        self.directory.extend(record.concat());
        Some(())
    }

    fn finish(mut self) -> Vec<u8> {
        let long = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let place = longs(&[long(self.directory.len()), long(self.bytes.len())]);
        let counts = shorts(&[0, 0, self.files, self.files]);
        self.bytes.extend([&*self.directory, b"PK\x05\x06", &counts, &place, &[0, 0]].concat());
        self.bytes
    }
}

/// The fields that a file's header and its record in the directory share.
fn common(file: &PackageFile, packed: usize) -> Option<Vec<u8>> {
    let flags = if file.name.is_ascii() { 0 } else { UNICODE };
    let sizes = [packed, file.text.len()].map(|it| u32::try_from(it).ok());
    let [Some(packed), Some(unpacked)] = sizes else { return None };
    let name = u16::try_from(file.name.len()).ok()?;
    let numbers = longs(&[crc32(file.text.as_bytes()), packed, unpacked]);
    Some([shorts(&[VERSION, flags, DEFLATED, 0, DATE]), numbers, shorts(&[name, 0])].concat())
}

fn shorts(values: &[u16]) -> Vec<u8> {
    values.iter().copied().flat_map(u16::to_le_bytes).collect()
}

fn longs(values: &[u32]) -> Vec<u8> {
    values.iter().copied().flat_map(u32::to_le_bytes).collect()
}

//! The records of a store's file: their encoding, and the problems of one that cannot be read.

use std::{collections::BTreeSet, ops::Range};

use serde::{Deserialize, Serialize};
use store::{Change, Commit, Counters, Key, Kind, Resource};

use crate::resource_text;

/// The beginning of a file: its format, and empty lines up to the first place where a record may begin.
pub(super) const HEADER: &[u8] = b"planloom.store/1\n\n\n\n";

/// Records begin at multiples of this, so that a sector never has less than that of a frame.
const ALIGNMENT: usize = 4;

/// The length of the frame before the content of a record, in bytes.
pub(super) const FRAME: usize = 12;

/// The content of a record from which no further transaction is added to it, in bytes.
const ENOUGH: usize = 4 << 20;

/// The longest content of a record, in bytes.
const LONGEST: usize = 1 << 30;

/// The length of a part that a disk writes as a whole, in bytes.
const SECTOR: usize = 512;

/// A record in the making.
#[derive(Debug)]
pub(super) struct Record {
    bytes: Vec<u8>,
    places: Places,
}

/// The resources that a record puts, with the places of their lines in it; `None` for those it deletes.
pub(super) type Places = Vec<(Key, Option<Range<usize>>)>;

/// A line of a record.
pub(super) enum Line {
    Put(Box<Resource>),
    Delete(Key),
    Counters(Counters),
    /// The lines up to the next counters were written by a compaction, and are complete.
    Compacted,
}

#[derive(Serialize, Deserialize)]
struct Numbers {
    revision: u64,
    uid: u64,
}

impl Default for Record {
    fn default() -> Self {
        Self { bytes: vec![0; FRAME], places: Places::new() }
    }
}

impl Record {
    /// A record of the first of these transactions, and their number.
    pub(super) fn of(commits: &[Commit]) -> Result<(Self, usize), String> {
        let (mut record, mut count) = (Self::default(), 0_usize);
        for commit in commits {
            commit.changes.iter().try_for_each(|change| record.change(change))?;
            count += 1;
            if record.is_long() {
                break;
            }
        }
        if let Some(last) = commits.get(count.saturating_sub(1)) {
            record.counters(last.counters)?;
        }
        Ok((record, count))
    }

    fn change(&mut self, change: &Change) -> Result<(), String> {
        let start = self.bytes.len();
        match change {
            Change::Put(resource) => {
                self.bytes.push(b'+');
                resource_text::write(resource, &mut self.bytes)?;
            }
            Change::Delete(key) => {
                self.bytes.push(b'-');
                self.json(key)?;
            }
        }
        self.bytes.push(b'\n');
        let place = matches!(change, Change::Put(_)).then_some(start..self.bytes.len());
        self.places.push((change.key().clone(), place));
        Ok(())
    }

    /// The first record that a compaction writes.
    pub(super) fn compacted() -> Self {
        let mut record = Self::default();
        record.bytes.extend_from_slice(b"*\n");
        record
    }

    /// Adds the line of a resource, as another record has it.
    pub(super) fn copy(&mut self, key: Key, line: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(line);
        self.places.push((key, Some(start..self.bytes.len())));
    }

    pub(super) fn counters(&mut self, counters: Counters) -> Result<(), String> {
        self.bytes.push(b'=');
        self.json(&Numbers { revision: counters.revision.get(), uid: counters.uid.get() })?;
        self.bytes.push(b'\n');
        Ok(())
    }

    fn json(&mut self, value: &impl Serialize) -> Result<(), String> {
        serde_json::to_writer(&mut self.bytes, value).map_err(|why| format!("it has no JSON form: {why}"))
    }

    pub(super) fn is_long(&self) -> bool {
        self.bytes.len() >= ENOUGH
    }

    /// The bytes to write, with the places in them.
    ///
    /// # Errors
    /// If they are too many.
    pub(super) fn finish(mut self) -> Result<(Vec<u8>, Places), String> {
        self.bytes.resize(self.bytes.len().next_multiple_of(ALIGNMENT), b'\n');
        let content = self.bytes.get(FRAME..).unwrap_or_default();
        let length = u32::try_from(content.len()).ok().filter(|it| *it as usize <= LONGEST);
        let Some(length) = length else {
            let (is, most) = (content.len() >> 20, LONGEST >> 20);
            return Err(format!("a transaction has {is} MiB, and one in a file at most {most}"));
        };
        let frame = frame(length, crc32fast::hash(content));
        self.bytes.splice(..FRAME, frame);
        Ok((self.bytes, self.places))
    }
}

fn frame(length: u32, checksum: u32) -> [u8; FRAME] {
    let mut frame = [0; FRAME];
    frame[..4].copy_from_slice(&length.to_le_bytes());
    frame[4..8].copy_from_slice(&checksum.to_le_bytes());
    let own = crc32fast::hash(&frame[..8]);
    frame[8..].copy_from_slice(&own.to_le_bytes());
    frame
}

/// The length and the checksum of the content after a frame; `None` if it is none.
pub(super) fn read_frame(bytes: &[u8]) -> Option<(usize, u32)> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (checksum, rest) = rest.split_first_chunk::<4>()?;
    let (own, _) = rest.split_first_chunk::<4>()?;
    let (length, checksum) = (u32::from_le_bytes(*length), u32::from_le_bytes(*checksum));
    let is_frame = length > 0 && crc32fast::hash(bytes.get(..8)?) == u32::from_le_bytes(*own);
    is_frame.then_some((length as usize, checksum))
}

/// The lines of a record's content, with their places in it. Empty ones only fill it up.
pub(super) fn lines(content: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = content.split_inclusive(|it| *it == b'\n');
    let lines = lines.scan(0, |end, line| {
        *end += line.len();
        Some((*end - line.len(), line))
    });
    lines.filter(|(_, line)| *line != b"\n")
}

impl Line {
    /// `None` if it is not a line of this format.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
        let rest = line.get(1..)?;
        match line.as_bytes().first()? {
            b'+' => resource_text::read(rest).map(|it| Self::Put(Box::new(it))),
            b'-' => serde_json::from_str(rest).ok().map(Self::Delete),
            b'=' => {
                let Numbers { revision, uid } = serde_json::from_str(rest).ok()?;
                Some(Self::Counters(Counters::new(revision, uid)))
            }
            b'*' if rest.is_empty() => Some(Self::Compacted),
            _ => None,
        }
    }
}

/// True if the rest of a file from `offset` on, which is not a record, can be the remains, after a crash, of a record that was
/// never acknowledged: its beginning, or with sectors that were never written.
///
/// A record is begun when the one before is on the disk, so only the last one can be like that: nothing follows it.
/// Content has no zeros, a frame does not begin with four, and an unwritten sector has nothing else.
pub(super) fn is_torn(rest: &[u8], offset: u64) -> bool {
    let is_torn = match read_frame(rest) {
        Some((length, _)) if rest.len() == FRAME + length => has_unwritten(rest, offset),
        Some((length, _)) => rest.len() < FRAME + length,
        None => rest.len() < FRAME || has_unwritten(sectors_of_frame(rest, offset), offset),
    };
    is_torn && !has_record(rest.get(1..).unwrap_or_default())
}

/// The number of bytes of its sector before `offset`.
fn into_sector(offset: u64) -> usize {
    usize::try_from(offset % SECTOR as u64).unwrap_or_default()
}

/// The bytes from `offset` on in the one or two sectors of a frame.
fn sectors_of_frame(rest: &[u8], offset: u64) -> &[u8] {
    let into = into_sector(offset);
    let end = (into + FRAME).next_multiple_of(SECTOR) - into;
    rest.get(..end).unwrap_or(rest)
}

fn has_unwritten(rest: &[u8], offset: u64) -> bool {
    let (first, others) = rest.split_at(rest.len().min(SECTOR - into_sector(offset)));
    let mut parts = std::iter::once(first).chain(others.chunks(SECTOR));
    parts.any(|part| part.len() >= ALIGNMENT && part.iter().all(|it| *it == 0))
}

fn has_record(bytes: &[u8]) -> bool {
    (0..bytes.len()).any(|at| {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some((length, checksum)) = read_frame(rest) else { return false };
        rest.get(FRAME..FRAME + length).is_some_and(|content| crc32fast::hash(content) == checksum)
    })
}

/// Shares the names of kinds among resources.
#[derive(Debug, Default)]
pub(super) struct Kinds(BTreeSet<Kind>);

impl Kinds {
    pub(super) fn share(&mut self, kind: &mut Kind) {
        match self.0.get(kind) {
            Some(known) => *kind = known.clone(),
            None => drop(self.0.insert(kind.clone())),
        }
    }
}

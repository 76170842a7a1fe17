//! Parsing the files of a state.

use std::path::Path;

use serde::Deserialize;
use state::{BackendError, Commit, Encryption, SealedPart, Snapshot};

use super::{
    disk::{FileStamp, Raw},
    folder,
    paths::Paths,
};

/// The properties of the stored state that the next commit needs.
#[derive(Clone, Debug)]
pub(super) struct CommitBase {
    /// `None` if there is no state.
    pub(super) lineage: Option<String>,
    pub(super) serial: u64,
    pub(super) stamp: FileStamp,
    /// True if it was read some time ago, so that others may have written since.
    pub(super) is_old: bool,
}

impl CommitBase {
    pub(super) fn of(snapshot: &Snapshot, stamp: FileStamp) -> Self {
        Self { lineage: Some(snapshot.lineage.clone()), serial: snapshot.serial, stamp, is_old: true }
    }
}

pub(super) struct Kept {
    pub(super) snapshot: Option<Snapshot>,
    pub(super) known: CommitBase,
}

/// The fields of a commit's line besides the commit.
#[derive(Deserialize)]
struct CommitHeader {
    lineage: String,
}

/// The snapshot with all commits that are not in it yet.
pub(super) fn compose(paths: &Paths, raw: Raw, encryption: &Encryption) -> Result<Kept, BackendError> {
    let lines = whole_lines(&raw.journal, encryption)
        .map_err(|why| BackendError::Corrupt(format!("{}, {why}", paths.journal.display())))?;
    let stamp = raw.stamp.with_whole(lines.len());
    let Some(bytes) = raw.snapshot else {
        let history = folder::serials(paths)?;
        if let (true, Some(latest)) = (lines.is_empty(), history.first()) {
            let (state, version) = (paths.state.display(), paths.version(*latest));
            let why = format!("{state} is missing, but its history exists: {}", version.display());
            return Err(BackendError::Corrupt(why));
        }
        if lines.is_empty() {
            let known = CommitBase { lineage: None, serial: 0, stamp, is_old: false };
            return Ok(Kept { snapshot: None, known });
        }
        let (journal, state) = (paths.journal.display(), paths.state.display());
        return Err(BackendError::Corrupt(format!("{journal} exists, but {state} is missing")));
    };
    let snapshot = snapshot(&paths.state, &bytes, encryption)?;
    let mut replay = Replay { snapshot, last: None };
    for (index, line) in lines.split_inclusive(|it| *it == b'\n').enumerate() {
        replay.take(&line[..line.len() - 1], encryption).map_err(|why| {
            let place = format!("{}, line {}", paths.journal.display(), index + 1);
            match why {
                BackendError::Corrupt(why) => BackendError::Corrupt(format!("{place}: {why}")),
                other => other,
            }
        })?;
    }
    let snapshot = replay.snapshot;
    let known = CommitBase { is_old: false, ..CommitBase::of(&snapshot, stamp) };
    Ok(Kept { snapshot: Some(snapshot), known })
}

/// A snapshot from a file.
pub(super) fn snapshot(path: &Path, bytes: &[u8], encryption: &Encryption) -> Result<Snapshot, BackendError> {
    let corrupt = |why: String| BackendError::Corrupt(format!("{}, {why}", path.display()));
    let clear = encryption.open(SealedPart::Snapshot, bytes)?;
    let text = std::str::from_utf8(&clear).map_err(|why| corrupt(why.to_string()))?;
    Snapshot::read(text).map_err(|why| corrupt(why.to_string()))
}

/// A snapshot to which commits are applied.
struct Replay {
    snapshot: Snapshot,
    /// The serial of the previous commit.
    last: Option<u64>,
}

impl Replay {
    fn take(&mut self, line: &[u8], encryption: &Encryption) -> Result<(), BackendError> {
        let clear = encryption.open(SealedPart::Commit, line)?;
        let text = std::str::from_utf8(&clear).map_err(|why| corrupt(&why))?;
        let commit = Commit::read(text)
            .map_err(|why| BackendError::Corrupt(format!("column {}: {}", why.column, why.why)))?;
        let said: CommitHeader = serde_json::from_str(text).map_err(|why| corrupt(&why))?;
        if said.lineage != self.snapshot.lineage {
            return Err(corrupt(&"it is a commit of another deployment: its lineage differs"));
        }
        let before = self.last.unwrap_or_else(|| self.snapshot.serial.min(commit.serial.saturating_sub(1)));
        if commit.serial != before + 1 {
            let found = commit.serial;
            return Err(corrupt(&format!(
                "commit {found} follows version {before}, which is not the one before"
            )));
        }
        self.last = Some(commit.serial);
        // Commits that are in the snapshot already may still be in the journal.
        if commit.serial > self.snapshot.serial {
            self.snapshot.take(&commit);
        }
        Ok(())
    }
}

fn corrupt(why: &impl ToString) -> BackendError {
    BackendError::Corrupt(why.to_string())
}

/// The journal without an incomplete last line: one without its end, or with parts that never reached the
/// disk. All other lines were on the disk before the next was begun.
///
/// A line that was complete and then damaged does not count: its commit was acknowledged, and must not be
/// ignored.
fn whole_lines<'j>(journal: &'j [u8], encryption: &Encryption) -> Result<&'j [u8], String> {
    let end = journal.iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
    let (whole, torn) = journal.split_at(end);
    // An incomplete line is shorter; and bytes that never reached the disk are 0.
    if let Some((last, text)) = torn.split_last()
        && *last != 0
        && is_commit(text, encryption)
    {
        return Err(damaged(whole));
    }
    let last = whole.split_last().map_or(whole, |(_, rest)| rest);
    let start = last.iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
    let (before, last) = (&whole[..start], &last[start.min(last.len())..]);
    match last.iter().filter(|it| **it == 0).count() {
        0 => Ok(whole),
        1 if is_damaged_commit(last, encryption) => Err(damaged(before)),
        _ => Ok(before),
    }
}

fn damaged(before: &[u8]) -> String {
    let line = before.iter().filter(|it| **it == b'\n').count() + 1;
    format!("line {line}: a byte of it is damaged")
}

/// True if a line with one byte that is 0 would be a commit if one bit of that byte were set.
fn is_damaged_commit(line: &[u8], encryption: &Encryption) -> bool {
    let Some(at) = line.iter().position(|it| *it == 0) else { return false };
    (0..8).any(|bit| {
        let mut line = line.to_vec();
        line[at] = 1 << bit;
        is_commit(&line, encryption)
    })
}

fn is_commit(line: &[u8], encryption: &Encryption) -> bool {
    let Ok(clear) = encryption.open(SealedPart::Commit, line) else { return false };
    std::str::from_utf8(&clear).is_ok_and(|text| Commit::read(text).is_ok())
}

//! What the bytes of a state's files say.

use std::path::Path;

use serde::Deserialize;
use state::{BackendError, Commit, Encryption, Piece, Snapshot};

use super::{
    disk::{Raw, Stamp},
    folder,
    paths::Paths,
};

/// What is kept, as far as the next commit needs it.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// `None` where nothing is kept.
    pub(super) lineage: Option<String>,
    pub(super) serial: u64,
    pub(super) stamp: Stamp,
    /// It was not read just now: others may have written.
    pub(super) is_old: bool,
}

impl Known {
    pub(super) fn of(snapshot: &Snapshot, stamp: Stamp) -> Self {
        Self { lineage: Some(snapshot.lineage.clone()), serial: snapshot.serial, stamp, is_old: true }
    }
}

pub(super) struct Kept {
    pub(super) snapshot: Option<Snapshot>,
    pub(super) known: Known,
}

/// What a commit's line says besides the commit.
#[derive(Deserialize)]
struct Said {
    lineage: String,
}

/// A commit as a line of the journal, which says whose it is: a journal that lies beside another state is not taken for
/// that one's.
pub(super) fn line(lineage: &str, commit: &Commit) -> String {
    let mut json = serde_json::to_value(commit).unwrap_or_default();
    json["lineage"] = lineage.into();
    json.sort_all_objects();
    json.to_string()
}

/// The snapshot with all commits that are not in it yet.
pub(super) fn compose(paths: &Paths, raw: Raw, encryption: &Encryption) -> Result<Kept, BackendError> {
    let lines = whole_lines(&raw.journal);
    let stamp = raw.stamp.with_whole(lines.len());
    let Some(bytes) = raw.snapshot else {
        let history = folder::serials(paths)?;
        if let (true, Some(latest)) = (lines.is_empty(), history.first()) {
            let (state, version) = (paths.state.display(), paths.version(*latest));
            let why = format!("{state} is gone, but its history is there: {}", version.display());
            return Err(BackendError::Corrupt(why));
        }
        if lines.is_empty() {
            let known = Known { lineage: None, serial: 0, stamp, is_old: false };
            return Ok(Kept { snapshot: None, known });
        }
        let (journal, state) = (paths.journal.display(), paths.state.display());
        return Err(BackendError::Corrupt(format!("{journal} is there, but {state} is gone")));
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
    let known = Known { is_old: false, ..Known::of(&snapshot, stamp) };
    Ok(Kept { snapshot: Some(snapshot), known })
}

/// A snapshot from a file.
pub(super) fn snapshot(path: &Path, bytes: &[u8], encryption: &Encryption) -> Result<Snapshot, BackendError> {
    let corrupt = |why: String| BackendError::Corrupt(format!("{}, {why}", path.display()));
    let clear = encryption.open(Piece::Snapshot, bytes)?;
    let text = std::str::from_utf8(&clear).map_err(|why| corrupt(why.to_string()))?;
    Snapshot::read(text).map_err(|why| corrupt(why.to_string()))
}

/// A snapshot while commits are taken in.
struct Replay {
    snapshot: Snapshot,
    /// The serial of the commit before.
    last: Option<u64>,
}

impl Replay {
    fn take(&mut self, line: &[u8], encryption: &Encryption) -> Result<(), BackendError> {
        let clear = encryption.open(Piece::Commit, line)?;
        let text = std::str::from_utf8(&clear).map_err(|why| corrupt(&why))?;
        let commit = Commit::read(text)
            .map_err(|why| BackendError::Corrupt(format!("column {}: {}", why.column, why.why)))?;
        let said: Said = serde_json::from_str(text).map_err(|why| corrupt(&why))?;
        if said.lineage != self.snapshot.lineage {
            return Err(corrupt(&"it is a commit of another deployment: its lineage is another"));
        }
        let before = self.last.unwrap_or_else(|| self.snapshot.serial.min(commit.serial.saturating_sub(1)));
        if commit.serial != before + 1 {
            let found = commit.serial;
            return Err(corrupt(&format!(
                "commit {found} follows version {before}, which is not the one before"
            )));
        }
        self.last = Some(commit.serial);
        // Those that were folded into the snapshot may still stand there.
        if commit.serial > self.snapshot.serial {
            self.snapshot.take(&commit);
        }
        Ok(())
    }
}

fn corrupt(why: &impl ToString) -> BackendError {
    BackendError::Corrupt(why.to_string())
}

/// The journal without a last line that was torn: one without its end, or one of which the disk never got a part. All
/// others were on the disk before the next was begun.
fn whole_lines(journal: &[u8]) -> &[u8] {
    let end = journal.iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
    let whole = &journal[..end];
    let last = whole.split_last().map_or(whole, |(_, rest)| rest);
    let start = last.iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
    if whole[start..].contains(&0) { &whole[..start] } else { whole }
}

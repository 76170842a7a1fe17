//! Every change to what the user has can be undone, across files.

use super::{Document, FileKey};

/// How many changes can be undone.
const DEPTH: usize = 300;
/// Typing that pauses for less than this is one change, in milliseconds.
const PAUSE: f64 = 1_000.0;

/// What was changed, and how it was before.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its number; later changes have higher ones.
    pub id: u64,
    /// What was changed.
    pub label: String,
    /// How it was before.
    pub before: Document,
    typing: Option<(FileKey, f64)>,
}

impl Step {
    /// A change that is over.
    pub const fn new(id: u64, label: String, before: Document) -> Self {
        Self { id, label, before, typing: None }
    }
}

/// A step never changes: the same number is the same step.
impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// The changes that can be undone and redone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    count: u64,
    past: Vec<Step>,
    future: Vec<Step>,
}

impl History {
    /// What can be undone, the first change first.
    pub fn of(past: Vec<Step>) -> Self {
        Self { count: past.last().map_or(0, |step| step.id), past, future: Vec::new() }
    }

    /// Remembers how it was before a change.
    pub fn record(&mut self, label: impl Into<String>, before: Document) {
        self.push(label.into(), before, None);
    }

    /// Remembers how it was before typing; one change as long as it goes on without a pause.
    pub fn record_typing(&mut self, label: impl Into<String>, key: FileKey, at: f64, before: Document) {
        if let Some(Step { typing: Some((last_key, last)), .. }) = self.past.last_mut()
            && *last_key == key
            && at - *last < PAUSE
            && self.future.is_empty()
        {
            *last = at;
            return;
        }
        self.push(label.into(), before, Some((key, at)));
    }

    /// How it was before the last change, and what that was called.
    pub fn undo(&mut self, now: Document) -> Option<(String, Document)> {
        let step = self.past.pop()?;
        self.future.push(Step { before: now, typing: None, ..step.clone() });
        Some((step.label, step.before))
    }

    /// How it was before the last undo, and what is done again.
    pub fn redo(&mut self, now: Document) -> Option<(String, Document)> {
        let step = self.future.pop()?;
        self.past.push(Step { before: now, typing: None, ..step.clone() });
        Some((step.label, step.before))
    }

    /// What undo would undo.
    pub fn undoes(&self) -> Option<&str> {
        self.past.last().map(|step| &*step.label)
    }

    /// What redo would do again.
    pub fn redoes(&self) -> Option<&str> {
        self.future.last().map(|step| &*step.label)
    }

    /// The changes that can be undone, the last one first.
    pub fn changes(&self) -> impl Iterator<Item = &Step> {
        self.past.iter().rev()
    }

    fn push(&mut self, label: String, before: Document, typing: Option<(FileKey, f64)>) {
        self.future.clear();
        self.count += 1;
        self.past.push(Step { id: self.count, label, before, typing });
        if self.past.len() > DEPTH {
            self.past.remove(0);
        }
    }
}

//! Every change to what the user has can be undone, across files.

use std::rc::Rc;

use super::{Document, FileKey};

/// The number of changes that can be undone.
const DEPTH: usize = 300;
/// Typing that pauses for less than this is one change, in milliseconds.
const PAUSE: f64 = 1_000.0;

/// A change, with the document before it.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its number; later changes have higher ones.
    pub id: u64,
    /// The description of the change.
    pub label: String,
    /// The time of the change, in milliseconds since 1970; 0 if it is not known.
    pub at: i64,
    /// It changed texts by program, perhaps in several files: one editor cannot undo all of it.
    pub edits: bool,
    /// It was typed in an editor, which may have undone it by itself.
    pub typed: bool,
    /// It chose what is planned against: a recorded or observed state.
    pub states: bool,
    /// The document before the change.
    pub before: Document,
}

impl Step {
    /// True if nothing of it is left; which file is selected does not count.
    fn is_undone(&self, now: &Document) -> bool {
        Document { selected: now.selected, ..self.restored(now) } == *now
    }

    /// The document that undo, or redo, brings back. Undo is of edits, never of what exists: the states that are
    /// planned against stay as they are now, unless the step chose them, and so does the mode.
    fn restored(&self, now: &Document) -> Document {
        let mut before = self.before.clone();
        let inputs = &mut before.inputs;
        inputs.destroy = now.inputs.destroy;
        if !self.states {
            inputs.state.clone_from(&now.inputs.state);
            inputs.observed.clone_from(&now.inputs.observed);
        }
        before
    }
}

/// The same number is the same step; only what it may bring back changes.
impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        (self.id, self.states) == (other.id, other.states)
    }
}

/// The changes that can be undone and redone. Cloning is cheap: steps are shared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    count: u64,
    /// The current time, in milliseconds since 1970.
    clock: i64,
    past: Vec<Rc<Step>>,
    future: Vec<Rc<Step>>,
    /// The file that is typed in, and when last, if the last change is typing.
    typing: Option<(FileKey, f64)>,
}

impl History {
    /// The history of these changes: those that can be undone and those that can be redone, each with the next one
    /// last.
    pub fn of(past: Vec<Rc<Step>>, future: Vec<Rc<Step>>) -> Self {
        let last = future.first().or(past.last());
        Self { count: last.map_or(0, |step| step.id), past, future, ..Self::default() }
    }

    /// Sets the clock: changes that are recorded from now on have this time.
    pub fn set_clock(&mut self, now: i64) {
        self.clock = now;
    }

    /// True if nothing can be undone or redone.
    pub fn is_empty(&self) -> bool {
        self.past.is_empty() && self.future.is_empty()
    }

    /// Remembers how it was before a change.
    pub fn record(&mut self, label: impl Into<String>, before: Document) {
        self.push(label.into(), before, None);
    }

    /// Says that the last change was made by edits of texts.
    pub fn mark_edits(&mut self) {
        if let Some(step) = self.past.last_mut() {
            Rc::make_mut(step).edits = true;
        }
    }

    /// Says that the last change chose what is planned against.
    pub fn mark_states(&mut self) {
        if let Some(step) = self.past.last_mut() {
            Rc::make_mut(step).states = true;
        }
    }

    /// No change brings back another state from now on: the chosen one has become the current one.
    pub fn keep_states(&mut self) {
        for step in self.past.iter_mut().chain(&mut self.future).filter(|step| step.states) {
            Rc::make_mut(step).states = false;
        }
    }

    /// Forgets the last changes as far as nothing of them is left: an editor has undone them by itself.
    pub fn settle(&mut self, now: &Document) {
        let left = self.past.len() - self.undone(now);
        self.past.truncate(left);
    }

    /// True if undo would take back edits that one editor cannot.
    pub fn undoes_edits(&self, now: &Document) -> bool {
        self.past.iter().rev().nth(self.undone(now)).is_some_and(|step| step.edits)
    }

    /// The number of the last changes that were typed and have led back to where the first of them began.
    fn undone(&self, now: &Document) -> usize {
        let last = self.past.iter().rev().take_while(|step| step.typed);
        let led_back = last.enumerate().filter(|(_, step)| step.is_undone(now));
        led_back.last().map_or(0, |(at, _)| at + 1)
    }

    /// True if redo would make such edits again.
    pub fn redoes_edits(&self) -> bool {
        self.future.last().is_some_and(|step| step.edits)
    }

    /// Remembers how it was before typing; one change as long as it goes on without a pause.
    pub fn record_typing(&mut self, label: impl Into<String>, key: FileKey, at: f64, before: Document) {
        let goes_on = self.typing.is_some_and(|(file, last)| file == key && at - last < PAUSE);
        if goes_on && self.future.is_empty() {
            self.typing = Some((key, at));
            return;
        }
        self.push(label.into(), before, Some((key, at)));
    }

    /// The label of the last change, and the document before it.
    pub fn undo(&mut self, now: Document) -> Option<(String, Document)> {
        let step = self.past.pop()?;
        let (label, before) = (step.label.clone(), step.restored(&now));
        self.future.push(Rc::new(Step { before: now, ..Rc::unwrap_or_clone(step) }));
        self.typing = None;
        Some((label, before))
    }

    /// The label of the change that is done again, and the document after it.
    pub fn redo(&mut self, now: Document) -> Option<(String, Document)> {
        let step = self.future.pop()?;
        let (label, before) = (step.label.clone(), step.restored(&now));
        self.past.push(Rc::new(Step { before: now, ..Rc::unwrap_or_clone(step) }));
        Some((label, before))
    }

    /// The label of the change that undo takes back.
    pub fn undoes(&self) -> Option<&str> {
        self.past.last().map(|step| &*step.label)
    }

    /// The label of the change that redo makes again.
    pub fn redoes(&self) -> Option<&str> {
        self.future.last().map(|step| &*step.label)
    }

    /// The changes that can be undone, the last one first.
    pub fn changes(&self) -> impl Iterator<Item = &Rc<Step>> {
        self.steps(false)
    }

    /// The same, or those that were undone and can be redone, the next one first.
    pub fn steps(&self, undone: bool) -> impl Iterator<Item = &Rc<Step>> {
        if undone { &self.future } else { &self.past }.iter().rev()
    }

    fn push(&mut self, label: String, before: Document, typing: Option<(FileKey, f64)>) {
        self.future.clear();
        self.count += 1;
        self.past.push(Rc::new(Step {
            id: self.count,
            label,
            at: self.clock,
            edits: false,
            typed: typing.is_some(),
            states: false,
            before,
        }));
        self.typing = typing;
        if self.past.len() > DEPTH {
            self.past.remove(0);
        }
    }
}

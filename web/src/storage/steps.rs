//! What can be undone, as the database keeps it: each change leads back from the content after it.

use std::{collections::BTreeMap, rc::Rc};

use database::Put;
use serde::{Deserialize, Serialize};

use super::{Snapshot, change::Change, record::Keys};
use crate::state::{Document, History, Step};

/// How many changes are kept.
const KEPT: usize = 100;
/// The most bytes of text in a kept change; what lies before a larger one is not kept.
const LARGEST: usize = 8 << 20;

/// A change, kept.
#[derive(Serialize, Deserialize)]
struct Entry {
    id: u64,
    label: String,
    /// When it was changed, in milliseconds since 1970; 0 where that is not known.
    #[serde(default)]
    at: i64,
    /// Whether it changed texts by program.
    #[serde(default)]
    edits: bool,
    /// Whether it chose what is planned against.
    #[serde(default)]
    states: bool,
    /// From the content after the change to the one before.
    back: Change,
}

/// What can be undone; `kept` has the first change first, and `now` is what they have led to.
pub(super) fn read(kept: &[String], now: &Document) -> History {
    let mut after = content(now);
    let mut steps = Vec::new();
    for text in kept.iter().rev() {
        // What was changed before something that cannot be read is lost with it.
        let Ok(Entry { id, label, at, edits, states, back }) = serde_json::from_str(text) else { break };
        after = back.apply(Some(&after));
        let before = after.document.clone();
        steps.push(Rc::new(Step { id, label, at, edits, typed: false, states, before }));
    }
    steps.reverse();
    History::of(steps)
}

/// Writes what can be undone from `now`, where the database holds what can be from `before`; what is kept then. Without
/// `before` nothing is known of what it holds.
pub(super) fn write(keys: Keys, before: Option<&Snapshot>, now: &Snapshot, puts: &mut Vec<Put>) -> History {
    if before.is_none() {
        puts.push(Put::NothingBetween(keys.steps(), keys.steps() + "~"));
    }
    let known = before.map(|it| successors(&it.history)).unwrap_or_default();
    let is_same_end = before.is_some_and(|it| it.document == now.document);
    let mut kept: Vec<Rc<Step>> = Vec::new();
    for step in now.history.changes().take(KEPT) {
        let next = kept.last();
        let is_known = known.get(&step.id) == Some(&(next.map(|step| step.id), step.states));
        let is_kept = is_known && (next.is_some() || is_same_end);
        if !is_kept {
            let after = content(next.map_or(&now.document, |step| &step.before));
            let back = Change::between(Some(&after), 0, &content(&step.before));
            if back.size() > LARGEST {
                break;
            }
            let Step { id, at, edits, states, .. } = **step;
            let entry = Entry { id, label: step.label.clone(), at, edits, states, back };
            puts.push(Put::Text(keys.step(step.id), serde_json::to_string(&entry).unwrap_or_default()));
        }
        kept.push(Rc::clone(step));
    }
    let is_gone = |id: &&u64| kept.iter().all(|step| step.id != **id);
    puts.extend(known.keys().filter(is_gone).map(|id| Put::Nothing(keys.step(*id))));
    kept.reverse();
    History::of(kept)
}

/// By the number of each change the number of the one after it, and what else of it can become different.
fn successors(history: &History) -> BTreeMap<u64, (Option<u64>, bool)> {
    let after = std::iter::once(None).chain(history.changes().map(|step| Some(step.id)));
    history.changes().zip(after).map(|(step, after)| (step.id, (after, step.states))).collect()
}

fn content(document: &Document) -> Snapshot {
    Snapshot { document: document.clone(), ..Snapshot::default() }
}

#[cfg(test)]
mod tests {
    use workspace::File;

    use super::{super::kept::Kept, *};
    use crate::state::FileKey;

    /// Numbers that look random and are the same in each run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }
    }

    fn all(history: &History) -> Vec<(u64, i64, Document)> {
        history.changes().take(KEPT).map(|step| (step.id, step.at, step.before.clone())).collect()
    }

    fn change(now: &mut Snapshot, numbers: &mut Numbers) {
        let before = now.document.clone();
        let files = &mut now.document.files;
        let key = FileKey(numbers.below(5) as u32);
        match numbers.below(8) {
            0 => drop(files.add(File { name: "new.yaml".into(), text: "a: 1\n".into(), package: None })),
            1 => files.remove(key),
            2 => files.mute(key, numbers.below(2) == 0),
            _ => drop(
                files.set_text(key, format!("a: {}\nb: é{}\n", numbers.below(9), numbers.below(9)).into()),
            ),
        }
        if now.document != before {
            now.history.set_clock(numbers.below(1_000) as i64);
            now.history.record("a change", before);
        }
    }

    #[test]
    fn what_is_read_can_be_undone_as_what_was_written() {
        for seed in 0..20 {
            let (mut numbers, mut kept) = (Numbers(seed), Kept::default());
            let (mut now, mut saved, mut written) = (Snapshot::default(), None::<Snapshot>, 0);
            for _ in 0..400 {
                let here = now.document.clone();
                match numbers.below(10) {
                    0 => now.document = now.history.undo(here.clone()).map_or(here, |(_, before)| before),
                    1 => now.document = now.history.redo(here.clone()).map_or(here, |(_, after)| after),
                    2..=4 => {
                        written = kept.write(saved.as_ref(), written, &now).1;
                        saved = Some(now.clone());
                        let (read, _) = kept.read().unwrap();
                        assert_eq!(read.document, now.document);
                        assert_eq!(all(&read.history), all(&now.history), "seed {seed}");
                        if numbers.below(9) == 0 {
                            (now, saved) = (read.clone(), Some(read));
                        }
                    }
                    _ => change(&mut now, &mut numbers),
                }
            }
        }
    }

    #[test]
    fn what_another_tab_can_undo_is_replaced() {
        let (mut numbers, mut kept) = (Numbers(1), Kept::default());
        let (mut ours, mut theirs) = (Snapshot::default(), Snapshot::default());
        for _ in 0..20 {
            change(&mut theirs, &mut numbers);
            change(&mut ours, &mut numbers);
        }
        kept.write(None, 0, &ours);
        kept.write(None, 1, &theirs);
        kept.write(Some(&ours), 1, &ours);
        assert_eq!(kept.read().map(|(read, _)| all(&read.history)), Some(all(&ours.history)));
    }

    #[test]
    fn what_lies_before_a_change_that_is_too_large_is_not_kept() {
        let (mut kept, mut now) = (Kept::default(), Snapshot::default());
        let key = now.document.files.add(File { name: "a.yaml".into(), text: String::new(), package: None });
        for text in ["first", &"x".repeat(LARGEST + 1), "third", "fourth"] {
            now.history.record(text.get(..5).unwrap_or_default(), now.document.clone());
            now.document.files.set_text(key, text.into());
        }
        kept.write(None, 0, &now);
        let labels: Vec<String> =
            kept.read().unwrap().0.history.changes().map(|step| step.label.clone()).collect();
        assert_eq!(labels, ["fourt"]);
    }
}

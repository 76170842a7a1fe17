//! The stored changes that can be undone and redone: each change leads away from the content, in its direction, that
//! the one before it leads to.

use std::{collections::BTreeMap, rc::Rc};

use database::Put;
use serde::{Deserialize, Serialize};

use super::{Snapshot, change::Change, record::Keys};
use crate::state::{Document, History, Step};

/// The number of changes that are kept in each direction.
const KEPT: usize = 100;
/// The most bytes of text in a kept change; changes behind a larger one are not kept.
const LARGEST: usize = 8 << 20;

/// A change, kept.
#[derive(Serialize, Deserialize)]
struct Entry {
    id: u64,
    label: String,
    /// The time of the change, in milliseconds since 1970; 0 if it is not known.
    #[serde(default)]
    at: i64,
    /// True if it changed texts by program.
    #[serde(default)]
    edits: bool,
    /// True if it chose what is planned against.
    #[serde(default)]
    states: bool,
    /// True if it was undone: the content before it is that after it then.
    #[serde(default)]
    undone: bool,
    /// From the content after the change to the one before.
    back: Change,
}

/// The history; `kept` has the first change first, and those that can be undone have led to `now`.
pub(super) fn read(kept: &[String], now: &Document) -> History {
    let mut entries: Vec<Option<Entry>> = kept.iter().map(|it| serde_json::from_str(it).ok()).collect();
    let is_undone = |it: &Option<Entry>| it.as_ref().is_some_and(|it| it.undone);
    let mut undone = entries.split_off(entries.iter().position(is_undone).unwrap_or(entries.len()));
    // One that cannot be read may be the first of them.
    if matches!(entries.last(), Some(None)) {
        undone.clear();
    }
    undone.reverse();
    History::of(steps(entries, now), steps(undone, now))
}

/// The changes that lead away from `now`, the one that does so last. Changes behind one that cannot be read are lost
/// with it.
fn steps(mut entries: Vec<Option<Entry>>, now: &Document) -> Vec<Rc<Step>> {
    let mut after = content(now);
    let mut steps = Vec::new();
    while let Some(Some(Entry { id, label, at, edits, states, back, .. })) = entries.pop() {
        after = back.apply(Some(&after));
        let before = after.document.clone();
        steps.push(Rc::new(Step { id, label, at, edits, typed: false, states, before }));
    }
    steps.reverse();
    steps
}

/// Writes the history of `now` to a database that holds the one of `before`. Returns the history that is kept then.
/// Without `before`, the content of the database is not known.
pub(super) fn write(keys: Keys, before: Option<&Snapshot>, now: &Snapshot, puts: &mut Vec<Put>) -> History {
    if before.is_none() {
        puts.push(Put::NothingBetween(keys.steps(), keys.steps() + "~"));
    }
    let known = before.map(|it| successors(&it.history)).unwrap_or_default();
    let is_same_end = before.is_some_and(|it| it.document == now.document);
    let mut all = [Vec::new(), Vec::new()];
    for (undone, kept) in all.iter_mut().enumerate() {
        let undone = undone > 0;
        for step in now.history.steps(undone).take(KEPT) {
            let next: Option<&Rc<Step>> = kept.last();
            let is_known = known.get(&step.id) == Some(&(next.map(|step| step.id), step.states, undone));
            let is_kept = is_known && (next.is_some() || is_same_end);
            if !is_kept {
                let after = content(next.map_or(&now.document, |step| &step.before));
                let back = Change::between(Some(&after), 0, &content(&step.before));
                if back.size() > LARGEST {
                    break;
                }
                let Step { id, at, edits, states, .. } = **step;
                let entry = Entry { id, label: step.label.clone(), at, edits, states, undone, back };
                puts.push(Put::Text(keys.step(step.id), serde_json::to_string(&entry).unwrap_or_default()));
            }
            kept.push(Rc::clone(step));
        }
        kept.reverse();
    }
    let is_gone = |id: &&u64| all.iter().flatten().all(|step| step.id != **id);
    puts.extend(known.keys().filter(is_gone).map(|id| Put::Nothing(keys.step(*id))));
    let [past, future] = all;
    History::of(past, future)
}

/// By the number of each change the number of the one after it in its direction, and what else of it can become different.
fn successors(history: &History) -> BTreeMap<u64, (Option<u64>, bool, bool)> {
    let mut all = BTreeMap::new();
    for undone in [false, true] {
        let mut after = None;
        for step in history.steps(undone) {
            all.insert(step.id, (after.replace(step.id), step.states, undone));
        }
    }
    all
}

fn content(document: &Document) -> Snapshot {
    Snapshot { document: document.clone(), ..Snapshot::default() }
}

#[cfg(test)]
mod tests {
    use workspace::File;

    use super::{super::kept::Kept, *};
    use crate::state::FileKey;

    /// A generator of pseudorandom numbers that are the same in each run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }
    }

    /// The changes that can be undone, and those that can be redone.
    fn all(history: &History) -> [Vec<(u64, i64, Document)>; 2] {
        let kept = |undone| history.steps(undone).take(KEPT);
        [false, true].map(|undone| kept(undone).map(|step| (step.id, step.at, step.before.clone())).collect())
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
    fn what_is_read_can_be_undone_and_redone_as_what_was_written() {
        for seed in 0..20 {
            let (mut numbers, mut kept) = (Numbers(seed), Kept::default());
            let (mut now, mut saved, mut written) = (Snapshot::default(), None::<Snapshot>, 0);
            for _ in 0..400 {
                let here = now.document.clone();
                match numbers.below(10) {
                    0..=1 => now.document = now.history.undo(here.clone()).map_or(here, |(_, before)| before),
                    2 => now.document = now.history.redo(here.clone()).map_or(here, |(_, after)| after),
                    3..=5 => {
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
    fn what_was_undone_is_redone_after_it_is_read() {
        let (mut kept, mut now) = (Kept::default(), Snapshot::default());
        let key = now.document.files.add(File { name: "a.yaml".into(), text: "0".into(), package: None });
        for text in ["1", "2", "3"] {
            now.history.record(text, now.document.clone());
            now.document.files.set_text(key, text.into());
        }
        kept.write(None, 0, &now);
        let before = now.clone();
        for _ in 0..2 {
            now.document = now.history.undo(now.document.clone()).expect("a change").1;
        }
        kept.write(Some(&before), 1, &now);
        let (mut read, _) = kept.read().expect("what was written");
        let mut texts = Vec::new();
        while let Some((label, document)) = read.history.redo(read.document.clone()) {
            texts.push((label, document.files.get(key).map(|it| it.text.to_string()).unwrap_or_default()));
            read.document = document;
        }
        assert_eq!(texts, [("2".into(), "2".into()), ("3".into(), "3".into())]);
        assert_eq!(read.history.changes().count(), 3, "all of it can be undone again");
    }

    #[test]
    fn what_lies_behind_a_change_that_cannot_be_read_is_lost() {
        let (mut now, mut puts) = (Snapshot::default(), Vec::new());
        for id in 0..4 {
            now.history.record(id.to_string(), now.document.clone());
            now.document.files.add(File { name: "a.yaml".into(), text: id.to_string(), package: None });
        }
        for _ in 0..2 {
            now.document = now.history.undo(now.document.clone()).expect("a change").1;
        }
        write(Keys::of(4), None, &now, &mut puts);
        let entries = puts
            .into_iter()
            .filter_map(|put| if let Put::Text(key, text) = put { Some((key, text)) } else { None });
        let entries: BTreeMap<String, String> = entries.collect();
        for (unreadable, left) in [
            (0, [vec![2], vec![3, 4]]),
            (1, [vec![], vec![]]),
            (2, [vec![], vec![]]),
            (3, [vec![2, 1], vec![3]]),
        ] {
            let text =
                |(at, text): (usize, &String)| if at == unreadable { "?".into() } else { text.clone() };
            let kept: Vec<String> = entries.values().enumerate().map(text).collect();
            let ids = all(&read(&kept, &now.document))
                .map(|all| all.into_iter().map(|it| it.0).collect::<Vec<_>>());
            assert_eq!(ids, left, "{unreadable}");
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

//! The database, as far as tests need it.

use std::collections::BTreeMap;

use database::{Found, Put};

use super::{
    Snapshot,
    record::{Keys, Record, write},
};

const KEYS: Keys = Keys::of(4);

/// The texts of the database, by key.
#[derive(Default)]
pub(super) struct Kept(BTreeMap<String, String>);

impl Kept {
    /// Writes as the page does. Returns the number of texts written, and the number of the write.
    pub(super) fn write(&mut self, before: Option<&Snapshot>, written: u64, now: &Snapshot) -> (usize, u64) {
        let found = Found { texts: vec![self.0.get(&KEYS.index()).cloned()], range: Vec::new() };
        let (puts, number, _) = write(KEYS, &found, before, written, now);
        let is_text = |key: &str| key.starts_with(&KEYS.texts()) && !key.starts_with(&KEYS.steps());
        let texts = puts.iter().filter(|put| matches!(put, Put::Text(key, _) if is_text(key))).count();
        for put in puts {
            match put {
                Put::Text(key, text) => drop(self.0.insert(key, text)),
                Put::Nothing(key) => drop(self.0.remove(&key)),
                Put::NothingBetween(from, to) => self.0.retain(|key, _| *key < from || *key > to),
            }
        }
        (texts, number)
    }

    /// Reads as a page does that is opened.
    pub(super) fn read(&self) -> Option<(Snapshot, u64)> {
        let range = self.0.iter().filter(|(key, _)| key.starts_with(&KEYS.texts()));
        let range = range.map(|(_, text)| text.clone()).collect();
        let texts = vec![self.0.get(&KEYS.index()).cloned(), self.0.get(&KEYS.inputs()).cloned()];
        Record::read(Found { texts, range })
    }
}

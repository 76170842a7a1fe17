use std::collections::BTreeMap;

use store::Key;

use super::record::Places;

/// The places of the current lines of resources in the file.
#[derive(Debug, Default)]
pub(super) struct Index {
    places: BTreeMap<Key, Place>,
    /// The length of these lines.
    live: u64,
}

/// A line in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) offset: u64,
    pub(super) length: u64,
}

impl Index {
    /// Applies a record that is at `offset`.
    pub(super) fn apply(&mut self, offset: u64, places: Places) {
        for (key, place) in places {
            match place {
                Some(place) => self.put(key, offset + place.start as u64, place.len() as u64),
                None => self.delete(&key),
            }
        }
    }

    pub(super) fn put(&mut self, key: Key, offset: u64, length: u64) {
        let old = self.places.insert(key, Place { offset, length });
        self.live = self.live + length - old.map_or(0, |it| it.length);
    }

    fn delete(&mut self, key: &Key) {
        self.live -= self.places.remove(key).map_or(0, |it| it.length);
    }

    pub(super) fn live(&self) -> u64 {
        self.live
    }

    /// All lines, in the order of the file.
    pub(super) fn in_order(&self) -> Vec<(Place, &Key)> {
        let mut all: Vec<_> = self.places.iter().map(|(key, place)| (*place, key)).collect();
        all.sort_unstable_by_key(|(place, _)| place.offset);
        all
    }
}

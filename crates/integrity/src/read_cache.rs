use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::Value;
use store::Key;

use crate::{Plugin, ResourceChange};

/// A cache of resources in front of a store, which readers fill. Clones share it.
///
/// A reader that finds nothing reserves the place, reads the store, and stores the value that it read. Commits clear the places
/// of the resources that they changed, after they have happened: as a plugin, it does that. With [`Reservation::Own`] the cache
/// never keeps a value that is older than a commit that has cleared its place. With [`Reservation::Any`] it does, if another
/// reader has reserved the place again meanwhile: so do caches that only check that a place is reserved (`SETXX`).
#[derive(Clone, Debug, Default)]
pub struct ReadCache(Arc<Mutex<Places>>);

#[derive(Debug, Default)]
struct Places {
    places: BTreeMap<Key, Place>,
    last: u64,
}

/// The content of a place; an absent one is empty.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    Reserved(u64),
    Full(Option<Arc<Value>>),
}

/// The result of a read.
#[derive(Clone, Debug, PartialEq)]
pub enum Cached {
    /// The resource, or that there is none.
    Found(Option<Arc<Value>>),
    /// Nothing: the place is reserved under this number, also if it was before.
    Reserved(u64),
}

/// The reservation that allows a reader to store what it has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reservation {
    /// Its own, which nobody has taken since.
    #[default]
    Own,
    /// Any, also that of another reader, or a value that another reader has stored.
    Any,
}

impl ReadCache {
    /// The content of the place of a resource. If it is empty, it is reserved.
    pub fn read(&self, key: &Key) -> Cached {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Place::Full(value)) = all.places.get(key) {
            return Cached::Found(value.clone());
        }
        all.last += 1;
        let number = all.last;
        all.places.insert(key.clone(), Place::Reserved(number));
        Cached::Reserved(number)
    }

    /// Stores what a reader has read of the store, which has to be after its reservation. Returns true if it was stored.
    pub fn store(&self, key: &Key, number: u64, value: Option<Arc<Value>>, needs: Reservation) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let may = match (needs, all.places.get(key)) {
            (Reservation::Own, place) => place == Some(&Place::Reserved(number)),
            (Reservation::Any, place) => place.is_some(),
        };
        if may {
            all.places.insert(key.clone(), Place::Full(value));
        }
        may
    }

    /// Empties a place, also one that is reserved.
    pub fn empty(&self, key: &Key) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).places.remove(key);
    }
}

impl Plugin for ReadCache {
    fn name(&self) -> &str {
        "cache"
    }

    fn finished(&self, _: u64, changes: &[ResourceChange], committed: bool) {
        changes.iter().filter(|_| committed).for_each(|it| self.empty(&it.key));
    }
}

//! One entry of a cache that is filled by readers and deleted by writers, as a model that can be replayed step by step.
//!
//! A reader that finds nothing leaves a reservation, reads the database, and stores what it read only if its reservation is
//! still there; a writer deletes the entry after its transaction. With a store that can only say "if something is there"
//! (Redis' `SET XX`), a slow reader can still overwrite what a faster one stored; with a reservation that has an id of its own and
//! is compared and swapped, it cannot.

/// The way a reader checks that its reservation is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reservation {
    /// Something is there.
    Exists,
    /// The reservation with the reader's own id is there. A reader that finds that of another does not store.
    Unique,
}

/// An entry of the cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Entry {
    /// Nothing.
    #[default]
    Absent,
    /// A reader with this id is reading the database.
    Reserved(u64),
    /// The version that was read.
    Stored(u64),
}

/// One entry, and the database behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheModel {
    reservation: Reservation,
    /// The entry.
    pub entry: Entry,
    /// The version of the resource in the database.
    pub version: u64,
}

/// Something that one of several readers, by its id, or a writer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The reader reads the cache and reserves the entry if it is absent.
    Look(u64),
    /// The reader reads the database.
    Read(u64),
    /// The reader stores the version that it read, if it may.
    Store(u64),
    /// The writer's transaction ends.
    Commit,
    /// The writer deletes the entry.
    Invalidate,
}

/// The state of a reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Reader {
    id: u64,
    is_filling: bool,
    version: u64,
}

impl CacheModel {
    /// Nothing is cached, and the resource has version 1.
    pub const fn new(reservation: Reservation) -> Self {
        Self { reservation, entry: Entry::Absent, version: 1 }
    }

    /// Replays steps in this order.
    #[must_use]
    pub fn replay(mut self, steps: &[Step]) -> Self {
        let mut readers: Vec<Reader> = Vec::new();
        for step in steps {
            match *step {
                Step::Look(id) => readers.push(Reader { id, is_filling: self.look(id), version: 0 }),
                Step::Read(id) => {
                    readers.iter_mut().filter(|it| it.id == id).for_each(|it| it.version = self.version);
                }
                Step::Store(id) => readers.iter().filter(|it| it.id == id).for_each(|it| self.store(*it)),
                Step::Commit => self.version += 1,
                Step::Invalidate => self.entry = Entry::Absent,
            }
        }
        self
    }

    /// True if the cached version is not that of the database.
    pub fn is_stale(&self) -> bool {
        matches!(self.entry, Entry::Stored(version) if version != self.version)
    }

    /// True if the reader found nothing and may store the version that it reads.
    fn look(&mut self, id: u64) -> bool {
        match (&self.entry, self.reservation) {
            (Entry::Absent, _) => {
                self.entry = Entry::Reserved(id);
                true
            }
            (Entry::Reserved(_), Reservation::Exists) => true,
            (Entry::Reserved(_), Reservation::Unique) | (Entry::Stored(_), _) => false,
        }
    }

    fn store(&mut self, reader: Reader) {
        let may_store = match self.reservation {
            Reservation::Exists => self.entry != Entry::Absent,
            Reservation::Unique => self.entry == Entry::Reserved(reader.id),
        };
        if reader.is_filling && may_store {
            self.entry = Entry::Stored(reader.version);
        }
    }
}

/// The race of the guide: the first reader is slow, and overwrites the version that the second one read after the write.
pub const RACE: [Step; 8] = [
    Step::Look(1),
    Step::Read(1),
    Step::Commit,
    Step::Invalidate,
    Step::Look(2),
    Step::Read(2),
    Step::Store(2),
    Step::Store(1),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// All orders in which several take their steps.
    fn interleavings(lanes: &[&[Step]]) -> Vec<Vec<Step>> {
        if lanes.iter().all(|it| it.is_empty()) {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for (at, lane) in lanes.iter().enumerate().filter(|(_, it)| !it.is_empty()) {
            let mut rest = lanes.to_vec();
            rest[at] = &lane[1..];
            all.extend(interleavings(&rest).into_iter().map(|it| [&lane[..1], &it].concat()));
        }
        all
    }

    #[test]
    fn the_race_of_the_guide() {
        assert!(CacheModel::new(Reservation::Exists).replay(&RACE).is_stale());
        let fixed = CacheModel::new(Reservation::Unique).replay(&RACE);
        assert_eq!((fixed.entry, fixed.version), (Entry::Stored(2), 2));
    }

    #[test]
    fn unique_reservations_are_never_stale_in_the_end() {
        let reader = |id| [Step::Look(id), Step::Read(id), Step::Store(id)];
        let (one, two) = (reader(1), reader(2));
        let all = interleavings(&[&one, &two, &[Step::Commit, Step::Invalidate]]);
        assert_eq!(all.len(), 560);
        let stale =
            |reservation| all.iter().filter(|it| CacheModel::new(reservation).replay(it).is_stale()).count();
        assert_eq!((stale(Reservation::Unique), stale(Reservation::Exists) > 0), (0, true));
        assert!(all.contains(&RACE.to_vec()));
        let three = interleavings(&[&one, &two, &reader(3), &[Step::Commit, Step::Invalidate]]);
        assert!(three.iter().all(|it| !CacheModel::new(Reservation::Unique).replay(it).is_stale()));
        let filled = all
            .iter()
            .filter(|it| CacheModel::new(Reservation::Unique).replay(it).entry == Entry::Stored(2))
            .count();
        assert_eq!(filled, 92);
    }
}

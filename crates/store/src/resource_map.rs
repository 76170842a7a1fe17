use std::sync::Arc;

use crate::Resource;

/// The length beyond which a run is split. Small enough to copy in a microsecond, large enough that a hundred
/// thousand resources are about a thousand runs.
const RUN: usize = 128;

/// Resources of one kind by id, cheap to clone: clones share runs of neighbours, and a change copies its run
/// and the list of runs, if a clone still uses them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResourceMap {
    /// No run is empty; their ids ascend.
    runs: Arc<Vec<Run>>,
    count: usize,
}

type Run = Arc<Vec<Arc<Resource>>>;

/// A place in a map that does not change meanwhile.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor {
    run: usize,
    at: usize,
}

impl ResourceMap {
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Arc<Resource>> {
        let cursor = self.seek(id);
        self.at(cursor).filter(|resource| &**resource.id() == id)
    }

    /// The place of the first resource whose id is not before `id`.
    pub(crate) fn seek(&self, id: &str) -> Cursor {
        let run = self.runs.partition_point(|run| run.last().is_some_and(|last| &**last.id() < id));
        let at = self.runs.get(run).map_or(0, |run| run.partition_point(|resource| &**resource.id() < id));
        Cursor { run, at }
    }

    pub(crate) fn at(&self, cursor: Cursor) -> Option<&Arc<Resource>> {
        self.runs.get(cursor.run)?.get(cursor.at)
    }

    /// The resource at the cursor, which is advanced.
    pub(crate) fn next(&self, cursor: &mut Cursor) -> Option<&Arc<Resource>> {
        let run = self.runs.get(cursor.run)?;
        let found = run.get(cursor.at)?;
        cursor.at += 1;
        if cursor.at == run.len() {
            *cursor = Cursor { run: cursor.run + 1, at: 0 };
        }
        Some(found)
    }

    /// The resource before the cursor, which goes back to it.
    pub(crate) fn previous(&self, cursor: &mut Cursor) -> Option<&Arc<Resource>> {
        *cursor = match cursor.at.checked_sub(1) {
            Some(at) => Cursor { run: cursor.run, at },
            None => {
                let run = cursor.run.checked_sub(1)?;
                Cursor { run, at: self.runs.get(run)?.len().checked_sub(1)? }
            }
        };
        self.at(*cursor)
    }

    /// Inserts a resource, replacing the one with its id.
    pub(crate) fn insert(&mut self, resource: Arc<Resource>) {
        let mut place = self.seek(resource.id());
        let there = self.at(place).is_some_and(|found| found.id() == resource.id());
        let runs = Arc::make_mut(&mut self.runs);
        if there {
            Arc::make_mut(&mut runs[place.run])[place.at] = resource;
            return;
        }
        self.count += 1;
        // After all others: into the last run, or a new one, so that ids that come in order fill their runs.
        if place.run == runs.len() {
            if runs.last().is_none_or(|last| last.len() >= RUN) {
                runs.push(Arc::new(Vec::with_capacity(RUN)));
            }
            place = Cursor { run: runs.len() - 1, at: runs[runs.len() - 1].len() };
        }
        let run = Arc::make_mut(&mut runs[place.run]);
        run.insert(place.at, resource);
        if run.len() > RUN {
            let rest = run.split_off(RUN / 2);
            runs.insert(place.run + 1, Arc::new(rest));
        }
    }

    pub(crate) fn remove(&mut self, id: &str) {
        let place = self.seek(id);
        if self.at(place).is_none_or(|found| &**found.id() != id) {
            return;
        }
        self.count -= 1;
        let runs = Arc::make_mut(&mut self.runs);
        let run = Arc::make_mut(&mut runs[place.run]);
        run.remove(place.at);
        match run.is_empty() {
            true => drop(runs.remove(place.run)),
            false => join(runs, place.run),
        }
    }
}

/// Merges a run with the next if both together are at most half of one, so that a map that was full has few
/// runs.
fn join(runs: &mut Vec<Run>, at: usize) {
    if runs.get(at + 1).is_some_and(|next| next.len() + runs[at].len() <= RUN / 2) {
        let next = runs.remove(at + 1);
        Arc::make_mut(&mut runs[at]).extend(next.iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draft, Kind, Spec};

    fn map_of(ids: impl IntoIterator<Item = usize>) -> ResourceMap {
        let mut map = ResourceMap::default();
        for id in ids {
            let draft = Draft::new(Kind::new("app", "Nodes").key(format!("{id:04}")), Spec::default());
            map.insert(Arc::new(draft.into()));
        }
        map
    }

    /// The lengths of its runs, after checking that they contain these ids, in order.
    fn runs(map: &ResourceMap, ids: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let (mut cursor, mut found) = (Cursor::default(), Vec::new());
        while let Some(resource) = map.next(&mut cursor) {
            found.push(resource.id().to_string());
        }
        assert_eq!(found, ids.into_iter().map(|id| format!("{id:04}")).collect::<Vec<_>>());
        let end = Cursor { run: map.runs.len(), at: 0 };
        let mut back: Vec<String> = Vec::new();
        let mut cursor = end;
        while let Some(resource) = map.previous(&mut cursor) {
            back.push(resource.id().to_string());
        }
        back.reverse();
        assert_eq!(back, found);
        assert_eq!(map.len(), found.len());
        map.runs.iter().map(|run| run.len()).collect()
    }

    #[test]
    fn ids_that_come_in_order_fill_their_runs() {
        assert_eq!(runs(&map_of(0..300), 0..300), [128, 128, 44]);
    }

    #[test]
    fn a_run_that_is_too_long_is_split() {
        let evens = || (0..128).map(|it| it * 2);
        assert_eq!(runs(&map_of(evens()), evens()), [128]);
        let all = map_of(evens().chain([1]));
        assert_eq!(runs(&all, [0, 1].into_iter().chain(evens().skip(1))), [64, 65]);
    }

    #[test]
    fn neighbours_that_are_short_are_joined() {
        let mut map = map_of(0..300);
        for id in 128..235 {
            map.remove(&format!("{id:04}"));
        }
        assert_eq!(runs(&map, (0..128).chain(235..300)), [128, 21, 44]);
        map.remove("0235");
        assert_eq!(runs(&map, (0..128).chain(236..300)), [128, 64]);
    }
}

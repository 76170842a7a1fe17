use std::{collections::BTreeMap, sync::Arc};

/// Which variables can be seen while a text is read.
#[derive(Debug, Default)]
pub(super) struct Names {
    seen: Vec<Arc<str>>,
    /// How many blocks declare each.
    counts: BTreeMap<Arc<str>, usize>,
}

impl Names {
    pub(super) fn has(&self, name: &str) -> bool {
        self.counts.contains_key(name)
    }

    /// What to give [`Self::leave`] at the end of a block that begins here.
    pub(super) fn enter(&mut self, params: &[Arc<str>]) -> usize {
        let mark = self.seen.len();
        params.iter().for_each(|name| self.push(name));
        mark
    }

    /// A variable that the block reads or writes; nothing changes where an outer one has the name.
    pub(super) fn assign(&mut self, name: &Arc<str>) {
        if !self.has(name) {
            self.push(name);
        }
    }

    fn push(&mut self, name: &Arc<str>) {
        self.seen.push(name.clone());
        *self.counts.entry(name.clone()).or_default() += 1;
    }

    pub(super) fn leave(&mut self, mark: usize) {
        for name in self.seen.drain(mark.min(self.seen.len())..) {
            match self.counts.get_mut(&name) {
                Some(count) if *count > 1 => *count -= 1,
                _ => drop(self.counts.remove(&name)),
            }
        }
    }
}

use std::{collections::BTreeMap, sync::Arc};

/// The variables that are visible while a text is read.
#[derive(Debug, Default)]
pub(super) struct Names {
    seen: Vec<Arc<str>>,
    /// The number of blocks that declare each name.
    counts: BTreeMap<Arc<str>, usize>,
}

impl Names {
    pub(super) fn has(&self, name: &str) -> bool {
        self.counts.contains_key(name)
    }

    /// Starts a block; the result is for [`Self::leave`] at its end.
    pub(super) fn enter(&mut self, params: &[Arc<str>]) -> usize {
        let mark = self.seen.len();
        params.iter().for_each(|name| self.push(name));
        mark
    }

    /// Declares a variable in the current block, unless an outer block has it.
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

use std::collections::BTreeMap;

use crate::{Name, registration::State};

use super::{ActiveVersion, Change, NotServed, View};

/// A process of a deployment that serves requests. It is in memory only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node<N: Ord> {
    id: N,
    view: Option<View<N>>,
    /// The number of writes that have begun and not ended, by the generation at which they began.
    open: BTreeMap<u64, u32>,
}

/// A write that has begun.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Writing<N> {
    /// The version whose storage is written.
    pub storage: N,
    generation: u64,
}

impl<N: Name> Node<N> {
    /// A process that knows nothing. No two processes that run at the same time have the same id.
    pub const fn new(id: N) -> Self {
        Self { id, view: None, open: BTreeMap::new() }
    }

    /// What it has seen of the entry of its deployment.
    pub const fn view(&self) -> Option<&View<N>> {
        self.view.as_ref()
    }

    /// Takes a state of the entry of its deployment. One that is late does no harm.
    pub fn see(&mut self, state: &State<N>) {
        View::renew(&mut self.view, state);
    }

    /// The change that the node owes: that it has observed the generation, once all writes from before have ended.
    pub fn change(&self) -> Option<Change<N>> {
        let version = self.view.as_ref()?.version();
        let generation = version.generation;
        let has_ended = self.open.keys().all(|it| *it >= generation);
        let is_noted = version.nodes.get(&self.id).is_some_and(|it| *it >= generation);
        (has_ended && !is_noted).then(|| Change::Observe { node: self.id.clone(), generation })
    }

    /// The version whose storage answers a request that reads.
    ///
    /// # Errors
    /// As [`NotServed`] says.
    pub fn read(&self, version: &N) -> Result<N, NotServed<N>> {
        self.known()?.read_from(version).cloned()
    }

    /// What it has seen, if the registry knows the node: others are not waited for, so they neither write nor answer.
    fn known(&self) -> Result<&ActiveVersion<N>, NotServed<N>> {
        let version = self.view.as_ref().map(View::version);
        version.filter(|it| it.nodes.contains_key(&self.id)).ok_or(NotServed::Unavailable)
    }

    /// Begins a write.
    ///
    /// # Errors
    /// As [`NotServed`] says.
    pub fn begin_write(&mut self, version: &N) -> Result<Writing<N>, NotServed<N>> {
        let view = self.known()?;
        let writing = Writing { storage: view.write_to(version)?.clone(), generation: view.generation };
        *self.open.entry(writing.generation).or_default() += 1;
        Ok(writing)
    }

    /// Notes that a write was committed, or will never be.
    pub fn end_write(&mut self, writing: &Writing<N>) {
        let left = self.open.get_mut(&writing.generation).map(|it| {
            *it = it.saturating_sub(1);
            *it
        });
        if left == Some(0) {
            self.open.remove(&writing.generation);
        }
    }
}

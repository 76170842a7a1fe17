use std::{
    fmt,
    sync::{Arc, Condvar, Mutex, PoisonError},
    task::Waker,
};

use crate::{BackingStore, StoreError, store::Shared};

/// The most transactions that a backing store is given at once.
const MOST: usize = 1024;

/// Writes the transactions that are submitted to a store: all that were submitted during one write are written in the next one.
///
/// It is made by [`Store::with_writer`](crate::Store::with_writer); its host gives it a thread. When it is
/// dropped, the store is closed, and transactions that were not written fail.
pub struct Writer {
    shared: Arc<Shared>,
    backing: Box<dyn BackingStore>,
}

/// Wakes the writer.
#[derive(Debug, Default)]
pub(crate) struct Signal {
    is_set: Mutex<bool>,
    set: Condvar,
}

impl Writer {
    pub(crate) fn new(shared: Arc<Shared>, backing: Box<dyn BackingStore>) -> Self {
        Self { shared, backing }
    }

    /// Writes until the store is closed and all that was submitted before is written; it waits in this thread.
    pub fn run(mut self) {
        loop {
            // Nothing is submitted after the store was closed: it is checked in this order.
            let closed = self.shared.state().closed;
            if !self.write() {
                match closed {
                    true => return,
                    false => self.shared.signal.wait(),
                }
            }
        }
    }

    /// Writes once, if anything is submitted; returns whether something was. It is for hosts that give it no
    /// thread of its own: [`run`](Self::run) does this as often as necessary.
    pub fn write(&mut self) -> bool {
        let commits = self.shared.queue().commits(MOST);
        if commits.is_empty() {
            return false;
        }
        let kept = self.backing.commit_many(&commits).map(|kept| kept.clamp(1, commits.len()));
        let woken = self.shared.settle(kept.map_err(|why| StoreError::Backing { why }));
        woken.into_iter().for_each(Waker::wake);
        true
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.close();
        let woken = self.shared.settle(Err(StoreError::Cancelled));
        woken.into_iter().for_each(Waker::wake);
    }
}

impl Signal {
    pub(crate) fn set(&self) {
        *self.is_set.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.set.notify_one();
    }

    /// Waits until it is set, and resets it.
    fn wait(&self) {
        let is_set = self.is_set.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.set.wait_while(is_set, |is_set| !*is_set);
        *waited.unwrap_or_else(PoisonError::into_inner) = false;
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

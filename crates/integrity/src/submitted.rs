use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use store::{Committed, StoreError, Submission};

use crate::{Plugins, ResourceChange};

/// The result of a submitted transaction: ready once it is kept, or refused.
///
/// Dropping it changes nothing but that plugins do not receive that it has [finished](crate::Plugin::finished).
#[must_use = "its result says whether the transaction was kept"]
pub struct Submitted<E> {
    submission: Submission<E>,
    changes: Vec<ResourceChange>,
    plugins: Plugins,
    /// The number of the commit, for plugins.
    number: u64,
}

impl<E: From<StoreError>> Submitted<E> {
    pub(crate) fn new(
        submission: Submission<E>,
        changes: Vec<ResourceChange>,
        plugins: Plugins,
        number: u64,
    ) -> Self {
        Self { submission, changes, plugins, number }
    }

    /// Waits in this thread. It must not be that of the store's writer.
    ///
    /// # Errors
    /// That of the body; all problems of the changes; those of the store.
    pub fn wait(self) -> Result<Committed, E> {
        let committed = self.submission.wait();
        finish(&self.plugins, self.number, &self.changes, committed.is_ok());
        committed
    }
}

impl<E: From<StoreError>> Future for Submitted<E> {
    type Output = Result<Committed, E>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = Pin::new(&mut self.submission).poll(cx);
        if let Poll::Ready(committed) = &polled {
            finish(&self.plugins, self.number, &self.changes, committed.is_ok());
        }
        polled
    }
}

/// It contains no reference to itself.
impl<E> Unpin for Submitted<E> {}

fn finish(plugins: &Plugins, number: u64, changes: &[ResourceChange], committed: bool) {
    if !changes.is_empty() {
        plugins.iter().for_each(|plugin| plugin.finished(number, changes, committed));
    }
}

impl<E> fmt::Debug for Submitted<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Submitted").field("submission", &self.submission).finish_non_exhaustive()
    }
}

use std::{
    sync::Arc,
    thread::{self, JoinHandle},
};

use store::{BackingStore, Clock, Options, Store, StoreError};

/// The thread that writes the transactions that are submitted to a store.
#[derive(Debug)]
pub struct StoreThread(JoinHandle<()>);

/// Opens a store whose writes are made in a thread of its own, so that [`Store::submit`] never waits for a disk
/// or a server, and transactions that are submitted during a write are written together.
///
/// # Errors
/// Those of [`Store::with_writer`]; [`StoreError::Backing`] if the thread cannot be started.
pub fn open_store(
    options: Options,
    clock: Arc<dyn Clock>,
    backing: Box<dyn BackingStore>,
) -> Result<(Store, StoreThread), StoreError> {
    let (store, writer) = Store::with_writer(options, clock, backing)?;
    let thread = thread::Builder::new().name("store".into()).spawn(|| writer.run());
    let thread =
        thread.map_err(|why| StoreError::Backing { why: format!("cannot start a thread: {why}") })?;
    Ok((store, StoreThread(thread)))
}

impl StoreThread {
    /// Waits until the store is closed, all that was submitted to it is written, and its backing store is
    /// released. A program that ends earlier may lose the transactions without a result.
    ///
    /// # Errors
    /// If the backing store has panicked.
    pub fn join(self) -> Result<(), StoreError> {
        let why = "the thread of the store has panicked";
        self.0.join().map_err(|_| StoreError::Backing { why: why.to_owned() })
    }
}

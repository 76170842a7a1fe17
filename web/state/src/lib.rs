//! States in the browser's database: [`IndexedBackend`], one for each deployment.
//!
//! A commit is one transaction of the database. The lease is a lock of the browser, which ends with its tab,
//! so a closed tab leaves no lease behind. The test runs in a worker of a real browser, which has the
//! database and the locks.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

mod backend;
mod database;
mod locks;

pub use backend::IndexedBackend;
pub use database::{Database, Found, Mode, Put, Reads};

//! States in the browser's database: [`IndexedBackend`], one for each deployment.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

mod backend;
mod database;
mod locks;

pub use backend::IndexedBackend;
pub use database::{Database, Found, Mode, Put, Reads};

//! The capability `services`: specifications of services read into kinds, methods and routes.
//!
//! [`REGISTRATION`] says which files it reads; [`Services`] reads them while a model is built; [`Questions`] are the
//! queries of hosts. Specifications and `.proto` files are read together: one completes the other, and the places
//! where they disagree are reported. The graph of kinds and the plans of indices and of caches are views of what was
//! read. What changed between two versions is a question to two workspaces, because each has the imports of its own
//! version.
//!
//! A [`ServiceSession`] is the API in memory. It has a clock and ids of its own, so that the same requests get the
//! same responses in a browser, in Node and in tests. Limits, the log of changes, usage and a cache are plugins of
//! its transactions. It executes commands, too; transactions and watches that stay open between them are kept in the
//! session.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

pub mod codes;
mod commands;
mod deletions;
mod dependences;
mod diff;
mod example;
mod expand;
mod formats;
mod generated;
mod graph_text;
mod kind_graph;
mod merged;
mod name;
mod overview;
mod parameters;
mod path;
mod preview;
mod protos;
mod questions;
mod reading;
mod selection;
mod session;
mod session_ids;
mod session_plugins;
mod session_usage;
mod storage;
mod trial;
mod tried;
mod vocabulary;

pub use formats::{NAME, REGISTRATION};
pub use generated::specification_schema;
pub use questions::Questions;
pub use reading::{Imports, Services, definitions};
pub use session::{ServiceSession, now};

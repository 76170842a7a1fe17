//! The capability `services`: specifications of services read into kinds, methods and routes.
//!
//! [`REGISTRATION`] says which files it reads; [`Services`] reads them while a model is built; [`Questions`] are the
//! queries of hosts.
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

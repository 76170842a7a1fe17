//! The capability `services`: specifications of services read into kinds, methods and routes.
//!
//! [`REGISTRATION`] says which files it reads; [`Services`] reads them while a model is built; [`Questions`] are the
//! queries of hosts.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod deletions;
mod diff;
mod expand;
mod formats;
mod generated;
mod graph_text;
mod kind_graph;
mod name;
mod path;
mod protos;
mod questions;
mod reading;
mod session;
mod session_plugins;
mod storage;
mod vocabulary;

pub use formats::{NAME, REGISTRATION};
pub use generated::specification_schema;
pub use questions::Questions;
pub use reading::{Imports, Services};
pub use session::ServiceSession;

//! Plain data for hosts: what the command line prints, the npm package returns and the app shows, as types. Field names are
//! stable. Lines and columns count from 1, columns in characters. The TypeScript declarations of the npm package are
//! generated from these types.
//!
//! Every closed set is an enum whose values are words in JSON; the macro `closed_set!` defines both together. [`words`] is
//! the one table of what users see for each value: words, symbol, tone. Hosts add colours and layout, and no words of their
//! own. Its `match`es have no wildcard, and neither have those by which `workspace`, `linking` and `versions` convert the
//! enums of the core into these: a new value does not compile before it has its words.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::indexing_slicing)]

mod closed_set;
mod code;
pub mod codes;
mod comparison;
mod controllers;
mod cursor;
mod diagnostic;
mod file;
mod graph;
mod json;
mod links;
mod merge;
mod plan;
mod refactor;
mod report;
mod services;
mod services_commands;
mod services_deletion;
mod services_diff;
mod services_graph;
mod services_overview;
mod services_session;
mod services_storage;
mod versions;
pub mod words;

pub use code::*;
pub use comparison::*;
pub use controllers::*;
pub use cursor::*;
pub use diagnostic::*;
pub use file::*;
pub use graph::*;
pub use links::*;
pub use merge::*;
pub use plan::*;
pub use refactor::*;
pub use report::*;
pub use services::*;
pub use services_commands::*;
pub use services_deletion::*;
pub use services_diff::*;
pub use services_graph::*;
pub use services_overview::*;
pub use services_session::*;
pub use services_storage::*;
pub use versions::*;

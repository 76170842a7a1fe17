//! The capability `versions`: packages that descriptors and documents require, chosen from catalogs.
//!
//! [`REGISTRATION`] declares the files it reads; [`Versions`] reads them and chooses while a model is built;
//! [`Questions`] are the queries of hosts. The rules are in `catalog` and `resolve`; here they meet the files
//! and become views. [`solve_problem`] needs no workspace.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod answer;
mod answers;
mod bundles;
mod catalog_set;
mod choose;
mod chosen;
pub mod codes;
mod formats;
mod integrity;
mod lock;
mod moves;
mod offers;
mod options;
mod problem;
mod questions;
mod reading;
mod request;
mod resolution_requests;
mod solve;
mod solver;
mod upgrades;
mod vocabulary;

pub use bundles::BundleSearch;
pub use formats::{NAME, REGISTRATION};
pub use options::VersionOptions;
pub use questions::Questions;
pub use reading::Versions;
pub use solver::{SolverCallbacks, solve_problem};

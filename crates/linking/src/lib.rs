//! The capability `linking`: manifests of BOSH read into what can be linked, links as views, and templates filled in.
//!
//! [`REGISTRATION`] says which files it reads, and that descriptors need it for expressions over links; [`Linking`]
//! reads them while a model is built; [`Questions`] are what hosts ask about it. The rules are in `bosh`, `links` and
//! `template`; here they meet the files and become views.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod accessors;
mod changes;
pub mod codes;
mod entry;
mod formats;
mod invisible;
mod map;
mod preview;
mod provider;
mod questions;
mod reading;
mod renamed;
mod vocabulary;

pub use formats::{NAME, REGISTRATION};
pub use questions::Questions;
pub use reading::Linking;

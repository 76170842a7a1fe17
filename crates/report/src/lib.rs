//! The findings of commands, written for other programs: JSON, SARIF, annotations and summaries of GitHub, plain text.
//!
//! [`Findings`] are the problems of files and the dangerous actions of a plan, each with its place; [`sarif`], [`github`],
//! [`summary()`] and [`plain`] write them. Columns are characters. A fingerprint has no line in it, so a finding is
//! recognised although lines moved. Texts from outside cannot end what they are written into, and secrets are removed first
//! ([`masked`], [`concealed`]).
//!
//! Views come in and texts go out: the command line and the npm package read files, call this and print, so both print the
//! same bytes, which `tests/npm/commands.mjs` compares. [`report()`] is a whole command for hosts that have only files, as
//! the command of the npm package.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

pub mod codes;
mod conceal;
mod excerpt;
mod finding;
mod fingerprint;
mod github;
mod input;
mod json;
mod place;
mod plain;
mod request;
mod risk;
mod rules;
mod sarif;
mod summary;

pub use conceal::{concealed, location, masked};
pub use excerpt::{Piece, Text};
pub use finding::Findings;
pub use github::github;
pub use input::{InputError, STDIN, problem, text};
pub use json::{json, plan_json, plan_json_with};
pub use plain::{counts, plain};
pub use request::{ReportHost, Request, no_state, report, reported};
pub use rules::{AREAS, RuleText};
pub use sarif::{Documentation, sarif, sarif_with};
pub use summary::summary;

//! YAML text to a spanned tree and back.
//!
//! [`parse`] never fails: broken text gives diagnostics and the values that could be read. Every [`Node`] knows the bytes it
//! was read from, so a node *is* its own origin; collections are shared, so cloning a tree is cheap.
//! Diagnostics state the problem and its place in plain words, under the codes `syntax/…`; most carry a fix. Limits keep
//! hostile texts from costing more than honest ones.
//!
//! Files that other tools accept are accepted here, too: what the parser refuses and libyaml reads, such as lines inside
//! quotes and brackets that are not indented, is read from a repaired copy, with a warning and a fix.
//!
//! [`emit`] writes a tree so that YAML 1.1 and 1.2 readers get the same values back. [`edit`] changes a text, keeps its
//! comments and leaves the rest of it as it was. [`package`] reads and writes zip packages.
//!
//! YAML 1.2 core schema; scalars that YAML 1.1 reads otherwise get a warning.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod edit;
pub mod package;

mod anchors;
mod builder;
pub mod codes;
mod compat;
mod control;
mod element;
mod emit;
mod extent;
mod float;
mod invisible;
mod lines;
mod lookalike;
mod mapping;
mod names;
mod node;
mod parse;
mod problem;
mod reader;
mod recover;
mod report;
mod scalar;
mod schema;
mod surrogates;
mod tags;
mod trivia;
mod written;

pub use element::element_at;
pub use emit::emit;
pub use float::decimal;
pub use node::{Document, Entry, Mapping, Node, NodeData, Style, Tag};
pub use parse::{Limits, Parse, parse};
pub use surrogates::mask_surrogates;
pub use written::written_at;

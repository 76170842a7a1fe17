//! Texts, trees, edits and packages; oracles are other readers of YAML.

mod archives;
mod continuation;
mod edit;
mod edit_laws;
mod laws;
mod lenient;
mod package;
mod problems;
mod pyyaml;
mod readers;
mod support;
mod tree;

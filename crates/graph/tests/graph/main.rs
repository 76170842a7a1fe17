//! The answers of graphs, by example and by law.

mod answers;
mod deployment;
mod drawings;
mod laws;
mod layout;

//! What native programs give the engine: time, HTTP both ways, states in files.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

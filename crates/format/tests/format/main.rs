//! The layout of files: cases, laws, and files that others wrote.

mod cases;
mod laws;
mod pyyaml;
mod real;
mod support;

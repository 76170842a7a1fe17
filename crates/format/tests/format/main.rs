//! The layout of files: cases, laws, and files that others wrote.

mod cases;
mod laws;
mod real;
mod support;

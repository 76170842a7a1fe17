//! Catalogs and what is chosen from them.

mod catalogs;
mod ranges;
mod resolution;
mod support;

//! Names of resources: examples, what real specifications generate, errors, laws.

mod bad;
mod examples;
mod generation;
mod ids;
mod laws;
mod newtypes;
mod real;
mod support;

//! The generated outputs: from the specifications of real services, and from one that has every type of field.
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

mod openapi;
mod permissions;
mod protos;
mod reference;
mod size;
mod specification;
mod support;
mod written;

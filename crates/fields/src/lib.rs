//! Values of messages in JSON, and what can be said about their fields.
//!
//! Messages are those of proto3, their values JSON as proto3 maps it. Paths, masks, filters and orders name fields in
//! `snake_case`; values have the names that JSON has (`lowerCamelCase`), and both are accepted in values.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod schema;

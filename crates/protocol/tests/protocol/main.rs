//! Compares the generated OpenAPI document with this crate's types.

mod lines;
mod openapi;
mod schema;

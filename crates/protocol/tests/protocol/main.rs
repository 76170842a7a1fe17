//! What the generated OpenAPI document says of this crate's types.

mod lines;
mod openapi;
mod schema;

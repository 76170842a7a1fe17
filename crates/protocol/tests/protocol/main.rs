//! What the generated OpenAPI document says of this crate's types.

mod openapi;
mod schema;

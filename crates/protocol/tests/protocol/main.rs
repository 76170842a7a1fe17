//! Calls as they are sent and received, and the generated OpenAPI document beside this crate's types.

mod calls;
mod lines;
mod openapi;
mod schema;

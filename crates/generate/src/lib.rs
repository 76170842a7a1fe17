//! Outputs generated from a specification of a service: an OpenAPI document, TypeScript types, JSON Schema, `.proto` files,
//! lists of permissions and roles, and documentation.
//!
//! A [`Definition`] is a resolved service with the types of its messages. Every function here turns one into text or JSON,
//! always the same for the same definition. Messages have the form that proto3 has in JSON: `lowerCamelCase`, texts for
//! numbers of 64 bits, names for values of enumerations.
//!
//! [`openapi`] is the contract of the server over HTTP (the crate `api`); its documentation lists where it differs from the
//! `google.api.http` rules of the specification. Generated types are compiled and generated documents validated with the
//! tools of those who use them, by `tests/npm/generated.mjs`.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod definition;
mod json_schema;
mod markdown;
mod openapi;
mod permissions;
mod proto;
mod regex;
mod roles;
mod schemas;
mod specification;
mod text;
mod typescript;

pub use definition::Definition;
pub use json_schema::{json_schema, json_schema_of};
pub use markdown::markdown;
pub use openapi::openapi;
pub use permissions::permissions;
pub use proto::{ProtoFile, proto};
pub use roles::{DefaultRole, default_roles, roles};
pub use specification::specification_schema;
pub use typescript::typescript;

//! Specifications of services: read, compared, and held to what their toolchain generated.

mod compare;
mod compat;
mod real;
mod schema;
mod size;

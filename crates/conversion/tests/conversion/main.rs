//! Conversions between two versions of a service: what is checked, and the laws that hold for what is converted.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod checks;
mod guide;
mod laws;
mod methods;
mod problems;
mod secrets;
mod served;
mod server;
mod vault;

//! The API of specifications: routes of real services, and requests to a small one.

mod authorization;
mod bodies;
mod kept;
mod long;
mod refused;
mod requests;
mod routes;
mod support;
mod unserved;
mod versions;
mod watches;

//! The views of services that hosts show, and the contract of their server.

mod contract;
mod library;
mod overview;
mod trial;

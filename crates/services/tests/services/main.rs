//! What hosts show of services, and the contract of their server.

mod contract;
mod library;
mod overview;
mod trial;

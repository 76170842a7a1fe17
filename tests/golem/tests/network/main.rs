//! A requestor that uses the REST API of its daemon only, against providers that are honest and others.

#![expect(clippy::print_stderr, reason = "a test that is skipped says so, and measurements are shown")]

mod faults;
mod flow;
mod requestor;
mod vpn;

//! Tests with real containers and a Podman of their own: its storage, configuration and socket are in a
//! folder that is removed with the test program. If no Podman can run, each test reports that it is skipped,
//! and why.
#![forbid(unsafe_code)]

mod adoption;
mod bench;
mod build;
mod conformance;
mod engine;
mod images;
mod networks;
mod refused;
mod start;
mod stop;
mod update;

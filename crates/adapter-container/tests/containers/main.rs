//! Real containers with a Podman of the tests' own: its own storage, configuration and socket in a folder that goes away
//! with the test program. Where none can run, each test says that it is skipped, and why.
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

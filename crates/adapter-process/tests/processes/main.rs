//! Tests with real processes on this machine. Every process of a test has its marker, and is killed at the
//! end of the test.
#![forbid(unsafe_code)]

mod adoption;
mod allow;
mod bench;
mod conformance;
mod environment;
mod helper;
mod limits;
mod many;
mod networks;
mod restart;
mod start;
mod stop;
mod supervisor;

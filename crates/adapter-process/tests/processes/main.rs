//! Real processes on this machine. Whatever a test starts carries its marker, and is killed when the test is over.
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

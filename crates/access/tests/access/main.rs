//! The contract of every access, over the store and over HTTP, and what is done when requests or replies are lost.

mod contract;
mod faults;
mod foreign;
mod slow_readers;
mod support;

//! Tests of the service, the simulator, fault injection and the conformance suite. No test needs a thread or
//! a real clock.

mod conformance;
mod faults;
mod keys;
mod ledger;
mod lineage;
mod mutants;
mod operations;
mod reads;
mod simulator;
mod support;
mod verbs;

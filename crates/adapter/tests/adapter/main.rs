//! What a service, the simulator, faults and the conformance suite do. No test needs a thread or a real clock.

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

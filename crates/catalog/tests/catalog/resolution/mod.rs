//! Selections and conflicts: the tables of OLM 0's tests and further cases, each through its files.

mod active_resolution;
mod check;
mod dependencies;
mod fixes;
mod laws;
mod moves;
mod notation;
mod notices;
mod pages;
mod phase0;
mod printed;
mod real;
mod said;
mod texts;
mod upgrades;
mod v0;
mod why;

//! The real binary, run in a folder of its own.

mod adapters;
mod apply;
mod bad_input;
mod check;
mod containers;
mod damage;
mod encryption;
mod examples;
mod generated;
mod graph;
mod links;
mod merge;
mod out;
mod plan;
mod readme;
mod refresh;
mod resolve;
mod run;
mod saved;
mod secrets;
mod serve;
mod strangers;
mod terminal;
mod tokens;
mod usage;
mod visits;

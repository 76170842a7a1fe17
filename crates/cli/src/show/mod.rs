//! Views as text. No decision is made here.

pub(crate) mod code;
pub(crate) mod columns;
pub(crate) mod comparison;
pub(crate) mod cost;
pub(crate) mod diagnostics;
pub(crate) mod diff;
pub(crate) mod graph;
pub(crate) mod links;
pub(crate) mod merge;
pub(crate) mod patch;
pub(crate) mod places;
pub(crate) mod plan;
pub(crate) mod region;
pub(crate) mod report;
pub(crate) mod resolve;
pub(crate) mod spec;
pub(crate) mod spec_diff;
pub(crate) mod spec_graph;
pub(crate) mod value;
pub(crate) mod width;

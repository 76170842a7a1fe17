//! From what the solver says to what users are told.

mod chain;
mod conflict;
mod listing;
mod premise;
mod rest;
mod selection;
mod words;

pub(crate) use conflict::conflict;
pub(crate) use premise::Premise;
pub(crate) use rest::Rest;
pub(crate) use selection::selection;

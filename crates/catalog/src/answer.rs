//! From the solver's answer to a resolution for users.

mod chain;
mod change;
mod conflict;
mod considered;
mod exclusions;
mod fixes;
mod listing;
mod notices;
mod part;
mod premise;
mod remedies;
mod selection;
mod words;

pub(crate) use change::Change;
pub(crate) use conflict::conflict;
pub(crate) use considered::Solved;
pub(crate) use fixes::{TRIES, fixes};
pub(crate) use notices::notices;
pub(crate) use part::{ConflictScope, without};
pub(crate) use premise::Premise;
pub(crate) use selection::{ids, selection};

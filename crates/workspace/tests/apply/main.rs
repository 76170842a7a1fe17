//! Plans carried out: engines in a world whose time, adapter and state are the test's.

mod adopt;
mod answers;
mod before_apply;
mod cases;
mod concurrent_changes;
mod crash;
mod credentials;
mod environment;
mod hostile;
mod large;
mod lists;
mod moves;
mod observing;
mod offline;
mod operations;
mod other_adapters;
mod preflight;
mod revert_field;
mod revert_field_answers;
mod runs;
mod script;
mod skip_unreachable;
mod terminated;
mod unclear;
mod unready;
mod watching;

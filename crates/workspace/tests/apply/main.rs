//! Plans carried out: engines in a world whose time, adapter and state are the test's.

mod adopt;
mod answers;
mod cases;
mod crash;
mod hostile;
mod large;
mod looks;
mod moved;
mod offline;
mod preflight;
mod put_back;
mod script;
mod site;
mod strangers;
mod unready;
mod watching;

//! Plans carried out: engines in a world whose time, adapter and state are the test's.

mod cases;
mod crash;
mod hostile;
mod large;
mod moved;
mod offline;
mod put_back;
mod site;
mod strangers;
mod unready;
mod watching;

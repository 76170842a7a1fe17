//! Plans carried out: engines in a world whose time, adapter and state are the test's.

mod adopt;
mod answers;
mod around;
mod begin;
mod cases;
mod crash;
mod credentials;
mod ended;
mod environment;
mod hostile;
mod large;
mod lists;
mod looks;
mod moved;
mod offline;
mod operations;
mod preflight;
mod put_back;
mod put_back_answers;
mod runs;
mod script;
mod strangers;
mod unclear;
mod unready;
mod watching;

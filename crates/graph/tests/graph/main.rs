//! What graphs say, by example and by law.

mod answers;
mod deployment;
mod laws;
mod layout;

//! Reports for other programs.

mod beside;
mod hostile;
mod rules;

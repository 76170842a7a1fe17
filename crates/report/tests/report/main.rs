//! Reports for other programs.

mod hostile;
mod rules;

//! The solver against its definition, and its explanations.

#[path = "resolve/cases.rs"]
mod cases;
#[path = "resolve/notation.rs"]
mod notation;

//! The solver against its definition, and its explanations.

#[path = "resolve/cases.rs"]
mod cases;
#[path = "resolve/explanations.rs"]
mod explanations;
#[path = "resolve/generate.rs"]
mod generate;
#[path = "resolve/laws.rs"]
mod laws;
#[path = "resolve/notation.rs"]
mod notation;
#[path = "resolve/reference.rs"]
mod reference;

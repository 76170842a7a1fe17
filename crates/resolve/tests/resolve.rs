//! The solver against its definition and other solvers, and its explanations.

#[path = "resolve/batsat.rs"]
mod batsat;
#[path = "resolve/cases.rs"]
mod cases;
#[path = "resolve/explained.rs"]
mod explained;
#[path = "resolve/explanations.rs"]
mod explanations;
#[path = "resolve/generate.rs"]
mod generate;
#[path = "resolve/hard.rs"]
mod hard;
#[path = "resolve/hooks.rs"]
mod hooks;
#[path = "resolve/index.rs"]
mod index;
#[path = "resolve/laws.rs"]
mod laws;
#[path = "resolve/lazily.rs"]
mod lazily;
#[path = "resolve/notation.rs"]
mod notation;
#[path = "resolve/packages.rs"]
mod packages;
#[path = "resolve/pubgrub.rs"]
mod pubgrub;
#[path = "resolve/random.rs"]
mod random;
#[path = "resolve/random_sat.rs"]
mod random_sat;
#[path = "resolve/reference.rs"]
mod reference;
#[path = "resolve/steps.rs"]
mod steps;
#[path = "resolve/sudoku.rs"]
mod sudoku;
#[path = "resolve/unrelated.rs"]
mod unrelated;

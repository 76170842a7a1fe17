//! The solver against its definition and other solvers, and its explanations.

mod batsat;
mod cases;
mod explained;
mod explanations;
mod generate;
mod hard;
mod hooks;
mod index;
mod laws;
mod lazily;
mod notation;
mod packages;
mod pubgrub;
mod random;
mod random_sat;
mod reference;
mod steps;
mod sudoku;
mod unrelated;

#![expect(clippy::unwrap_used, reason = "tests")]

mod cells;
mod cosi;
mod hostile;
mod scene;
mod table;
mod tokens;

#![expect(clippy::unwrap_used, reason = "tests")]
mod cells;
mod scene;
mod table;

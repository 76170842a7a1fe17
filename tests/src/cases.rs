//! The answers of examples in a file, for other builds of the engine to be compared with.

use std::{fs, path::Path};

use crate::example::Example;

/// Writes them into a file of the target folder.
///
/// # Panics
/// If the file cannot be written.
pub fn write(name: &str, examples: &[Example]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()));
    let text = serde_json::to_string_pretty(examples).expect("examples are plain data");
    fs::create_dir_all(&target).expect("the target folder");
    fs::write(target.join(name), text).expect("the answers can be written");
}

//! Edits of a text that leave everything else, comments included, as it was.

use diag::{FileId, TextEdit};

/// Why an edit cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditError {
    /// The text cannot be read as YAML.
    Unreadable,
    /// There is nothing at that place, or what holds it is not a collection.
    NoSuchPlace,
}

/// Sets the value at `path` (keys and indices from the root) to the YAML text `value`, adding the maps that are missing.
///
/// # Errors
/// [`EditError`] when the text or the place does not allow it.
pub fn set(file: FileId, text: &str, path: &[String], value: &str) -> Result<Vec<TextEdit>, EditError> {
    let _ = (file, text, path, value);
    todo!()
}

/// Removes the entry or item at `path` with its comment lines.
///
/// # Errors
/// [`EditError`] when the text or the place does not allow it.
pub fn remove(file: FileId, text: &str, path: &[String]) -> Result<Vec<TextEdit>, EditError> {
    let _ = (file, text, path);
    todo!()
}

/// Renames the key at `path`.
///
/// # Errors
/// [`EditError`] when the text or the place does not allow it.
pub fn rename_key(file: FileId, text: &str, path: &[String], key: &str) -> Result<Vec<TextEdit>, EditError> {
    let _ = (file, text, path, key);
    todo!()
}

//! The lines that record moves.

use diag::{FileId, Span, TextEdit};

/// Begins the list of moves at the end of a file, with one item. `None` for a file in braces, or with several documents:
/// there it has to be added by hand.
pub fn begin_moves(file: FileId, text: &str, item: &str) -> Option<TextEdit> {
    let first =
        text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or_default();
    let is_block = !first.starts_with(['{', '[', ' ', '\t']);
    let has_documents = text.lines().any(|line| line.starts_with("---") || line.starts_with("..."));
    let end = text.len() as u32;
    let line = if text.ends_with('\n') { "" } else { "\n" };
    let new_text = format!("{line}moved:\n  - {item}\n");
    (is_block && !has_documents).then(|| TextEdit { span: Span::new(file, end, end), new_text })
}

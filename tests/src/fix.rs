//! The fixes of diagnostics, carried out.

use serde_json::Value as Json;
use workspace::File;

/// The files after a fix of a diagnostic, as an editor would change them. Files that a fix names and that are not
/// there (type definitions) are passed over.
pub fn fixed(files: &[File], fix: &Json) -> Vec<File> {
    let edits = fix["edits"].as_array().map_or(&[][..], Vec::as_slice);
    let of = |file: &File| {
        let mut own: Vec<_> =
            edits.iter().filter(|it| it["file"] == *file.name).map(|it| range(&file.text, it)).collect();
        own.sort_unstable();
        let mut text = file.text.clone();
        for (start, end, new_text) in own.into_iter().rev() {
            text.replace_range(start..end, new_text);
        }
        File { text, ..file.clone() }
    };
    files.iter().map(of).collect()
}

/// The bytes that an edit replaces, and with what.
fn range<'a>(text: &str, edit: &'a Json) -> (usize, usize, &'a str) {
    let end = offset(text, &edit["end_line"], &edit["end_column"]);
    (offset(text, &edit["line"], &edit["column"]), end, edit["new_text"].as_str().unwrap_or_default())
}

/// The byte at a line and column, both from 1, columns in characters.
pub fn offset(text: &str, line: &Json, column: &Json) -> usize {
    let number = |it: &Json| it.as_u64().unwrap_or(1).saturating_sub(1) as usize;
    let start: usize = text.split_inclusive('\n').take(number(line)).map(str::len).sum();
    start + text[start..].char_indices().nth(number(column)).map_or(text.len() - start, |(at, _)| at)
}

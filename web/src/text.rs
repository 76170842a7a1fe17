//! Places in text as people count them, and edits at such places.

use diag::order;
use ui::case;
use workspace::view::{EditView, LocationView};

/// The byte at a line and column, both from 1, columns in characters; past the end of a line is its end.
pub fn offset(text: &str, line: u32, column: u32) -> usize {
    let mut start = 0;
    for _ in 1..line {
        match text.get(start..).and_then(|rest| rest.find('\n')) {
            Some(at) => start += at + 1,
            None => return text.len(),
        }
    }
    let rest = text.get(start..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    start + line.char_indices().nth(column.saturating_sub(1) as usize).map_or(line.len(), |(at, _)| at)
}

/// `text` after the edits that lie in it; an edit that overlaps an earlier one is left out.
pub fn apply<'a>(text: &str, edits: impl IntoIterator<Item = &'a EditView>) -> String {
    let mut places: Vec<(usize, usize, &str)> = edits.into_iter().map(|edit| place(text, edit)).collect();
    order::by_key(&mut places, |(start, end, _)| (*start, *end));
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for (start, end, new_text) in places {
        if start < done || end < start {
            continue;
        }
        result.push_str(text.get(done..start).unwrap_or_default());
        result.push_str(new_text);
        done = end;
    }
    result.push_str(text.get(done..).unwrap_or_default());
    result
}

fn place<'a>(text: &str, edit: &'a EditView) -> (usize, usize, &'a str) {
    let LocationView { line, column, end_line, end_column, .. } = &edit.location;
    (offset(text, *line, *column), offset(text, *end_line, *end_column), &edit.new_text)
}

/// True if a text says nothing: no more than comments and the marks between documents.
pub fn is_blank(text: &str) -> bool {
    text.lines().map(str::trim).all(|line| line.is_empty() || line.starts_with('#') || line == "---")
}

/// Reads a file that was dropped or picked: its text without the byte order mark.
///
/// # Errors
/// A sentence that says why it is not taken.
pub fn read(name: &str, bytes: Vec<u8>) -> Result<String, String> {
    const LARGEST: usize = 64 << 20;
    if bytes.len() > LARGEST {
        return Err(format!("{name} is larger than 64 MB."));
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("{name} is not UTF-8 text."))?;
    if text.contains('\0') {
        return Err(format!("{name} is not text."));
    }
    Ok(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))
}

/// A message with a capital letter and a full stop; nothing where there is none.
pub fn sentence(message: &str) -> String {
    if message.is_empty() { String::new() } else { case::capitalised(message) + "." }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(from: (u32, u32), to: (u32, u32), new_text: &str) -> EditView {
        let location =
            LocationView { file: "a".into(), line: from.0, column: from.1, end_line: to.0, end_column: to.1 };
        EditView { location, new_text: new_text.into() }
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(offset("é: ü!\nb", 1, 4), 4);
        assert_eq!(offset("é: ü!\nb", 1, 99), 7);
        assert_eq!(offset("é: ü!\nb", 2, 1), 8);
        assert_eq!(offset("a", 9, 1), 1);
    }

    #[test]
    fn edits_apply_from_any_order_and_never_overlap() {
        let edits = [edit((2, 1), (2, 2), "B"), edit((1, 1), (1, 1), "> "), edit((2, 1), (2, 2), "C")];
        assert_eq!(apply("a\nb\n", &edits), "> a\nB\n");
    }

    #[test]
    fn comments_say_nothing() {
        assert!(is_blank("") && is_blank("---\n  # later\n\n"));
        assert!(!is_blank("# a\nmeta:\n"));
    }

    #[test]
    fn binary_files_are_refused() {
        assert_eq!(read("a.yaml", b"\xef\xbb\xbfa: 1".to_vec()), Ok("a: 1".into()));
        assert_eq!(read("a.bin", vec![0xff, 0xfe]), Err("a.bin is not UTF-8 text.".into()));
        assert_eq!(read("a.bin", vec![0]), Err("a.bin is not text.".into()));
    }

    #[test]
    fn a_refusal_is_a_sentence() {
        assert_eq!(sentence("a is gone already"), "A is gone already.");
        assert_eq!(sentence(""), "");
    }
}

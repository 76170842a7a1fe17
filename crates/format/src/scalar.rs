//! Scalars of several lines, and quotes.

use crate::block;
use crate::page::Page;

/// Writes a scalar that is no block, with its further lines indented.
pub(crate) fn write(page: &mut Page<'_>, text: &str, indent: usize, is_double: bool) {
    let mut empty = 0;
    for (at, line) in block::lines(text) {
        let is_last = at + line.len() == text.len();
        let line = block::content(line);
        let line = if at == 0 { line } else { line.trim_start_matches([' ', '\t']) };
        let line = if is_last { line } else { without_end(line, is_double) };
        match (at, line) {
            (0, _) => page.push(line),
            (_, "") => empty += 1,
            _ => {
                page.start(std::mem::take(&mut empty), indent);
                page.push(line);
            }
        }
    }
}

/// A line without the white space at its end, but for what is escaped.
fn without_end(line: &str, is_double: bool) -> &str {
    let trimmed = line.trim_end_matches([' ', '\t']);
    let escapes = trimmed.len() - trimmed.trim_end_matches('\\').len();
    if is_double && escapes % 2 == 1 { line } else { trimmed }
}

/// Writes a text in single quotes as one in double quotes, if it means the same there.
pub(crate) fn requoted(text: &str) -> Option<String> {
    let content = text.strip_prefix('\'')?.strip_suffix('\'')?;
    (!content.contains(['\'', '"', '\\'])).then(|| format!("\"{content}\""))
}

/// Writes the lines of a block scalar, moved from one indentation to another. `None` if a line is indented less.
pub(crate) fn write_body(page: &mut Page<'_>, body: &str, old: usize, new: usize) -> Option<()> {
    let mut is_open = true;
    for (_, line) in block::lines(body) {
        write_line(page, block::content(line), old, new)?;
        is_open = line.ends_with('\n');
    }
    if is_open {
        page.whole(0, "");
    }
    Some(())
}

fn write_line(page: &mut Page<'_>, line: &str, old: usize, new: usize) -> Option<()> {
    if line.len() <= old && line.trim_start_matches(' ').is_empty() {
        page.whole(0, "");
        return Some(());
    }
    if block::indentation(line) < old {
        return None;
    }
    page.whole(new, line.get(old..)?);
    Some(())
}

/// The length of the quoted text that a text starts with.
pub(crate) fn quoted_len(text: &str, quote: char) -> usize {
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|it| it.1);
        match character {
            '\\' if quote == '"' => drop(characters.next()),
            '\'' if quote == '\'' && next == Some('\'') => drop(characters.next()),
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

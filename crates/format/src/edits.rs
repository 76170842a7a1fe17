use diag::{FileId, Span, TextEdit};

/// The edits that make `new` of `old`; `None` if more than white space and kinds of quotes is different.
///
/// Each edit is as short as it can be, in order, and none touches the next one.
pub(crate) fn edits(file: FileId, old: &str, new: &str) -> Option<Vec<TextEdit>> {
    let mut edits = Vec::new();
    let (mut a, mut b) = (0, 0);
    loop {
        let (before, behind) = (white(old, a), white(new, b));
        if before != behind {
            edits.push(change(file, a, before, behind));
        }
        (a, b) = (a + before.len(), b + behind.len());
        match (old.as_bytes().get(a), new.as_bytes().get(b)) {
            (None, None) => return Some(edits),
            (Some(x), Some(y)) if x == y => {}
            (Some(b'\''), Some(b'"')) => edits.push(edit(file, a, a + 1, "\"")),
            _ => return None,
        }
        (a, b) = (a + 1, b + 1);
    }
}

fn edit(file: FileId, start: usize, end: usize, new_text: &str) -> TextEdit {
    TextEdit { span: Span::new(file, start as u32, end as u32), new_text: new_text.to_owned() }
}

/// The white space at a byte.
fn white(text: &str, at: usize) -> &str {
    let len = text.bytes().skip(at).take_while(|it| matches!(it, b' ' | b'\t' | b'\r' | b'\n')).count();
    text.get(at..at + len).unwrap_or_default()
}

/// An edit without the text that is the same at both ends; a CRLF is not taken apart.
fn change(file: FileId, at: usize, old: &str, new: &str) -> TextEdit {
    let same = |(a, b): &(u8, u8)| a == b;
    let mut start = old.bytes().zip(new.bytes()).take_while(same).count();
    if start > 0 && old.as_bytes().get(start - 1) == Some(&b'\r') {
        start -= 1;
    }
    let (old_rest, new_rest) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
    let mut end = old_rest.bytes().rev().zip(new_rest.bytes().rev()).take_while(same).count();
    let splits = |text: &str| {
        let cut = text.len() - end;
        text.as_bytes().get(cut) == Some(&b'\n') && text.get(..cut).is_some_and(|it| it.ends_with('\r'))
    };
    if end > 0 && (splits(old_rest) || splits(new_rest)) {
        end -= 1;
    }
    let new_text = new_rest.get(..new_rest.len() - end).unwrap_or_default();
    edit(file, at + start, at + old.len() - end, new_text)
}

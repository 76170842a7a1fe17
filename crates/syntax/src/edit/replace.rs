use diag::TextEdit;

use super::place::{self, Parent};
use super::{Edit, Slot, Value};
use crate::{NodeData, Style, lines};

/// The edits that put another value into a slot; the first try writes it as it was given, the next on one line.
pub(super) fn edits(edit: &Edit<'_>, slot: &Slot<'_>, value: &Value, try_no: usize) -> Option<Vec<TextEdit>> {
    if try_no > 1 {
        return None;
    }
    let span = slot.node.span;
    let (start, end) = (span.start as usize, span.end as usize);
    let written = value.written(try_no > 0);
    if slot.in_flow {
        return in_flow(edit, slot, &if try_no == 0 { value.inline() } else { value.flow() });
    }
    let (behind, base) = match slot.holder {
        Parent::Root => return Some(vec![edit.replace(start, end, root_text(edit, &written))]),
        Parent::Entry { mapping, .. } => {
            let behind = place::behind_indicator(edit.text, slot.key()?.end as usize, start);
            (behind, place::column(edit.text, mapping.span.start as usize))
        }
        Parent::Item { sequence, idx } => {
            let dash = dash(edit, sequence, idx)?;
            (place::behind_indicator(edit.text, dash, start), place::column(edit.text, dash))
        }
    };
    let is_item = matches!(slot.holder, Parent::Item { .. });
    let indent = base
        + if !written.is_block {
            0
        } else if is_item {
            2
        } else {
            edit.step()
        };
    let mut head = written.head;
    let mut tail: Vec<String> = written.tail.iter().map(|line| indented(line, indent)).collect();
    if is_item && written.is_block && !tail.is_empty() {
        head = tail.remove(0).trim_start().to_owned();
    }
    // A block is replaced with the rest of its last line; a comment on the line above it belongs to the key.
    let is_block = slot.node.is_collection() && !place::is_flow(slot.node, edit.text);
    let is_text_block = matches!(slot.node.data, NodeData::String(_, Style::Literal | Style::Folded));
    let old_end = if is_block { lines::end(edit.text, end) } else { end };
    let mut new_text = if head.is_empty() { head } else { format!(" {head}") };
    let own_line = lines::end(edit.text, behind);
    if (is_block && start > own_line || is_text_block)
        && let Some(comment) = edit.comment_behind(behind)
    {
        new_text.push_str(&format!(" {comment}"));
    }
    let mut edits = vec![edit.replace(behind, old_end, new_text)];
    if !tail.is_empty() {
        edits.push(edit.lines_after(lines::end(edit.text, old_end), &tail));
    }
    Some(edits)
}

fn in_flow(edit: &Edit<'_>, slot: &Slot<'_>, new_text: &str) -> Option<Vec<TextEdit>> {
    let (start, end) = (slot.node.span.start as usize, slot.node.span.end as usize);
    if start < end {
        return Some(vec![edit.replace(start, end, new_text)]);
    }
    // A value that is not written: `a` or `a:`.
    let key_end = slot.key().map_or(start, |key| key.end as usize);
    let has_colon = edit.text[key_end..start].contains(':');
    let sign = if has_colon || slot.key().is_none() { "" } else { ":" };
    Some(vec![edit.replace(start, start, format!("{sign} {new_text}"))])
}

fn root_text(edit: &Edit<'_>, written: &super::value::EmittedValue) -> String {
    let lines = std::iter::once(&written.head)
        .chain(&written.tail)
        .filter(|line| !line.is_empty() || !written.is_block);
    lines.map(String::as_str).collect::<Vec<_>>().join(edit.line_break)
}

/// The place of an item's dash.
pub(super) fn dash(edit: &Edit<'_>, sequence: &crate::Node, idx: usize) -> Option<usize> {
    let items = sequence.as_sequence()?;
    let from = match idx.checked_sub(1) {
        Some(before) => items[before].span.end,
        None => sequence.span.start,
    };
    let mut trivia = crate::trivia::Trivia::new(edit.file, edit.text);
    trivia.jump(from as usize);
    trivia.seek(edit.text.len(), b"-")
}

/// A line behind so many spaces; an empty one stays empty.
pub(super) fn indented(line: &str, indent: usize) -> String {
    if line.is_empty() { String::new() } else { format!("{}{line}", " ".repeat(indent)) }
}

use diag::TextEdit;

use super::place::{self, Parent};
use super::replace::{self, dash};
use super::{Edit, Slot, Value};
use crate::{Node, NodeData, lines};

/// The edits that take an entry or item out of its collection. The second try keeps every comment around it.
pub(super) fn edits(edit: &Edit<'_>, slot: &Slot<'_>, try_no: usize) -> Option<Vec<TextEdit>> {
    let (holder, idx, count) = match slot.holder {
        Parent::Root => return None,
        Parent::Entry { mapping, idx } => (mapping, idx, mapping.as_mapping()?.entries.len()),
        Parent::Item { sequence, idx } => (sequence, idx, sequence.as_sequence()?.len()),
    };
    if try_no > 1 {
        return None;
    }
    if slot.in_flow {
        return in_flow(edit, holder, idx, count, try_no > 0);
    }
    if count == 1 {
        return empty(edit, holder);
    }
    let start = start(edit, holder, idx)?;
    let end = place::end(slot.node, slot.key());
    let line = lines::start(edit.text, start);
    if edit.text[line..start].trim().is_empty() {
        return Some(vec![whole_lines(edit, line, end)]);
    }
    // It starts behind a dash, so the next one moves up, unless a comment stands between them.
    let next = self::start(edit, holder, idx + 1)?;
    let has_comment = edit.text[lines::end(edit.text, end)..next].contains('#');
    if try_no == 0 && !has_comment {
        return Some(vec![edit.replace(start, next, "")]);
    }
    let dash_end = line + edit.text[line..start].trim_end().len();
    Some(vec![edit.replace(dash_end, lines::end(edit.text, end), "")])
}

/// The place at which an entry or item starts.
fn start(edit: &Edit<'_>, holder: &Node, idx: usize) -> Option<usize> {
    match &holder.data {
        NodeData::Sequence(_) => dash(edit, holder, idx),
        NodeData::Mapping(_) if idx == 0 => Some(holder.span.start as usize),
        // Every further entry of a block map starts a line.
        NodeData::Mapping(mapping) => {
            Some(lines::content(edit.text, mapping.entries.get(idx)?.key_span.start as usize).start)
        }
        _ => None,
    }
}

/// Removes the lines from the one that starts at `line` to the one that holds `end`, and the comment lines above.
fn whole_lines(edit: &Edit<'_>, line: usize, end: usize) -> TextEdit {
    let start = with_comment_lines(edit.text, line);
    let mut end = lines::end(edit.text, end);
    let rest = &edit.text[end..];
    if rest.is_empty() && start > 0 {
        // The last line has no break, so the break before it goes.
        let before = &edit.text[..start];
        let kept =
            before.strip_suffix("\r\n").or_else(|| before.strip_suffix(['\n', '\r'])).unwrap_or(before);
        return edit.replace(kept.len(), end, "");
    }
    end += if rest.starts_with("\r\n") { 2 } else { usize::from(!rest.is_empty()) };
    edit.replace(start, end, "")
}

/// The start of the comment lines right above the line that starts at `line` with its indentation, or `line`.
pub(super) fn with_comment_lines(text: &str, line: usize) -> usize {
    let indent = lines::indent(text, line);
    let mut start = line;
    while start > 0 {
        let above = text[..start].strip_suffix("\r\n").or_else(|| text[..start].strip_suffix(['\n', '\r']));
        let Some(above) = above else { break };
        let content = lines::content(text, above.len());
        if !text[content.clone()].starts_with('#') || lines::indent(text, above.len()) != indent {
            break;
        }
        start = lines::start(text, above.len());
    }
    start
}

/// A block collection without its only entry is an empty one in brackets.
fn empty(edit: &Edit<'_>, holder: &Node) -> Option<Vec<TextEdit>> {
    let text = if holder.as_mapping().is_some() { "{}" } else { "[]" };
    let root = edit.root.as_ref()?;
    let slot = slot_of(root, holder, edit.text)?;
    if slot.is_root() {
        let end = lines::end(edit.text, holder.span.end as usize);
        return Some(vec![edit.replace(holder.span.start as usize, end, text)]);
    }
    replace::edits(edit, &slot, &Value::read(text).ok()?, 0)
}

/// The slot that holds this very node.
fn slot_of<'t>(root: &'t Node, requested: &Node, text: &str) -> Option<Slot<'t>> {
    fn search<'t>(slot: Slot<'t>, requested: &Node, text: &str) -> Option<Slot<'t>> {
        if std::ptr::eq(slot.node, requested) {
            return Some(slot);
        }
        let (holder, in_flow) = (slot.node, slot.in_flow || place::is_flow(slot.node, text));
        match &holder.data {
            NodeData::Mapping(mapping) => mapping.entries.iter().enumerate().find_map(|(idx, entry)| {
                let holder = Parent::Entry { mapping: holder, idx };
                search(Slot { node: &entry.value, holder, in_flow }, requested, text)
            }),
            NodeData::Sequence(items) => items.iter().enumerate().find_map(|(idx, node)| {
                search(
                    Slot { node, holder: Parent::Item { sequence: holder, idx }, in_flow },
                    requested,
                    text,
                )
            }),
            _ => None,
        }
    }
    search(Slot { node: root, holder: Parent::Root, in_flow: false }, requested, text)
}

fn in_flow(edit: &Edit<'_>, holder: &Node, idx: usize, count: usize, keep: bool) -> Option<Vec<TextEdit>> {
    if !place::is_flow(holder, edit.text) {
        // The one entry of a map without brackets.
        let span = holder.span;
        return Some(vec![edit.replace(span.start as usize, span.end as usize, "{}")]);
    }
    let extent = |idx: usize| -> Option<(usize, usize)> {
        match &holder.data {
            NodeData::Mapping(mapping) => {
                let entry = mapping.entries.get(idx)?;
                Some((entry.key_span.start as usize, place::end(&entry.value, Some(entry.key_span))))
            }
            NodeData::Sequence(items) => {
                let item = items.get(idx)?;
                Some((item.span.start as usize, item.span.end as usize))
            }
            _ => None,
        }
    };
    let (start, end) = extent(idx)?;
    if keep {
        // Only the entry itself and its comma go.
        let comma = edit.text[end..].find(',').map(|len| end + len + 1);
        let limit = holder.span.end as usize;
        return Some(vec![edit.replace(start, comma.filter(|at| *at <= limit).unwrap_or(end), "")]);
    }
    if count == 1 {
        return Some(vec![edit.replace(holder.span.start as usize + 1, holder.span.end as usize - 1, "")]);
    }
    Some(vec![match extent(idx + 1) {
        Some((next, _)) => edit.replace(start, next, ""),
        None => edit.replace(extent(idx - 1)?.1, end, ""),
    }])
}

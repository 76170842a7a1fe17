use diag::TextEdit;

use super::place::{self, Parent};
use super::replace::{dash, indented};
use super::{Edit, Slot, Value};
use crate::{Node, NodeData, lines};

/// The edits that add the value under the keys `rest` to a collection. The tries: as given, on one line, then both behind
/// the blank lines that follow (a text block with `|+` owns them).
pub(super) fn edits(
    edit: &Edit<'_>,
    slot: &Slot<'_>,
    rest: &[String],
    value: &Value,
    try_no: usize,
) -> Option<Vec<TextEdit>> {
    let node = slot.node;
    let (first, deeper) = rest.split_first()?;
    let flow = try_no % 2 == 1;
    if let NodeData::Sequence(items) = &node.data
        && first.parse() != Ok(items.len())
    {
        return None;
    }
    if place::is_flow(node, edit.text) {
        let value = value.nested(deeper);
        return in_flow(edit, node, first, &if flow { value.flow() } else { value.inline() });
    }
    if slot.in_flow {
        // `[a: 1]`: a map without brackets holds one entry.
        return None;
    }
    let lines = match &node.data {
        NodeData::Mapping(_) => {
            let entry =
                value_lines(&one_line(&value.nested(deeper), flow).nested(std::slice::from_ref(first)));
            let column = place::column(edit.text, node.span.start as usize);
            entry.iter().map(|line| indented(line, column)).collect()
        }
        NodeData::Sequence(_) => {
            item_lines(&value.nested(deeper), place::column(edit.text, node.span.start as usize), flow)
        }
        _ => return None,
    };
    let at = lines::end(edit.text, node.span.end as usize);
    let at = if try_no < 2 { at } else { behind_blank_lines(edit.text, at) };
    Some(vec![edit.lines_after(at, &lines)])
}

/// The edits that put an item before the one at `idx`.
pub(super) fn before(
    edit: &Edit<'_>,
    list: &Slot<'_>,
    idx: usize,
    value: &Value,
    try_no: usize,
) -> Option<Vec<TextEdit>> {
    let items = list.node.as_sequence()?;
    if place::is_flow(list.node, edit.text) {
        let at = items[idx].span.start as usize;
        let text = if try_no == 0 { value.inline() } else { value.flow() };
        return Some(vec![edit.replace(at, at, format!("{text}, "))]);
    }
    let dash = dash(edit, list.node, idx)?;
    let mut lines = item_lines(value, place::column(edit.text, dash), try_no % 2 == 1);
    lines.push(" ".repeat(place::column(edit.text, dash)));
    let text = lines.join(edit.line_break);
    let start = lines::start(edit.text, dash);
    if edit.text[start..dash].trim().is_empty() {
        let at = super::remove::with_comment_lines(edit.text, start);
        return Some(vec![edit.replace(at, at, text.trim_end_matches(' '))]);
    }
    Some(vec![edit.replace(dash, dash, text.trim_start())])
}

/// The edits that put a value into a text without one.
pub(super) fn root(edit: &Edit<'_>, value: &Value, try_no: usize) -> Option<Vec<TextEdit>> {
    let text = edit.text.trim_end_matches([' ', '\t']);
    let mut new_text = value_lines(&one_line(value, try_no % 2 == 1)).join(edit.line_break);
    if !text.is_empty() && !text.ends_with(['\n', '\r', '\u{feff}']) {
        new_text.insert_str(0, edit.line_break);
    } else {
        new_text.push_str(edit.line_break);
    }
    let at = edit.text.len();
    Some(vec![edit.replace(at, at, new_text)])
}

fn in_flow(edit: &Edit<'_>, node: &Node, name: &str, value: &str) -> Option<Vec<TextEdit>> {
    let (text, last_end) = match &node.data {
        NodeData::Mapping(mapping) => {
            let last = mapping.entries.last().map(|entry| place::end(&entry.value, Some(entry.key_span)));
            (format!("{}: {value}", super::value::key(name)), last)
        }
        NodeData::Sequence(items) => (value.to_owned(), items.last().map(|item| place::end(item, None))),
        _ => return None,
    };
    Some(vec![match last_end {
        Some(at) => edit.replace(at, at, format!(", {text}")),
        None => {
            let at = node.span.start as usize + 1;
            edit.replace(at, at, text)
        }
    }])
}

/// The value as a flow value if requested.
fn one_line(value: &Value, flow: bool) -> Value {
    if flow { Value::read(&value.flow()).unwrap_or_else(|_| value.clone()) } else { value.clone() }
}

fn value_lines(value: &Value) -> Vec<String> {
    let written = value.written(false);
    if written.is_block { written.tail } else { std::iter::once(written.head).chain(written.tail).collect() }
}

/// The lines of a list item.
fn item_lines(value: &Value, column: usize, flow: bool) -> Vec<String> {
    let written = value.written(flow);
    let deeper = if written.is_block { 2 } else { 0 };
    let mut lines = value_lines(&one_line(value, flow)).into_iter();
    let first = format!("- {}", lines.next().unwrap_or_default());
    let rest = lines.map(|line| indented(&line, column + deeper));
    std::iter::once(indented(first.trim_end(), column)).chain(rest).collect()
}

fn behind_blank_lines(text: &str, mut at: usize) -> usize {
    loop {
        let Some(len) = text[at..].find('\n') else { return at };
        let next = at + len + 1;
        let end = lines::end(text, next);
        if next >= text.len() || !text[next..end].trim().is_empty() {
            return at;
        }
        at = end;
    }
}

impl Slot<'_> {
    /// True if it is the root.
    pub(super) const fn is_root(&self) -> bool {
        matches!(self.holder, Parent::Root)
    }
}

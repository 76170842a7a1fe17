use diag::{FileId, Span, TextEdit, apply_edits};
use syntax::{Limits, Node, edit, parse};

use super::documents;
use crate::Resolution;

/// The type of the condition that reports the outcome of a request.
const RESOLVED: &str = "Resolved";

/// The edits that write an outcome into the `status` of a document of a text: `selection` with the ids of the
/// chosen bundles, and a condition `Resolved` with the reason if there is no solution. Comments and
/// everything else stay. There are none if the document cannot be edited, is JSON, or has this status
/// already.
pub fn write_status(file: FileId, text: &str, document: usize, resolution: &Resolution) -> Vec<TextEdit> {
    let Some(range) = documents::documents(text).into_iter().nth(document) else { return Vec::new() };
    let only = documents::only(text, &range);
    // The edits insert YAML, which is not valid JSON.
    if only.trim_start().starts_with('{') {
        return Vec::new();
    }
    let mut edited = only.clone();
    for (path, value) in values(&only, file, resolution) {
        let Ok(edits) = edit::set(file, &edited, &path, &value) else { return Vec::new() };
        edited = apply_edits(&edited, &edits);
    }
    difference(file, &only, &edited).into_iter().collect()
}

/// The required values, by path.
fn values(text: &str, file: FileId, resolution: &Resolution) -> Vec<(Vec<String>, String)> {
    let root = parse(file, text, &Limits::default()).document.root;
    let conditions = root.as_ref().and_then(|it| it.get("status")?.get("conditions")?.as_sequence());
    let is_ours = |it: &Node| it.get("type").and_then(Node::as_str) == Some(RESOLVED);
    let at = conditions.map(|it| it.iter().position(is_ours).unwrap_or(it.len()));
    let path =
        |rest: &[&str]| std::iter::once("status").chain(rest.iter().copied()).map(str::to_owned).collect();
    let condition = condition(resolution);
    let condition = match at {
        Some(at) => (path(&["conditions", &at.to_string()]), condition),
        None => (path(&["conditions"]), format!("- {}", condition.replace('\n', "\n  "))),
    };
    let selection: Vec<String> = match resolution {
        Resolution::Solved(selected) => selected.iter().map(|it| format!("- {}\n", scalar(&it.id))).collect(),
        Resolution::Unsolvable { .. } | Resolution::Stopped => Vec::new(),
    };
    let selection = if selection.is_empty() { "[]".to_owned() } else { selection.concat() };
    vec![condition, (path(&["selection"]), selection)]
}

fn condition(resolution: &Resolution) -> String {
    let (status, reason, message) = match resolution {
        Resolution::Solved(_) => ("True", "Solved", "every requirement is satisfied".to_owned()),
        Resolution::Stopped => ("Unknown", "Stopped", "it was interrupted".to_owned()),
        Resolution::Unsolvable { conflicts, .. } => {
            let lines = conflicts.iter().flat_map(|it| {
                let facts = it.facts.iter().map(|it| format!("- {}", it.text));
                std::iter::once(it.summary.clone()).chain(facts)
            });
            ("False", "Unsolvable", lines.collect::<Vec<_>>().join("\n"))
        }
    };
    format!("type: {RESOLVED}\nstatus: \"{status}\"\nreason: {reason}\nmessage: {}", scalar(&message))
}

/// A text on one line, quoted if YAML would read it as something else.
fn scalar(text: &str) -> String {
    let is_plain = !text.is_empty()
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && !text.contains(|c: char| c.is_control() || ['"', '\'', '{', '}', '[', ']'].contains(&c))
        && text.contains(' ') | text.contains(':');
    if is_plain { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// The edit that turns one text into the other.
fn difference(file: FileId, before: &str, after: &str) -> Option<TextEdit> {
    if before == after {
        return None;
    }
    let same = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
    let start = before.floor_char_boundary(same).min(after.floor_char_boundary(same));
    let (old, new) = (&before[start..], &after[start..]);
    let same = old.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count();
    let mut end = same;
    while !old.is_char_boundary(old.len() - end) || !new.is_char_boundary(new.len() - end) {
        end -= 1;
    }
    let span = Span::new(file, start as u32, (before.len() - end) as u32);
    Some(TextEdit { span, new_text: new[..new.len() - end].to_owned() })
}

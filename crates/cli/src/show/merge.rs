use std::collections::BTreeMap;

use serde_json::Value as Json;
use workspace::view::OriginView;

use super::graph::place;
use super::width::{pad, width};
use crate::console::Paint;

/// Longer lines do not push everybody's comment away.
const COLUMN: usize = 64;

/// YAML with a comment behind each line that names the file that it is from, and the merge rule. It is still YAML, and
/// the same document.
pub(crate) fn with_origins(
    yaml: &str,
    document: &Json,
    origins: &BTreeMap<String, OriginView>,
    paint: Paint,
) -> String {
    let lines: Vec<&str> = yaml.lines().collect();
    let mut walk = Walk { lines: &lines, at: 0, places: vec![String::new(); lines.len()] };
    walk.value(document, "", 0);
    let comments: Vec<Option<String>> = walk.places.iter().map(|it| origins.get(it).map(comment)).collect();
    let room = lines.iter().map(|line| width(line)).filter(|it| *it <= COLUMN).max().unwrap_or(0) + 2;
    let mut out = String::new();
    for (line, comment) in lines.iter().zip(comments) {
        match comment {
            Some(comment) => {
                out.push_str(&pad(line, room.max(width(line) + 2)));
                out.push_str(&paint.dim(&comment));
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

fn comment(origin: &OriginView) -> String {
    let over: Vec<String> = origin.shadowed.iter().map(|it| place(&it.location)).collect();
    let phrase = match over.is_empty() {
        true => origin.rule.phrase().to_owned(),
        false => origin.rule.phrase_over(&over.join(", ")),
    };
    format!("# {} {phrase}", place(&origin.location))
}

/// Goes through the document and its text side by side: block YAML gives each key and item a line of its own, in the
/// document's order. Lines that are only the rest of a text get no place.
struct Walk<'w> {
    lines: &'w [&'w str],
    at: usize,
    /// By line: the pointer of what begins there.
    places: Vec<String>,
}

impl Walk<'_> {
    /// `indent` is where the value's own keys or dashes stand.
    fn value(&mut self, value: &Json, pointer: &str, indent: usize) {
        match value {
            Json::Object(map) if !map.is_empty() => {
                for (key, value) in map {
                    let pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                    self.entry(value, &pointer, indent);
                }
            }
            Json::Array(items) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    self.item(item, &format!("{pointer}/{index}"), indent);
                }
            }
            _ => self.rest(indent),
        }
    }

    fn entry(&mut self, value: &Json, pointer: &str, indent: usize) {
        self.mark(pointer);
        self.at += 1;
        match value {
            // A list stands as far left as the key that holds it.
            Json::Array(items) if !items.is_empty() => self.value(value, pointer, indent),
            Json::Object(map) if !map.is_empty() => self.value(value, pointer, indent + 2),
            _ => self.rest(indent),
        }
    }

    /// An item's first key stands on the line of its dash.
    fn item(&mut self, item: &Json, pointer: &str, indent: usize) {
        match item {
            Json::Object(map) if !map.is_empty() => self.value(item, pointer, indent + 2),
            Json::Array(items) if !items.is_empty() => self.value(item, pointer, indent + 2),
            _ => {
                self.mark(pointer);
                self.at += 1;
                self.rest(indent);
            }
        }
    }

    fn mark(&mut self, pointer: &str) {
        if let Some(place) = self.places.get_mut(self.at)
            && place.is_empty()
        {
            pointer.clone_into(place);
        }
    }

    /// The further lines of a text: empty ones, and those that stand further right.
    fn rest(&mut self, indent: usize) {
        let belongs =
            |line: &&str| line.is_empty() || line.len() - line.trim_start_matches(' ').len() > indent;
        while self.lines.get(self.at).is_some_and(belongs) {
            self.at += 1;
        }
    }
}

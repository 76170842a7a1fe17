//! Reads JSON into trees, faster than as YAML, and without the parts that are not used.

use std::sync::Arc;

use diag::{FileId, Span};
use syntax::{Entry, Mapping, Node, NodeData, Style};

use super::bulk::DocumentPart;

mod text;

/// The highest nesting depth; deeper texts are left to the YAML reader, which reports them.
const DEEPEST: usize = 100;

/// The object that starts at a byte, and its end.
///
/// `None` if it is not JSON, or has a repeated key: the YAML reader reports more.
pub(super) fn object(file: FileId, text: &str, at: usize, keys: &mut Keys) -> Option<(Node, usize)> {
    let mut reader = Json { file, text, at, keys, depth: 0 };
    let node = reader.value(DocumentPart::Document)?;
    Some((node, reader.at))
}

/// Keys that were read before.
#[derive(Debug, Default)]
pub(super) struct Keys(Vec<Arc<str>>);

/// Searching more keys than that takes longer than copying one.
const MOST: usize = 24;

impl Keys {
    fn share(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.iter().find(|it| &***it == text) {
            return known.clone();
        }
        let key: Arc<str> = text.into();
        if self.0.len() < MOST {
            self.0.push(key.clone());
        }
        key
    }
}

struct Json<'a, 'k> {
    file: FileId,
    text: &'a str,
    at: usize,
    keys: &'k mut Keys,
    depth: usize,
}

impl Json<'_, '_> {
    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn spaces(&mut self) -> u8 {
        while matches!(self.byte(), b' ' | b'\n' | b'\t' | b'\r') {
            self.at += 1;
        }
        self.byte()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.byte() == byte).then(|| self.at += 1)
    }

    fn value(&mut self, part: DocumentPart) -> Option<Node> {
        let start = self.at;
        let data = match self.byte() {
            _ if part == DocumentPart::Bulk => {
                self.pass()?;
                NodeData::Null
            }
            b'{' => self.nested(|json| json.mapping(part))?,
            b'[' => self.nested(|json| json.list(part))?,
            b'"' => NodeData::String(self.string()?, Style::DoubleQuoted),
            b't' => self.word("true", NodeData::Bool(true))?,
            b'f' => self.word("false", NodeData::Bool(false))?,
            b'n' => self.word("null", NodeData::Null)?,
            _ => self.number()?,
        };
        Some(Node::new(data, self.span(start)))
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start as u32, self.at as u32)
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Option<NodeData>) -> Option<NodeData> {
        self.depth += 1;
        self.at += 1;
        let data = if self.depth > DEEPEST { None } else { read(self) };
        self.depth -= 1;
        data
    }

    fn mapping(&mut self, part: DocumentPart) -> Option<NodeData> {
        let mut entries: Vec<Entry> = Vec::new();
        if self.spaces() == b'}' {
            self.at += 1;
            return Some(NodeData::Mapping(Arc::new(Mapping { entries })));
        }
        loop {
            let entry = self.entry(part, &entries)?;
            if part != DocumentPart::Metadata || !matches!(entry.value.data, NodeData::Null) {
                entries.push(entry);
            }
            match self.spaces() {
                b',' => self.at += 1,
                b'}' => break,
                _ => return None,
            }
            self.spaces();
        }
        self.at += 1;
        if super::fields::has_duplicates(&entries) {
            return None;
        }
        Some(NodeData::Mapping(Arc::new(Mapping { entries })))
    }

    fn entry(&mut self, part: DocumentPart, before: &[Entry]) -> Option<Entry> {
        let start = self.at;
        let key = self.key()?;
        let key_span = self.span(start);
        self.spaces();
        self.take(b':')?;
        self.spaces();
        let value = self.value(part.of_key(&key, before))?;
        Some(Entry { key, key_span, value })
    }

    fn list(&mut self, part: DocumentPart) -> Option<NodeData> {
        let mut items = Vec::new();
        if self.spaces() == b']' {
            self.at += 1;
            return Some(NodeData::Sequence(Arc::new(items)));
        }
        loop {
            items.push(self.value(part.of_item())?);
            match self.spaces() {
                b',' => self.at += 1,
                b']' => break,
                _ => return None,
            }
            self.spaces();
        }
        self.at += 1;
        Some(NodeData::Sequence(Arc::new(items)))
    }

    fn word(&mut self, word: &str, data: NodeData) -> Option<NodeData> {
        self.text.get(self.at..)?.starts_with(word).then(|| {
            self.at += word.len();
            data
        })
    }

    fn number(&mut self) -> Option<NodeData> {
        let rest = self.text.get(self.at..)?;
        let len = rest.bytes().position(|it| !matches!(it, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        let number = &rest[..len.unwrap_or(rest.len())];
        let digits = number.strip_prefix('-').unwrap_or(number);
        // Other texts that Rust reads as a number and JSON does not are left to the YAML reader.
        let is_plain =
            digits == "0" || digits.starts_with("0.") || digits.starts_with(|it| ('1'..='9').contains(&it));
        if !is_plain || number.ends_with('.') {
            return None;
        }
        self.at += number.len();
        match number.parse() {
            Ok(int) => Some(NodeData::Int(int)),
            Err(_) => syntax::decimal(number).map(NodeData::Float),
        }
    }
}

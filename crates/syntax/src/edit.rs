//! Edits of a text that leave everything else, comments included, as it was.
//!
//! An edit keeps block and flow style, indentation, line breaks (CRLF too) and a missing last line break. Before it is
//! given back, the edited text is read again: an edit either changes exactly what it should, or is refused.

use diag::{FileId, Span, TextEdit, apply_edits};

use crate::parse::parse_as_written;
use crate::{Limits, Node, NodeData, Parse, lines, parse};

mod add;
mod place;
mod remove;
mod replace;
mod tree;
mod value;

use place::Slot;
use value::Value;

/// The reason why an edit cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The text, or the new value, cannot be read as YAML.
    Unreadable,
    /// There is nothing at that place, or what holds it is not a collection.
    NoSuchPlace,
    /// The map has that key already.
    KeyExists,
    /// Something else would change with it, such as an alias whose anchor it removes.
    WouldBreak,
}

impl std::fmt::Display for EditError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Unreadable => "the text cannot be read as YAML",
            Self::NoSuchPlace => "there is nothing at that place",
            Self::KeyExists => "the map has that key already",
            Self::WouldBreak => "the edit would break something else, such as an alias",
        })
    }
}

impl std::error::Error for EditError {}

/// Sets the value at `path` (keys and indices from the root) to the YAML text `value`, adding the maps that are missing.
/// The index after a list's last item adds an item.
///
/// A key that only comes from `<<` is added, which overrides it; what an alias stands for is not changed through the alias.
///
/// # Errors
/// [`EditError`] when the text or the place does not allow it.
pub fn set(file: FileId, text: &str, path: &[String], value: &str) -> Result<Vec<TextEdit>, EditError> {
    let edit = Edit::new(file, text)?;
    let value = Value::read(value)?;
    let expected = tree::set(edit.root.as_ref(), path, &value.node)?;
    let Some(root) = &edit.root else {
        return edit.first(&|flow| add::root(&edit, &value.nested(path), flow), &expected);
    };
    let (slot, rest) = place::find(root, text, path)?;
    if rest.is_empty() {
        return edit.first(&|flow| replace::edits(&edit, &slot, &value, flow), &expected);
    }
    if matches!(slot.node.data, NodeData::Null) {
        return edit.first(&|flow| replace::edits(&edit, &slot, &value.nested(rest), flow), &expected);
    }
    edit.first(&|try_no| add::edits(&edit, &slot, rest, &value, try_no), &expected)
}

/// Inserts the YAML text `value` into a list: `path` leads to the list and then to the index it shall have.
///
/// # Errors
/// [`EditError`] when the text or the place does not allow it.
pub fn insert(file: FileId, text: &str, path: &[String], value: &str) -> Result<Vec<TextEdit>, EditError> {
    let edit = Edit::new(file, text)?;
    let value = Value::read(value)?;
    let root = edit.root.as_ref().ok_or(EditError::NoSuchPlace)?;
    let expected = tree::insert(root, path, &value.node)?;
    let (last, parents) = path.split_last().ok_or(EditError::NoSuchPlace)?;
    let (list, rest) = place::find(root, text, parents)?;
    let items = list.node.as_sequence().filter(|_| rest.is_empty()).ok_or(EditError::NoSuchPlace)?;
    match last.parse::<usize>() {
        Ok(idx) if idx == items.len() => {
            let rest = std::slice::from_ref(last);
            edit.first(&|try_no| add::edits(&edit, &list, rest, &value, try_no), &Some(expected))
        }
        Ok(idx) if idx < items.len() => {
            edit.first(&|flow| add::before(&edit, &list, idx, &value, flow), &Some(expected))
        }
        _ => Err(EditError::NoSuchPlace),
    }
}

/// Removes the entry or item at `path` with its comment lines. A collection that loses its last entry becomes `{}` or `[]`.
///
/// # Errors
/// [`EditError`] when the text or the place does not allow it.
pub fn remove(file: FileId, text: &str, path: &[String]) -> Result<Vec<TextEdit>, EditError> {
    let edit = Edit::new(file, text)?;
    let root = edit.root.as_ref().ok_or(EditError::NoSuchPlace)?;
    let (slot, rest) = place::find(root, text, path)?;
    if !rest.is_empty() || path.is_empty() {
        return Err(EditError::NoSuchPlace);
    }
    let expected = tree::remove(root, path)?;
    edit.first(&|careful| remove::edits(&edit, &slot, careful), &Some(expected))
}

/// Renames the key at `path`.
///
/// # Errors
/// [`EditError`] when the text or the place does not allow it.
pub fn rename_key(file: FileId, text: &str, path: &[String], key: &str) -> Result<Vec<TextEdit>, EditError> {
    let edit = Edit::new(file, text)?;
    let root = edit.root.as_ref().ok_or(EditError::NoSuchPlace)?;
    let (slot, rest) = place::find(root, text, path)?;
    let Some(span) = slot.key().filter(|_| rest.is_empty()) else { return Err(EditError::NoSuchPlace) };
    let expected = tree::rename(root, path, key)?;
    let rename = |quoted: usize| {
        let new_text = if quoted == 0 { value::key(key) } else { value::json(key) };
        Some(vec![TextEdit { span, new_text }])
    };
    edit.first(&rename, &Some(expected))
}

/// A text that is being edited.
#[derive(Debug)]
struct Edit<'a> {
    file: FileId,
    text: &'a str,
    /// The tree as it is written.
    root: Option<Node>,
    comments: Vec<Span>,
    line_break: &'static str,
}

/// The number of ways of writing an edit that are tried: as it was requested, then ever more cautious ones.
const TRIES: usize = 4;

impl<'a> Edit<'a> {
    fn new(file: FileId, text: &'a str) -> Result<Self, EditError> {
        let Parse { document, .. } = parse_as_written(file, text, &Limits::default());
        if document.partial {
            return Err(EditError::Unreadable);
        }
        let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Ok(Self { file, text, root: document.root, comments: document.comments, line_break })
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    fn replace(&self, start: usize, end: usize, new_text: impl Into<String>) -> TextEdit {
        TextEdit { span: self.span(start, end), new_text: new_text.into() }
    }

    /// Lines that are put behind the line that ends at `at`.
    fn lines_after(&self, at: usize, lines: &[String]) -> TextEdit {
        let new_text = lines.iter().flat_map(|line| [self.line_break, line]).collect::<String>();
        self.replace(at, at, new_text)
    }

    /// The comment on the line of byte `at`, behind it.
    fn comment_behind(&self, at: usize) -> Option<&'a str> {
        let end = lines::end(self.text, at);
        let idx = self.comments.partition_point(|it| (it.start as usize) < at);
        let comment = self.comments.get(idx).filter(|it| (it.start as usize) < end)?;
        self.text.get(comment.start as usize..comment.end as usize)
    }

    /// The first way of writing an edit that gives what is expected.
    fn first(
        &self,
        ways: &dyn Fn(usize) -> Option<Vec<TextEdit>>,
        expected: &Option<Node>,
    ) -> Result<Vec<TextEdit>, EditError> {
        let errors = self.count_errors(self.text);
        let mut made_one = false;
        for edits in (0..TRIES).filter_map(ways) {
            made_one = true;
            let edited = apply_edits(self.text, &edits);
            let Parse { document, .. } = parse_as_written(self.file, &edited, &Limits::default());
            let same = match (&document.root, expected) {
                (Some(root), Some(expected)) => root.same_value(expected),
                (None, None) => true,
                _ => false,
            };
            if same && !document.partial && self.count_errors(&edited) <= errors {
                return Ok(edits);
            }
        }
        Err(if made_one { EditError::WouldBreak } else { EditError::NoSuchPlace })
    }

    fn count_errors(&self, text: &str) -> usize {
        let errors = parse(self.file, text, &Limits::default()).diagnostics;
        errors.iter().filter(|it| it.severity == diag::Severity::Error).count()
    }

    /// The number of spaces by which a map inside a map is indented in this text.
    fn step(&self) -> usize {
        fn of(node: &Node, text: &str) -> Option<usize> {
            let column = place::column(text, node.span.start as usize);
            let children: Box<dyn Iterator<Item = &Node>> = match &node.data {
                NodeData::Mapping(mapping) => Box::new(mapping.entries.iter().map(|entry| &entry.value)),
                NodeData::Sequence(items) => Box::new(items.iter()),
                _ => return None,
            };
            children.into_iter().find_map(|child| {
                let is_block_map = child.as_mapping().is_some() && !place::is_flow(child, text);
                let deeper = place::column(text, child.span.start as usize).saturating_sub(column);
                let step = is_block_map && node.as_mapping().is_some() && (1..=8).contains(&deeper);
                if step { Some(deeper) } else { of(child, text) }
            })
        }
        self.root.as_ref().and_then(|root| of(root, self.text)).unwrap_or(2)
    }
}

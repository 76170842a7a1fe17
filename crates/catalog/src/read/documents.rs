use diag::{Diagnostics, FileId, Severity};
use syntax::{Limits, Node, parse};

use super::{condense::condense, json, source_map::SourceMap};

/// A document of a text, with its places in the file.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) root: Option<Node>,
    /// The syntax errors.
    pub(super) errors: Diagnostics,
    /// True if it contains only what could be read before an error.
    pub(super) is_partial: bool,
}

/// The documents of a text one after the other: YAML with `---` between, JSON with or without line breaks between.
///
/// Each is read when it is requested, so that only one is in memory at a time.
#[derive(Debug)]
pub(super) struct Documents<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    keys: json::Keys,
}

impl<'a> Documents<'a> {
    pub(super) fn new(file: FileId, text: &'a str) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { file, text, at, keys: json::Keys::default() }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips spaces, comments, directives and marks between documents.
    fn skip(&mut self) {
        let mut is_line_start = true;
        loop {
            let blank = self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\r', '\n']).len();
            is_line_start |= self.text.get(self.at..self.at + blank).is_some_and(|it| it.contains('\n'));
            let content = self.at + blank;
            let rest = self.text.get(content..).unwrap_or_default();
            let is_line = is_line_start && (rest.starts_with('%') && blank_before(self.text, content));
            if rest.starts_with('#') || is_line {
                self.at = content + rest.find('\n').unwrap_or(rest.len());
            } else if is_line_start && blank_before(self.text, content) && mark(rest) {
                self.at = content + 3;
                is_line_start = false;
            } else {
                // The indentation of the first line belongs to the document.
                let before = self.text.get(..content).unwrap_or_default();
                self.at = self.at.max(before.trim_end_matches([' ', '\t']).len());
                return;
            }
        }
    }

    /// The end of the document that starts here.
    fn end(&self) -> usize {
        let rest = self.rest();
        let is_json = rest.trim_start().starts_with('{');
        let mut from = 0;
        while let Some(at) = rest.get(from..).and_then(|it| it.find('\n')).map(|at| from + at + 1) {
            let line = rest.get(at..).unwrap_or_default();
            if mark(line) || (is_json && line.starts_with('{')) {
                return self.at + at;
            }
            from = at;
        }
        self.text.len()
    }

    fn json(&mut self) -> Option<Document> {
        let start = self.text.len() - self.rest().trim_start().len();
        let (root, end) = json::object(self.file, self.text, start, &mut self.keys)?;
        let after = self.text.get(end..)?.trim_start_matches([' ', '\t', '\r']);
        if !after.is_empty() && !after.starts_with(['\n', '{', '#']) {
            return None;
        }
        self.at = end;
        Some(Document { root: Some(root), errors: Diagnostics::new(), is_partial: false })
    }

    fn yaml(&mut self) -> Document {
        let (start, end) = (self.at, self.end());
        let text = self.text.get(start..end).unwrap_or_default();
        self.at = end;
        let condensed = condense(self.file, text, start);
        if condensed.is_shorter {
            let document = tree(self.file, &condensed.text, &condensed.place);
            // The part that was left out may explain it.
            if document.errors.is_empty() {
                return document;
            }
        }
        tree(self.file, text, &SourceMap::at(self.file, start))
    }
}

impl Iterator for Documents<'_> {
    type Item = Document;

    fn next(&mut self) -> Option<Document> {
        self.skip();
        if self.rest().trim_start().is_empty() {
            return None;
        }
        let is_json = self.rest().trim_start().starts_with('{');
        let json = if is_json { self.json() } else { None };
        Some(json.unwrap_or_else(|| self.yaml()))
    }
}

/// Catalogs are generated; differences between YAML readers are not reported to those who read them.
fn tree(file: FileId, text: &str, place: &SourceMap) -> Document {
    let mut read = parse(file, text, &Limits::default());
    if let Some(root) = &mut read.document.root {
        place.tree(root);
    }
    read.diagnostics.retain(|found| found.severity == Severity::Error);
    read.diagnostics.iter_mut().for_each(|found| place.diagnostic(found));
    Document { root: read.document.root, errors: read.diagnostics, is_partial: read.document.partial }
}

/// True if a line marks the start or end of a document.
fn mark(line: &str) -> bool {
    let rest = line.strip_prefix("---").or_else(|| line.strip_prefix("..."));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
}

/// True if a byte is the first of its line.
fn blank_before(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.is_empty() || before.ends_with(['\n', '\u{feff}']))
}

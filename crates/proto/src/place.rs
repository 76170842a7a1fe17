//! The places of declarations, and their comments.

use std::{collections::BTreeMap, sync::Arc};

use diag::{FileId, Span};
use prost_types::{SourceCodeInfo, source_code_info::Location};

/// The numbers of descriptors' fields, of which the paths of places consist.
pub(crate) mod tag {
    pub(crate) const FILE_MESSAGE: i32 = 4;
    pub(crate) const FILE_ENUM: i32 = 5;
    pub(crate) const FILE_SERVICE: i32 = 6;
    pub(crate) const FILE_OPTIONS: i32 = 8;
    pub(crate) const NAME: i32 = 1;
    pub(crate) const MESSAGE_FIELD: i32 = 2;
    pub(crate) const MESSAGE_NESTED: i32 = 3;
    pub(crate) const MESSAGE_ENUM: i32 = 4;
    pub(crate) const MESSAGE_OPTIONS: i32 = 7;
    pub(crate) const MESSAGE_ONEOF: i32 = 8;
    pub(crate) const FIELD_NUMBER: i32 = 3;
    pub(crate) const FIELD_OPTIONS: i32 = 8;
    pub(crate) const ONEOF_OPTIONS: i32 = 2;
    pub(crate) const ENUM_VALUE: i32 = 2;
    pub(crate) const ENUM_OPTIONS: i32 = 3;
    pub(crate) const ENUM_VALUE_NUMBER: i32 = 2;
    pub(crate) const SERVICE_METHOD: i32 = 2;
    pub(crate) const SERVICE_OPTIONS: i32 = 3;
    pub(crate) const METHOD_OPTIONS: i32 = 4;
    pub(crate) const UNINTERPRETED: i32 = 999;
}

/// The places of one file.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    file: FileId,
    locations: BTreeMap<Vec<i32>, Location>,
    lines: Vec<u32>,
    end: u32,
}

impl Places {
    /// The places of a file with this text.
    pub(crate) fn new(file: FileId, text: &str, info: Option<SourceCodeInfo>) -> Self {
        let locations = info.map(|it| it.location).unwrap_or_default();
        let locations = locations.into_iter().map(|it| (it.path.clone(), it)).collect();
        let lines = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        Self { file, locations, lines: std::iter::once(0).chain(lines).collect(), end: text.len() as u32 }
    }

    /// The file.
    pub(crate) const fn file(&self) -> FileId {
        self.file
    }

    /// The place of the declaration at a path; the start of the file if it is not known.
    pub(crate) fn span(&self, path: &[i32]) -> Span {
        let span = self.locations.get(path).map_or(&[] as &[i32], |it| &it.span);
        let (start, end) = match *span {
            [line, start, end] => ((line, start), (line, end)),
            [line, start, last, end] => ((line, start), (last, end)),
            _ => return Span::at(self.file, 0),
        };
        let (start, end) = (self.byte(start), self.byte(end));
        Span::new(self.file, start, end.max(start))
    }

    /// The comment before the declaration at a path, or else the one after it.
    pub(crate) fn doc(&self, path: &[i32]) -> Arc<str> {
        let Some(location) = self.locations.get(path) else { return Arc::default() };
        let comment = location.leading_comments.as_deref().or(location.trailing_comments.as_deref());
        comment.map(plain).unwrap_or_default().into()
    }

    /// A line, and a column that counts bytes.
    fn byte(&self, (line, column): (i32, i32)) -> u32 {
        let line = usize::try_from(line).ok().and_then(|line| self.lines.get(line));
        let start = line.copied().unwrap_or(self.end);
        start.saturating_add(u32::try_from(column).unwrap_or(0)).min(self.end)
    }
}

/// A comment without the blank that follows `//`, and without blanks at the ends of lines.
fn plain(comment: &str) -> String {
    let lines: Vec<&str> =
        comment.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// A path with more numbers at its end.
pub(crate) fn below(path: &[i32], more: &[i32]) -> Vec<i32> {
    [path, more].concat()
}

/// A position as a part of a path.
pub(crate) fn part(position: usize) -> i32 {
    i32::try_from(position).unwrap_or(i32::MAX)
}

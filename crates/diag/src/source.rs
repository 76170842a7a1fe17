use std::sync::Arc;

use crate::{FileId, Span};

/// One file's name and text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name as the user gave it.
    pub name: Arc<str>,
    /// The text the spans of this file point into.
    pub text: Arc<str>,
    line_starts: Arc<[u32]>,
    /// The number of characters that begin before each block of `BLOCK` bytes: lines may be as long as their file.
    counts: Arc<[u32]>,
}

const BLOCK: usize = 1024;

/// A place as people count: from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters (Unicode scalar values), from 1.
    pub column: u32,
}

impl Source {
    /// A source with its line table.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.match_indices('\n').map(|(at, _)| at as u32 + 1));
        let mut count = 0;
        let counts = text.as_bytes().chunks(BLOCK).map(|block| {
            let before = count;
            count += begun(block);
            before
        });
        let counts = counts.collect();
        Self { name: name.into(), text, line_starts: line_starts.into(), counts }
    }

    /// Line and column of a byte; a byte past the end is the end, one inside a character is its start.
    pub fn locate(&self, offset: u32) -> Location {
        let offset = self.text.floor_char_boundary(offset as usize) as u32;
        let line = self.line_starts.partition_point(|start| *start <= offset).max(1);
        let start = self.line_starts[line - 1];
        Location { line: line as u32, column: self.characters_between(start, offset) + 1 }
    }

    /// The number of characters that begin in a part of a line. Most lines are short: counting from their start takes fewer
    /// steps than counting from the blocks of both ends.
    fn characters_between(&self, start: u32, end: u32) -> u32 {
        if (end - start) as usize <= BLOCK {
            return begun(&self.text.as_bytes()[start as usize..end as usize]);
        }
        self.characters_before(end) - self.characters_before(start)
    }

    fn characters_before(&self, offset: u32) -> u32 {
        let (offset, block) = (offset as usize, offset as usize / BLOCK);
        // At the end of a text of whole blocks there is no block.
        let block = block.min(self.counts.len().saturating_sub(1));
        self.counts
            .get(block)
            .map_or(0, |before| before + begun(&self.text.as_bytes()[block * BLOCK..offset]))
    }

    /// The byte at a line and column; past the end of a line is its end, past the last line is the end.
    pub fn offset(&self, location: Location) -> u32 {
        let Some(start) = self.line_starts.get(location.line.saturating_sub(1) as usize) else {
            return self.text.len() as u32;
        };
        let line = self.text[*start as usize..].split('\n').next().unwrap_or_default();
        let column = location.column.saturating_sub(1) as usize;
        start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at) as u32
    }

    /// The text of a line (from 1) without its break; empty when there is no such line.
    pub fn line_text(&self, line: u32) -> &str {
        let Some(start) = self.line_starts.get(line.saturating_sub(1) as usize) else { return "" };
        self.text[*start as usize..].split('\n').next().unwrap_or_default().trim_end_matches('\r')
    }
}

/// The number of characters that begin in some bytes of a text.
fn begun(bytes: &[u8]) -> u32 {
    bytes.iter().map(|byte| u32::from(byte & 0xc0 != 0x80)).sum()
}

/// The files of one run, in merge order.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file; its id is its place in the order.
    pub fn add(&mut self, source: Source) -> FileId {
        self.files.push(source);
        FileId(self.files.len() as u32 - 1)
    }

    /// The file, if it is one of these.
    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(file.0 as usize)
    }

    /// The files with their ids, in merge order.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter().enumerate().map(|(idx, source)| (FileId(idx as u32), source))
    }

    /// The file of that name.
    pub fn find(&self, name: &str) -> Option<FileId> {
        self.iter().find(|(_, source)| &*source.name == name).map(|(file, _)| file)
    }

    /// The start of a span, with its file's name.
    pub fn locate(&self, span: Span) -> Option<(&str, Location)> {
        let source = self.get(span.file)?;
        Some((&source.name, source.locate(span.start)))
    }

    /// The text a span covers; empty when it is not one of these files.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file)
            .and_then(|source| source.text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }
}

impl FromIterator<Source> for Sources {
    fn from_iter<I: IntoIterator<Item = Source>>(sources: I) -> Self {
        Self { files: sources.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let source = Source::new("a.yaml", "é: 1\nkey: ü!\n");
        assert_eq!(source.locate(0), Location { line: 1, column: 1 });
        assert_eq!(source.locate(2), Location { line: 1, column: 2 });
        assert_eq!(source.locate(13), Location { line: 2, column: 7 });
        assert_eq!(source.offset(Location { line: 2, column: 7 }), 13);
        assert_eq!(source.locate(999), Location { line: 3, column: 1 });
        assert_eq!(source.line_text(2), "key: ü!");
    }

    #[test]
    fn columns_of_long_lines_count_characters_too() {
        for text in ["aé😀".repeat(600), "a".repeat(2 * BLOCK), String::new()] {
            let source = Source::new("a.yaml", format!("é\n{text}"));
            for (count, (at, _)) in text.char_indices().chain([(text.len(), ' ')]).enumerate() {
                let column = count as u32 + 1;
                assert_eq!(source.locate(at as u32 + 3), Location { line: 2, column });
            }
        }
    }
}

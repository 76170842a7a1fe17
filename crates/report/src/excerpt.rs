use workspace::File;
use workspace::view::LocationView;

/// A text with its lines, so that places can be found and pieces cut out.
#[derive(Clone, Debug)]
pub struct Text<'t> {
    /// The file's name.
    pub name: &'t str,
    text: &'t str,
    /// The byte at which each line begins.
    starts: Vec<usize>,
}

/// Consecutive lines of a text, and the bytes of a place in them.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'t> {
    /// The lines.
    pub text: &'t str,
    /// The number of its first line.
    pub line: usize,
    /// The byte of the text it begins with.
    pub start: usize,
}

impl<'t> Text<'t> {
    /// The text of a file.
    pub fn new(file: &'t File) -> Self {
        let breaks = file.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { name: &file.name, text: &file.text, starts: std::iter::once(0).chain(breaks).collect() }
    }

    /// The bytes of a place, inside the text whatever the place says.
    pub fn bytes(&self, place: &LocationView) -> std::ops::Range<usize> {
        let start = self.offset(place.line, place.column);
        start..self.offset(place.end_line, place.end_column).max(start)
    }

    fn offset(&self, line: u32, column: u32) -> usize {
        let line = (line as usize).saturating_sub(1);
        let Some(&start) = self.starts.get(line) else { return self.text.len() };
        let text = self.line(line);
        let column = (column as usize).saturating_sub(1);
        start + text.char_indices().nth(column).map_or(text.len(), |(at, _)| at)
    }

    /// A line without its break.
    fn line(&self, line: usize) -> &'t str {
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        self.text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r'])
    }

    /// The whole lines around a range of bytes: what is shown of a large text must not cost its length.
    pub fn around(&self, range: &std::ops::Range<usize>) -> Piece<'t> {
        let first = self.starts.partition_point(|start| *start <= range.start).max(1) - 1;
        let last = self.starts.partition_point(|start| *start <= range.end).max(1) - 1;
        let start = self.starts.get(first).copied().unwrap_or_default();
        let end = self.starts.get(last + 1).copied().unwrap_or(self.text.len());
        Piece { text: self.text.get(start..end).unwrap_or_default(), line: first + 1, start }
    }
}

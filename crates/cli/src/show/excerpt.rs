use workspace::File;
use workspace::view::LocationView;

/// A text with its lines, so that places can be found and pieces cut out.
pub(crate) struct Text<'t> {
    pub(crate) name: &'t str,
    text: &'t str,
    /// Where each line begins.
    starts: Vec<usize>,
}

/// Consecutive lines of a text, and the bytes of a place in them.
pub(crate) struct Piece<'t> {
    pub(crate) text: &'t str,
    /// The number of its first line.
    pub(crate) line: usize,
    /// The byte of the text it begins with.
    pub(crate) start: usize,
}

impl<'t> Text<'t> {
    pub(crate) fn new(file: &'t File) -> Self {
        let breaks = file.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { name: &file.name, text: &file.text, starts: std::iter::once(0).chain(breaks).collect() }
    }

    /// The bytes of a place, inside the text whatever the place says.
    pub(crate) fn bytes(&self, place: &LocationView) -> std::ops::Range<usize> {
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
    pub(crate) fn around(&self, range: &std::ops::Range<usize>) -> Piece<'t> {
        let first = self.starts.partition_point(|start| *start <= range.start).max(1) - 1;
        let last = self.starts.partition_point(|start| *start <= range.end).max(1) - 1;
        let start = self.starts[first];
        let end = self.starts.get(last + 1).copied().unwrap_or(self.text.len());
        Piece { text: &self.text[start..end], line: first + 1, start }
    }
}

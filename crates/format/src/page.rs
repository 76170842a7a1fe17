/// The lines of a text that is being written.
#[derive(Debug, Default)]
pub(crate) struct Page<'a> {
    lines: Vec<Line<'a>>,
}

/// A line without its line break.
#[derive(Debug, Default)]
struct Line<'a> {
    text: String,
    comment: Option<Trailing<'a>>,
    /// Its indentation.
    indent: usize,
}

/// A comment behind something.
#[derive(Clone, Copy, Debug)]
struct Trailing<'a> {
    text: &'a str,
    /// Its column in the text as it was.
    column: usize,
}

/// The column of a byte in its line, where a tab goes up to the next multiple of eight.
pub(crate) fn column(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    width(before.get(start..).unwrap_or_default())
}

fn width(text: &str) -> usize {
    text.chars().fold(0, |width, it| if it == '\t' { (width / 8 + 1) * 8 } else { width + 1 })
}

impl<'a> Page<'a> {
    /// True if nothing was written.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The number of the last line.
    pub(crate) fn line(&self) -> usize {
        self.lines.len()
    }

    /// The indentation of the last line.
    pub(crate) fn indent(&self) -> usize {
        self.lines.last().map_or(0, |it| it.indent)
    }

    /// The column behind what is written.
    pub(crate) fn column(&self) -> usize {
        self.lines.last().map_or(0, |it| width(&it.text))
    }

    /// Starts a line, after empty ones unless it is the first.
    pub(crate) fn start(&mut self, empty: usize, indent: usize) {
        if !self.is_empty() {
            self.lines.extend((0..empty).map(|_| Line::default()));
        }
        self.lines.push(Line { text: " ".repeat(indent), comment: None, indent });
    }

    /// Adds a line as it is.
    pub(crate) fn whole(&mut self, indent: usize, text: &str) {
        self.lines.push(Line { text: " ".repeat(indent) + text, comment: None, indent });
    }

    /// Adds to the last line.
    pub(crate) fn push(&mut self, text: &str) {
        if self.lines.is_empty() {
            self.start(0, 0);
        }
        if let Some(line) = self.lines.last_mut() {
            line.text.push_str(text);
        }
    }

    /// Adds a comment behind the last line, which was at `column`.
    pub(crate) fn trail(&mut self, text: &'a str, column: usize) {
        if let Some(line) = self.lines.last_mut() {
            line.comment = Some(Trailing { text, column });
        }
    }

    /// The text, without a line break at the end. Comments of consecutive lines that were in one column are in one.
    pub(crate) fn write(&self, line_break: &str) -> String {
        let mut out = String::new();
        let key = |line: &Line<'_>| line.comment.map(|it| it.column);
        for group in self.lines.chunk_by(|a, b| key(a).is_some() && key(a) == key(b)) {
            let widest = group.iter().map(|it| width(&it.text)).max().unwrap_or(0);
            for line in group {
                line.write(widest, &mut out);
                out.push_str(line_break);
            }
        }
        out.truncate(out.len().saturating_sub(line_break.len()));
        out
    }
}

impl Line<'_> {
    fn write(&self, widest: usize, out: &mut String) {
        out.push_str(&self.text);
        if let Some(comment) = self.comment {
            let gap = (widest + 1).saturating_sub(width(&self.text));
            out.extend(std::iter::repeat_n(' ', gap));
            out.push_str(comment.text);
        }
    }
}

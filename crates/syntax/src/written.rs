use std::ops::Range;
use std::str::Chars;

use crate::{Style, surrogates};

/// The places of characters of a text in the scalar it was read from.
///
/// `raw` are the scalar's bytes: with its quotes, of a block from `|` or `>` on. `wanted` are bytes of `text` at which
/// characters begin, in ascending order. An answer is the bytes in `raw` of one character, which are more than one character's
/// where it is escaped or a folded line break. `None` when `text` was not read from `raw`.
pub fn written_at(
    raw: &str,
    style: Style,
    text: &str,
    requested: impl IntoIterator<Item = usize>,
) -> Option<Vec<Range<usize>>> {
    let mut scan =
        Scan { raw, at: 0, text, read: 0, found: Vec::new(), requested: requested.into_iter(), next: None };
    scan.next = scan.requested.next();
    match style {
        Style::Plain => scan.flow(raw.len(), |scan| scan.same())?,
        Style::SingleQuoted => scan.quoted('\'', Scan::single)?,
        Style::DoubleQuoted => scan.quoted('"', Scan::escaped)?,
        Style::Literal => scan.block(Scan::kept_breaks)?,
        Style::Folded => scan.block(Scan::folded_breaks)?,
    }
    scan.next.is_none().then_some(scan.found)
}

/// `raw` up to `at` has given `text` up to `read`.
struct Scan<'t, I> {
    raw: &'t str,
    at: usize,
    text: &'t str,
    read: usize,
    found: Vec<Range<usize>>,
    requested: I,
    /// The next byte of `text` that is requested.
    next: Option<usize>,
}

impl<I: Iterator<Item = usize>> Scan<'_, I> {
    /// The next `length` bytes of `raw` are one character, `c`, of the text.
    fn take(&mut self, length: usize, c: char) -> Option<()> {
        if !self.text[self.read..].starts_with(c) {
            return None;
        }
        while self.next == Some(self.read) {
            self.found.push(self.at..self.at + length);
            self.next = self.requested.next();
        }
        self.at += length;
        self.read += c.len_utf8();
        Some(())
    }

    /// A character that stands for itself.
    fn same(&mut self) -> Option<()> {
        let c = self.raw[self.at..].chars().next()?;
        self.take(c.len_utf8(), c)
    }

    fn quoted(&mut self, quote: char, one: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        let end = self.raw.strip_prefix(quote)?.strip_suffix(quote)?.len() + 1;
        self.at = 1;
        self.flow(end, one)
    }

    /// Plain or quoted text up to `end`. White space around line breaks is dropped; a lone break is a space, of several
    /// the first is dropped.
    fn flow(&mut self, end: usize, one: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        while self.at < end {
            let (length, breaks) = white_space(&self.raw[self.at..end]);
            match breaks {
                0 => one(self)?,
                1 => self.take(length, ' ')?,
                _ => self.breaks(length, breaks - 1)?,
            }
        }
        Some(())
    }

    /// `length` bytes are `count` line breaks of the text; they count as the place of each.
    fn breaks(&mut self, length: usize, count: usize) -> Option<()> {
        for _ in 1..count {
            let at = self.at;
            self.take(length, '\n')?;
            self.at = at;
        }
        self.take(length, '\n')
    }

    fn single(&mut self) -> Option<()> {
        if self.raw[self.at..].starts_with("''") { self.take(2, '\'') } else { self.same() }
    }

    fn escaped(&mut self) -> Option<()> {
        let Some(rest) = self.raw[self.at..].strip_prefix('\\') else { return self.same() };
        let mut chars = rest.chars();
        let pair = self.raw.get(self.at..self.at + surrogates::PAIR);
        if let Some(c) = pair.and_then(surrogates::joined) {
            return self.take(surrogates::PAIR, c);
        }
        let c = match chars.next()? {
            '\r' | '\n' => {
                self.at += 1 + white_space(rest).0;
                return Some(());
            }
            '0' => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            't' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            'e' => '\u{1b}',
            'N' => '\u{85}',
            '_' => '\u{a0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            'x' => from_digits(&mut chars, 2)?,
            'u' => from_digits(&mut chars, 4)?,
            'U' => from_digits(&mut chars, 8)?,
            c => c,
        };
        self.take(1 + rest.len() - chars.as_str().len(), c)
    }

    /// A block: the header's line is left out, and the indentation of each line.
    fn block(&mut self, breaks: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        let body = self.raw.find(['\n', '\r']).unwrap_or(self.raw.len());
        self.at = body + line_break(&self.raw[body..]);
        let indent = indentation(&self.raw[self.at..], self.text);
        while self.at < self.raw.len() && self.read < self.text.len() {
            let line = &self.raw[self.at..];
            let spaces = line.len() - line.trim_start_matches(' ').len();
            self.at += spaces.min(indent);
            while self.at < self.raw.len() && line_break(&self.raw[self.at..]) == 0 {
                self.same()?;
            }
            breaks(self)?;
        }
        // Line breaks and white space at the end are not among a block's bytes.
        while let Some(c) = self.text[self.read..].chars().next() {
            self.take(0, Some(c).filter(|c| c.is_whitespace())?)?;
        }
        Some(())
    }

    /// Of a line break at the end of a block the text may have nothing.
    fn kept_breaks(&mut self) -> Option<()> {
        let length = line_break(&self.raw[self.at..]);
        if length == 0 || self.read == self.text.len() { Some(()) } else { self.take(length, '\n') }
    }

    /// A line break may be a space of the text, or several lines that of one; the text says which.
    fn folded_breaks(&mut self) -> Option<()> {
        let length = line_break(&self.raw[self.at..]);
        match self.text[self.read..].chars().next() {
            _ if length == 0 => Some(()),
            Some(c @ (' ' | '\n')) => self.take(length, c),
            _ => {
                self.at += length;
                Some(())
            }
        }
    }
}

/// The character that the next `count` digits say.
fn from_digits(chars: &mut Chars<'_>, count: usize) -> Option<char> {
    let digits = chars.as_str().get(..count)?;
    *chars = chars.as_str()[count..].chars();
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

/// The white space that a text begins with, and the line breaks in it.
fn white_space(text: &str) -> (usize, usize) {
    let bytes = text.as_bytes();
    let (mut at, mut breaks) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' => at += 1,
            b'\n' | b'\r' => {
                at += line_break(&text[at..]);
                breaks += 1;
            }
            _ => break,
        }
    }
    (at, breaks)
}

/// The bytes of the line break that a text begins with; 0 when there is none.
fn line_break(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// The number of spaces by which the lines of a block are indented: those that its first line that is not empty has more than
/// the text's.
fn indentation(raw: &str, text: &str) -> usize {
    let spaces = |text: &str| {
        let line = text.lines().find(|line| !line.trim_matches([' ', '\r']).is_empty());
        line.map_or(0, |line| line.len() - line.trim_start_matches(' ').len())
    };
    spaces(raw).saturating_sub(spaces(text))
}

#[cfg(test)]
mod tests {
    use diag::FileId;
    use proptest::prelude::*;

    use super::*;
    use crate::{Limits, NodeData, parse};

    type Written<'y> = Vec<(char, &'y str)>;

    /// Every character of the value of `k`, and the bytes it is written as. `None` when there is no text.
    fn written(yaml: &str) -> Option<Written<'_>> {
        let parsed = parse(FileId(0), yaml, &Limits::default());
        if parsed.diagnostics.iter().any(|it| it.severity == diag::Severity::Error) {
            return None;
        }
        let root = parsed.document.root?;
        let node = root.get("k")?;
        let NodeData::String(text, style) = &node.data else { return None };
        let raw = &yaml[node.span.start as usize..node.span.end as usize];
        let places = written_at(raw, *style, text, text.char_indices().map(|(at, _)| at));
        let places = places.unwrap_or_else(|| panic!("{text:?} is written as {raw:?}"));
        Some(text.chars().zip(places.into_iter().map(|it| &raw[it])).collect())
    }

    /// `expected` are the characters that are not written as themselves.
    fn check(value: &str, expected: &[(char, &str)]) {
        let yaml = format!("k: {value}");
        let mut found = written(&yaml).expect("a text");
        found.retain(|(c, written)| c.to_string() != *written);
        assert_eq!(found, expected, "{yaml}");
    }

    #[test]
    fn plain_and_quoted_text() {
        check("echo a # no", &[]);
        check("a  b\n   c\n\n\n  d", &[(' ', "\n   "), ('\n', "\n\n\n  "), ('\n', "\n\n\n  ")]);
        check("'it''s ''$'''", &[('\'', "''"), ('\'', "''"), ('\'', "''")]);
        check("' a \n  b '", &[(' ', " \n  ")]);
        check(r#""\u0024{é}\t\x41\"""#, &[('$', r"\u0024"), ('\t', r"\t"), ('A', r"\x41"), ('"', r#"\""#)]);
        check("\"a\\\n   b \r\n\r\n c\"", &[('\n', " \r\n\r\n ")]);
        check(r#""\U0001F600\ \_""#, &[('😀', r"\U0001F600"), (' ', r"\ "), ('\u{a0}', r"\_")]);
    }

    #[test]
    fn blocks() {
        check("|\n  a\n   b\n\n  c\n", &[('\n', "")]);
        check("|2-\n   a\n  b\n\n", &[]);
        check("|+ # comment\n\n\n  a\r\n  b\n\n", &[('\n', "\r\n"), ('\n', ""), ('\n', "")]);
        check(">\n  a\n  b\n\n  c\n   d\n  e\n", &[(' ', "\n"), ('\n', "")]);
        check(">-\n\n  a\n\n\n  b\n", &[]);
        check("|\n", &[]);
    }

    #[test]
    fn another_text_is_refused() {
        for (raw, style, text) in [
            ("a", Style::Plain, "b"),
            ("a", Style::Plain, "ab"),
            ("\"a", Style::DoubleQuoted, "a"),
            ("'a'", Style::DoubleQuoted, "a"),
            ("\"\\u00\"", Style::DoubleQuoted, "a"),
            ("|\n a", Style::Literal, "b"),
        ] {
            assert_eq!(written_at(raw, style, text, [text.len() - 1]), None, "{raw} as {text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn every_character_is_found(body in "[ab$'\"\\\\{\n é]{0,24}", form in 0..5) {
            let indented = body.replace('\n', "\n  ");
            let yaml = match form {
                0 => format!("k: a{indented}\n"),
                1 => format!("k: '{}'\n", indented.replace('\'', "''")),
                2 => format!("k: \"{}\"\n", indented.replace('\\', r"\\").replace('"', "\\\"")),
                3 => format!("k: |\n  {indented}\n"),
                _ => format!("k: >\n  {indented}\n"),
            };
            for (c, written) in written(&yaml).unwrap_or_default() {
                prop_assert!(c.is_whitespace() || written.ends_with(c), "{c} is written as {written:?}");
            }
        }
    }
}

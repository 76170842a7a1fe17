//! Rust source, split into its code and its string literals.

/// A string literal, as written between its quotes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub line: usize,
    pub text: String,
}

/// A file without its comments and literals, with every line where it was, and the string literals.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub code: String,
    pub literals: Vec<Literal>,
}

/// A piece at the start of a text: its length, and the part of it that is a literal's text.
enum Piece {
    Code(usize),
    Skipped(usize),
    Literal { length: usize, start: usize, end: usize },
}

/// Splits Rust source. Text that does not compile gives some split, never an error.
pub(super) fn split(text: &str) -> Source {
    let mut source = Source::default();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match piece(rest, first) {
            Piece::Code(length) => {
                source.code.push_str(rest.get(..length).unwrap_or(rest));
                length
            }
            Piece::Skipped(length) => source.skip(rest, length),
            Piece::Literal { length, start, end } => {
                let text = rest.get(start..end).unwrap_or_default().to_owned();
                source.literals.push(Literal { line: source.line(), text });
                source.skip(rest, length)
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    source
}

impl Source {
    /// The number of the line that comes next.
    fn line(&self) -> usize {
        self.code.matches('\n').count() + 1
    }

    /// Keeps the line breaks of a piece that is not code, and a space in its place.
    fn skip(&mut self, rest: &str, length: usize) -> usize {
        self.code.push(' ');
        let breaks = rest.get(..length).unwrap_or(rest).matches('\n').count();
        self.code.extend(std::iter::repeat_n('\n', breaks));
        length
    }
}

fn piece(rest: &str, first: char) -> Piece {
    match first {
        '/' if rest.starts_with("//") => Piece::Skipped(rest.find('\n').unwrap_or(rest.len())),
        '/' if rest.starts_with("/*") => Piece::Skipped(rest.find("*/").map_or(rest.len(), |end| end + 2)),
        'r' => raw(rest).unwrap_or(Piece::Code(1)),
        '"' => quoted(rest),
        '\'' => character(rest),
        _ => Piece::Code(first.len_utf8()),
    }
}

/// `r"…"` and `r#"…"#`; `None` for a raw identifier or a name.
fn raw(rest: &str) -> Option<Piece> {
    let hashes = rest.get(1..)?.chars().take_while(|&it| it == '#').count();
    let start = hashes + 2;
    if rest.get(hashes + 1..start)? != "\"" {
        return None;
    }
    let close = format!("\"{}", "#".repeat(hashes));
    let end = rest.get(start..)?.find(&close).map_or(rest.len(), |end| start + end);
    Some(Piece::Literal { length: (end + close.len()).min(rest.len()), start, end })
}

fn quoted(rest: &str) -> Piece {
    let mut escaped = false;
    let close = rest.char_indices().skip(1).find(|&(_, it)| {
        let closes = it == '"' && !escaped;
        escaped = it == '\\' && !escaped;
        closes
    });
    let end = close.map_or(rest.len(), |(end, _)| end);
    Piece::Literal { length: (end + 1).min(rest.len()), start: 1, end }
}

/// A character in quotes, or the quote of a lifetime.
fn character(rest: &str) -> Piece {
    let mut after = rest.char_indices().skip(1);
    match (after.next(), after.next()) {
        (Some((_, '\\')), Some((escape, it))) => {
            let from = escape + it.len_utf8();
            let end = rest.get(from..).and_then(|it| it.find('\'')).map_or(rest.len(), |end| from + end + 1);
            Piece::Skipped(end)
        }
        (Some(_), Some((end, '\''))) => Piece::Skipped(end + 1),
        _ => Piece::Code(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<(usize, String)> {
        split(source).literals.into_iter().map(|it| (it.line, it.text)).collect()
    }

    #[test]
    fn literals_have_their_lines() {
        let source =
            "a(\"x \\\" y\");\n// \"no\"\n/* \"no\n*/ b(r#\"z \"q\" \"#, '\"', '\\'', r\"w\");\nc(\"v\")";
        let expected = [(1, "x \\\" y"), (4, "z \"q\" "), (4, "w"), (5, "v")];
        assert_eq!(texts(source), expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn lifetimes_and_names_are_code() {
        let source = split("fn render<'a>(it: &'a str, r#type: char) { 'x' }");
        assert_eq!(source.code, "fn render<'a>(it: &'a str, r#type: char) {   }");
        assert_eq!(source.literals, []);
    }

    #[test]
    fn an_unclosed_literal_ends_with_the_file() {
        assert_eq!(texts("a \"b"), [(1, "b".to_owned())]);
        assert_eq!(texts("a r#\"b"), [(1, "b".to_owned())]);
    }
}

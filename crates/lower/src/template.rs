//! Splits text with `${…}` into pieces (source: GAP-16).

use std::borrow::Cow;

use model::unquote;

use crate::accessor::{closing_brace as accessor_end, looks_like_accessor};

/// One step of a reference's path.
pub(crate) use model::Step;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Literal text; `$${` has become `${`.
    Text(String),
    /// A reference.
    Reference {
        /// The text between the braces, as written.
        text: &'a str,
        /// Byte of its `$` in the text.
        start: usize,
        /// Its steps; the first is a key.
        path: Vec<Step>,
    },
    /// An expression over the contents of an item's links, e.g. `link("db").p("port", 5432)`.
    Accessor {
        /// The text between the braces, as written.
        text: &'a str,
        /// Byte of its `$` in the text.
        start: usize,
    },
}

/// The reason why a text cannot be split; with the byte of the `$`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateError {
    /// `${` without `}`.
    Unclosed(usize),
    /// `${}`.
    Empty(usize),
    /// The text between the braces is not a path.
    NotAPath(usize),
}

/// Splits a text into pieces. `$NAME`, `$(cmd)` and lone `$` are text.
///
/// # Errors
/// The first place that cannot be read.
pub fn split(text: &str) -> Result<Vec<Piece<'_>>, TemplateError> {
    let mut pieces = Vec::new();
    let mut literal = String::new();
    let mut at = 0;
    while let Some(dollar) = text[at..].find('$').map(|found| at + found) {
        literal.push_str(&text[at..dollar]);
        let rest = &text[dollar..];
        if rest.starts_with("$${") {
            literal.push_str("${");
            at = dollar + 3;
        } else if let Some(inner) = rest.strip_prefix("${") {
            let is_accessor = looks_like_accessor(inner);
            let length = if is_accessor { accessor_end(inner) } else { closing_brace(inner) };
            let length = length.ok_or(TemplateError::Unclosed(dollar))?;
            let inner = &inner[..length];
            if !literal.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut literal)));
            }
            pieces.push(match is_accessor {
                true => Piece::Accessor { text: inner, start: dollar },
                false => {
                    Piece::Reference { text: inner, start: dollar, path: parse_path(inner.trim(), dollar)? }
                }
            });
            at = dollar + 2 + length + 1;
        } else {
            literal.push('$');
            at = dollar + 1;
        }
    }
    literal.push_str(&text[at..]);
    if !literal.is_empty() || pieces.is_empty() {
        pieces.push(Piece::Text(literal));
    }
    Ok(pieces)
}

/// The byte of the `}` that closes a reference; one inside quotes does not.
fn closing_brace(inner: &str) -> Option<usize> {
    let mut quoted = false;
    let mut escaped = false;
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'}' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

fn parse_path(text: &str, dollar: usize) -> Result<Vec<Step>, TemplateError> {
    if text.is_empty() {
        return Err(TemplateError::Empty(dollar));
    }
    let mut path = Vec::with_capacity(4);
    let mut rest = text;
    loop {
        let (key, after) = take_key(rest).ok_or(TemplateError::NotAPath(dollar))?;
        path.push(Step::Key((*key).into()));
        rest = after;
        while let Some(inner) = rest.strip_prefix('[') {
            let (digits, after) = inner.split_once(']').ok_or(TemplateError::NotAPath(dollar))?;
            path.push(Step::Index(digits.parse().map_err(|_| TemplateError::NotAPath(dollar))?));
            rest = after;
        }
        match rest.strip_prefix('.') {
            Some(after) => rest = after,
            None if rest.is_empty() => return Ok(path),
            None => return Err(TemplateError::NotAPath(dollar)),
        }
    }
}

/// A key, quoted or up to `.` or `[`, and the rest of the text.
fn take_key(text: &str) -> Option<(Cow<'_, str>, &str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (key, rest) = unquote(quoted)?;
        return Some((Cow::Owned(key), rest));
    }
    let end = text.bytes().position(|byte| matches!(byte, b'.' | b'[')).unwrap_or(text.len());
    let key = &text[..end];
    let is_usual = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let legal = !key.is_empty()
        && (is_usual || !key.contains(|c: char| c.is_whitespace() || matches!(c, ']' | '"' | '{' | '$')));
    legal.then(|| (Cow::Borrowed(key), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown = match split(text) {
            Ok(pieces) => pieces.iter().map(show).collect::<Vec<_>>().join(" "),
            Err(error) => format!("{error:?}"),
        };
        assert_eq!(shown, expected, "{text}");
    }

    fn show(piece: &Piece<'_>) -> String {
        match piece {
            Piece::Text(text) => format!("{text:?}"),
            Piece::Reference { path, .. } => {
                let steps = path.iter().map(|step| match step {
                    Step::Key(key) => key.to_string(),
                    Step::Index(index) => format!("#{index}"),
                });
                format!("<{}>", steps.collect::<Vec<_>>().join(" "))
            }
            Piece::Accessor { text, .. } => format!("({text})"),
        }
    }

    #[test]
    fn text_is_taken_apart() {
        check("plain", "\"plain\"");
        check("", "\"\"");
        check("${a.b-c[0].d}", "<a b-c #0 d>");
        check("x${a.b}y${c.d}", "\"x\" <a b> \"y\" <c d>");
        check("$${HOME} $HOME $(date) `x` cost $5 $", "\"${HOME} $HOME $(date) `x` cost $5 $\"");
        check("${ a.b }", "<a b>");
        check("x${link(\"a}\").address}y", "\"x\" (link(\"a}\").address) \"y\"");
        check("${link.address} ${p.x}", "<link address> \" \" <p x>");
        check("${services.\"a.b}\".ip}", "<services a.b} ip>");
        check(r#"${a."b\"}\\".c}"#, r#"<a b"}\ c>"#);
        check(r"${a\}b}", r#"<a\> "b}""#);
        check("${naïve.b+c}", "<naïve b+c>");
    }

    #[test]
    fn invalid_references_are_rejected() {
        check("x${a.b", "Unclosed(1)");
        check("${}", "Empty(0)");
        for text in
            ["${a..b}", "${a b}", "${a[x]}", "${a[0}", "${.a}", "${a.b[-1]}", "${a[0]b}", "${a.\"b\"c}"]
        {
            check(text, "NotAPath(0)");
        }
    }
}

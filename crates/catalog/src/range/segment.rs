//! The parts that ranges in the dialect of `Masterminds/semver` consist of.

/// One comparison as it is written, such as `>= 1.2.x-beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Comparison<'a> {
    pub(super) operator: &'a str,
    pub(super) version: Partial<'a>,
}

/// A version whose parts may be missing or wildcards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Partial<'a> {
    pub(super) major: &'a str,
    pub(super) minor: &'a str,
    pub(super) patch: &'a str,
    pub(super) pre: &'a str,
}

/// Longer ones come first, so that the first match is the right one.
const OPERATORS: [&str; 11] = ["!=", ">=", "=>", "<=", "=<", "~>", "=", ">", "<", "~", "^"];

/// The comparisons of a text, all of which must be met; `None` if it contains anything else.
pub(super) fn segments(text: &str) -> Option<Vec<Comparison<'_>>> {
    let (mut found, mut rest) = (Vec::new(), text);
    loop {
        let (written, after) = comparison(rest)?;
        found.push(written);
        rest = spaces(after);
        if rest.is_empty() {
            return Some(found);
        }
        match rest.strip_prefix(',') {
            Some(behind) => rest = behind,
            None if rest.len() == after.len() => return None,
            None => {}
        }
    }
}

fn comparison(text: &str) -> Option<(Comparison<'_>, &str)> {
    let text = spaces(text);
    let operator = OPERATORS.into_iter().find(|it| text.starts_with(it)).unwrap_or_default();
    let (version, _, rest) = partial(spaces(&text[operator.len()..]))?;
    Some((Comparison { operator, version }, rest))
}

/// Writes `a - b` as `>= a, <= b `.
pub(super) fn without_hyphens(text: &str) -> String {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < text.len() {
        match hyphenated(&text[at..]) {
            Some((low, high, whole)) => {
                found.push((whole, format!(">= {low}, <= {high} ")));
                at += whole.len();
            }
            None => at += text[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    found.into_iter().fold(text.to_owned(), |text, (from, to)| text.replacen(from, &to, 1))
}

/// Splits a text that starts with `a - b` into `a`, `b` and both with what is between them.
fn hyphenated(text: &str) -> Option<(&str, &str, &str)> {
    let (_, low, rest) = partial(spaces(text))?;
    let hyphen = some_spaces(rest)?.strip_prefix('-')?;
    let (_, high, rest) = partial(some_spaces(hyphen)?)?;
    let rest = spaces(rest);
    Some((low, high, &text[..text.len() - rest.len()]))
}

/// A version, its text, and the rest.
fn partial(text: &str) -> Option<(Partial<'_>, &str, &str)> {
    let rest = text.strip_prefix('v').unwrap_or(text);
    let (major, rest) = take(rest, is_number);
    if major.is_empty() {
        return None;
    }
    let (minor, rest) = dotted(rest, is_number);
    // Without a second part, there is no third one.
    let (patch, rest) = dotted(rest, is_number);
    let (pre, rest) = identifiers(rest, '-');
    let (_, rest) = identifiers(rest, '+');
    Some((Partial { major, minor, patch, pre }, &text[..text.len() - rest.len()], rest))
}

fn dotted(text: &str, is_part: fn(u8) -> bool) -> (&str, &str) {
    match text.strip_prefix('.').map(|rest| take(rest, is_part)) {
        Some((part, rest)) if !part.is_empty() => (part, rest),
        _ => ("", text),
    }
}

/// Identifiers with dots between them, after a mark.
fn identifiers(text: &str, mark: char) -> (&str, &str) {
    let Some(start) = text.strip_prefix(mark) else { return ("", text) };
    let (first, mut rest) = take(start, crate::version::is_identifier);
    if first.is_empty() {
        return ("", text);
    }
    loop {
        let (part, after) = dotted(rest, crate::version::is_identifier);
        if part.is_empty() {
            return (&start[..start.len() - rest.len()], rest);
        }
        rest = after;
    }
}

/// Upstream's pattern has `|` among the wildcards; it is not read as a number.
fn is_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'x' | b'X' | b'*' | b'|')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0xc)
}

fn take(text: &str, is_part: fn(u8) -> bool) -> (&str, &str) {
    text.split_at(text.bytes().position(|it| !is_part(it)).unwrap_or(text.len()))
}

fn spaces(text: &str) -> &str {
    take(text, is_space).1
}

fn some_spaces(text: &str) -> Option<&str> {
    Some(spaces(text)).filter(|rest| rest.len() < text.len())
}

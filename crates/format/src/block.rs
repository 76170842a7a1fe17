//! Block scalars: `|` and `>` with the lines behind them.

use crate::cursor::line;

/// The indicators of a block scalar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    /// By how much the lines are indented more than what is around them, if that is said.
    pub(crate) indent: Option<usize>,
    /// `+`: empty lines at the end belong to the value.
    pub(crate) keeps: bool,
}

impl Header {
    /// Reads `|2-` and the like.
    pub(crate) fn read(text: &str) -> Self {
        let indent = text.chars().find_map(|it| it.to_digit(10)).map(|it| it as usize);
        Self { indent, keeps: text.contains('+') }
    }
}

/// The number of bytes of the indicators that a text starts with.
pub(crate) fn header_len(text: &str) -> usize {
    text.len()
        - text
            .trim_start_matches(['|', '>', '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
            .len()
}

/// The bytes of a text with their line break, line by line, with the byte that each starts at.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        at += line.len();
        (at - line.len(), line)
    })
}

/// A line without its line break.
pub(crate) fn content(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// The number of spaces that a line starts with.
pub(crate) fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The indentation of the lines of a body that says nothing of it; `None` if all of them are empty.
pub(crate) fn detected(body: &str) -> Option<usize> {
    lines(body).map(|(_, it)| content(it)).find(|it| !it.trim_start_matches(' ').is_empty()).map(indentation)
}

/// The number of bytes of `rest`, which starts behind the line of the indicators, that belong to the scalar, without the
/// line break at the end; `None` if there is no line. The scanner has read it up to the byte `limit`.
pub(crate) fn body_len(rest: &str, header: Header, outside: usize, limit: usize) -> Option<usize> {
    let read = rest.get(..limit).unwrap_or(rest);
    let indent = header.indent.map(|it| it + outside).or_else(|| detected(read)).unwrap_or(usize::MAX);
    let mut end = None;
    for (at, it) in lines(rest) {
        if at >= limit {
            break;
        }
        let text = content(it);
        let is_empty = text.len() <= indent && text.trim_start_matches(' ').is_empty();
        if !is_empty && indentation(text) < indent {
            break;
        }
        if !is_empty || header.keeps {
            end = Some(at + line(it).len());
        }
    }
    end
}

//! Texts without what breaks long ones into lines and groups.

use super::{
    SHORTEST_CONTAINED,
    view::{Span, View},
};

pub(super) fn has_line_break(text: &[u8]) -> bool {
    text.iter().any(is_line_break)
}

/// Without line breaks.
pub(super) fn on_one_line(text: &[u8]) -> View {
    without(text, is_line_break)
}

/// Without blanks and line breaks; none where there are none.
pub(super) fn without_blanks(text: &[u8]) -> Option<View> {
    text.iter().any(is_blank).then(|| without(text, is_blank))
}

/// The hexadecimal digits, in lower case, without what stands between them: of each stretch of nothing else that has
/// enough of them.
pub(super) fn digits(text: &[u8]) -> View {
    let (mut view, mut at) = (View::default(), 0);
    while at < text.len() {
        let (mut end, mut count) = (at, 0);
        while let Some((len, is_digit)) = digit_or_between(text, end) {
            end += len;
            count += usize::from(is_digit);
        }
        if count >= 2 * SHORTEST_CONTAINED {
            stretch(text, (at, end), &mut view);
        }
        at = end.max(at + 1);
    }
    view.bytes.make_ascii_lowercase();
    view
}

/// The same of the lines that `xxd` and `hexdump -C` write: without the place in front and the characters behind.
pub(super) fn dumped_digits(text: &[u8]) -> View {
    let (mut view, mut start, mut follows) = (View::default(), 0, false);
    for line in text.split(|it| *it == b'\n') {
        if let Some((from, to)) = dumped(line) {
            if !follows {
                end_stretch(&mut view);
            }
            keep_digits(text, (start + from, start + to), &mut view);
        }
        follows = dumped(line).is_some();
        start += line.len() + 1;
    }
    view.bytes.make_ascii_lowercase();
    view
}

/// The end of the line in which a byte stands, or before which it stands.
pub(super) fn line_end(text: &[u8], byte: usize) -> usize {
    let rest = text.get(byte..).unwrap_or_default();
    byte + rest.iter().position(is_line_break).unwrap_or(rest.len())
}

const fn is_line_break(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

const fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn without(text: &[u8], is_left_out: fn(&u8) -> bool) -> View {
    let (mut view, mut start) = (View::default(), 0);
    view.bytes.reserve(text.len());
    for part in text.split(is_left_out) {
        view.keep(text, (start, start + part.len()));
        start += part.len() + 1;
    }
    view
}

fn stretch(text: &[u8], span: Span, view: &mut View) {
    end_stretch(view);
    keep_digits(text, span, view);
}

/// Nothing is found across the end of a stretch.
fn end_stretch(view: &mut View) {
    view.put(b"|", (0, 0));
}

fn keep_digits(text: &[u8], (mut at, end): Span, view: &mut View) {
    while at < end
        && let Some((len, is_digit)) = digit_or_between(text, at)
    {
        if is_digit {
            view.keep(text, (at, at + len));
        }
        at += len;
    }
}

/// The length in bytes of a digit, or of what may stand between digits, and true if it is a digit.
fn digit_or_between(text: &[u8], at: usize) -> Option<(usize, bool)> {
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_hexdigit);
    match text.get(at)? {
        b'0' if matches!(text.get(at + 1), Some(b'x' | b'X'))
            && is_digit(at + 2)
            && !at.checked_sub(1).is_some_and(is_digit) =>
        {
            Some((2, false))
        }
        it if it.is_ascii_hexdigit() => Some((1, true)),
        b' ' | b'\t' | b'\n' | b'\r' | b':' | b'-' | b',' => Some((1, false)),
        _ => None,
    }
}

/// The digits of bytes in a line of a dump. `xxd` ends them with two blanks, `hexdump` with a bar.
fn dumped(line: &[u8]) -> Option<Span> {
    let is_blank = |it: &u8| matches!(it, b' ' | b'\t');
    let start = line.iter().position(|it| !is_blank(it))?;
    let place = line[start..].iter().take_while(|it| it.is_ascii_hexdigit()).count();
    let behind = start + place;
    let is_xxd = line.get(behind) == Some(&b':');
    let blank = behind + usize::from(is_xxd);
    if place < 4 || !line.get(blank).is_some_and(is_blank) {
        return None;
    }
    let rest = &line[blank + 1..];
    let end = if is_xxd {
        rest.windows(2).position(|it| it == b"  ")
    } else {
        rest.iter().position(|it| !it.is_ascii_hexdigit() && !is_blank(it))
    };
    Some((blank + 1, blank + 1 + end.unwrap_or(rest.len())))
}

//! Escape sequences of URLs, programs, JSON, HTML and terminals.

use diag::is_invisible;

use super::view::View;

/// The escapes that are decoded.
#[derive(Clone, Copy, Default)]
pub(super) struct Escapes {
    /// `%68`, `%u0068`.
    pub(super) percent: bool,
    /// `\n`, `\x68`, `\150`, `\u0068`, `\u{68}`, `\U00000068`, and `\` before a sign or the end of a line.
    pub(super) backslash: bool,
    /// `&#104;`, `&#x68;`, `&amp;`.
    pub(super) entity: bool,
    /// Sequences that a terminal obeys and does not show, such as colours: control sequences (ECMA-48, 5.4) and strings (5.6).
    pub(super) terminal: bool,
}

const ESCAPE: u8 = 0x1b;
/// The longest sequence of a terminal that is searched for, in bytes: a link may be that long.
const LONGEST_SEQUENCE: usize = 4096;

impl Escapes {
    pub(super) const ALL: Self = Self { percent: true, backslash: true, entity: true, terminal: true };

    /// Each kind of which a text may have some, by itself: what one of them leaves may look like another one.
    pub(super) fn alone(text: &[u8]) -> Vec<Self> {
        let none = Self::default();
        let mut alone = Vec::new();
        for (byte, escapes) in [
            (b'%', Self { percent: true, ..none }),
            (b'\\', Self { backslash: true, ..none }),
            (b'&', Self { entity: true, ..none }),
            (ESCAPE, Self { terminal: true, ..none }),
        ] {
            if text.contains(&byte) {
                alone.push(escapes);
            }
        }
        alone
    }

    /// The text with each escape decoded once, and without characters that cannot be seen except blanks and line breaks;
    /// none where it is the same.
    pub(super) fn decoded(self, text: &[u8]) -> Option<View> {
        let (mut view, mut kept, mut at) = (View::default(), 0, 0);
        while let Some(next) = text[at..].iter().position(|it| self.may_begin(*it)) {
            at += next;
            let Some(decoded) = self.decode(&text[at..]) else {
                at += 1;
                continue;
            };
            view.keep(text, (kept, at));
            view.put(decoded.bytes(), (at, at + decoded.len));
            at += decoded.len;
            kept = at;
        }
        if kept == 0 {
            return None;
        }
        view.keep(text, (kept, text.len()));
        Some(view)
    }

    const fn may_begin(self, byte: u8) -> bool {
        match byte {
            b'%' => self.percent,
            b'\\' => self.backslash,
            b'&' => self.entity,
            b'\t' | b'\n' | b'\r' => false,
            // Controls, and what characters of several bytes begin with.
            0..0x20 | 0x7f | 0xc2.. => true,
            _ => false,
        }
    }

    fn decode(self, rest: &[u8]) -> Option<Decoded> {
        match rest.first()? {
            b'%' => percent(rest),
            b'\\' => backslash(rest),
            b'&' => entity(rest),
            &ESCAPE if self.terminal => sequence(rest).or_else(|| unseen(rest)),
            _ => unseen(rest),
        }
    }
}

/// The meaning of so many bytes: a character or byte, or nothing.
struct Decoded {
    len: usize,
    bytes: [u8; 4],
    count: usize,
}

impl Decoded {
    fn nothing(len: usize) -> Self {
        Self { len, bytes: [0; 4], count: 0 }
    }

    fn byte(len: usize, byte: u8) -> Self {
        if byte.is_ascii() {
            Self::char(len, char::from(byte))
        } else {
            Self { len, bytes: [byte, 0, 0, 0], count: 1 }
        }
    }

    fn char(len: usize, c: char) -> Self {
        let mut decoded = Self::nothing(len);
        // What an escape character begins is decoded the next time.
        if matches!(c, '\t' | '\n' | '\r' | '\u{1b}') || !is_invisible(c) {
            decoded.count = c.encode_utf8(&mut decoded.bytes).len();
        }
        decoded
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.count]
    }
}

/// A sequence that begins with an escape character. One that is not finished begins none.
fn sequence(rest: &[u8]) -> Option<Decoded> {
    let (kind, body) = rest.get(1..)?.split_first()?;
    let until = |is_end: fn(&u8) -> bool| body.iter().take(LONGEST_SEQUENCE).position(is_end);
    let len = match kind {
        b'[' => {
            let end = until(|it| !matches!(it, 0x20..=0x3f))?;
            matches!(body.get(end)?, 0x40..=0x7e).then_some(end + 1)?
        }
        b']' | b'P' | b'X' | b'^' | b'_' => {
            let end = until(|it| matches!(it, 0x07 | &ESCAPE))?;
            match body.get(end..)? {
                [ESCAPE, b'\\', ..] => end + 2,
                // Whatever begins there ends it, too.
                [ESCAPE, ..] => end,
                _ => end + 1,
            }
        }
        0x20..=0x2f => until(|it| matches!(it, 0x30..=0x7e))? + 1,
        _ => 0,
    };
    Some(Decoded::nothing(2 + len))
}

fn unseen(rest: &[u8]) -> Option<Decoded> {
    let len = match rest.first()? {
        0..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
    };
    let c = str::from_utf8(rest.get(..len)?).ok()?.chars().next()?;
    (is_invisible(c) && !matches!(c, '\t' | '\n' | '\r')).then(|| Decoded::nothing(len))
}

fn percent(rest: &[u8]) -> Option<Decoded> {
    match rest.get(1)? {
        b'u' => unit(rest, b'%'),
        _ => Some(Decoded::byte(3, u8::try_from(number(rest.get(1..3)?, 16)?).ok()?)),
    }
}

fn backslash(rest: &[u8]) -> Option<Decoded> {
    let second = *rest.get(1)?;
    let c = match second {
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'a' | b'b' | b'e' | b'f' | b'v' => '\0',
        b'0'..=b'7' => return octal(rest),
        b'x' | b'u' if rest.get(2) == Some(&b'{') => return braced(rest),
        b'x' => return Some(Decoded::byte(4, u8::try_from(number(rest.get(2..4)?, 16)?).ok()?)),
        b'u' => return unit(rest, b'\\'),
        b'U' => return Some(Decoded::char(10, char::from_u32(number(rest.get(2..10)?, 16)?)?)),
        b'\n' => return Some(Decoded::nothing(2)),
        b'\r' => return Some(Decoded::nothing(if rest.get(2) == Some(&b'\n') { 3 } else { 2 })),
        it if it.is_ascii_punctuation() || it == b' ' => char::from(it),
        _ => return None,
    };
    Some(Decoded::char(2, c))
}

fn octal(rest: &[u8]) -> Option<Decoded> {
    let digits = rest[1..].iter().take(3).take_while(|it| matches!(it, b'0'..=b'7')).count();
    let byte = number(rest.get(1..=digits)?, 8)? & 0xff;
    Some(Decoded::byte(1 + digits, u8::try_from(byte).ok()?))
}

fn braced(rest: &[u8]) -> Option<Decoded> {
    let digits = rest.iter().skip(3).take(9).position(|it| *it == b'}')?;
    let c = char::from_u32(number(rest.get(3..3 + digits)?, 16)?)?;
    Some(Decoded::char(4 + digits, c))
}

/// A unit of UTF-16, with the one that follows where two make a character.
fn unit(rest: &[u8], sign: u8) -> Option<Decoded> {
    let unit = |at: usize| match rest.get(at..at + 6)? {
        [first, b'u', digits @ ..] if *first == sign => u16::try_from(number(digits, 16)?).ok(),
        _ => None,
    };
    let units = [Some(unit(0)?), unit(6)];
    let c = char::decode_utf16(units.into_iter().flatten()).next()?.ok()?;
    Some(Decoded::char(6 * c.len_utf16(), c))
}

fn entity(rest: &[u8]) -> Option<Decoded> {
    let name = &rest[1..rest.len().min(24)];
    let Some(digits) = name.strip_prefix(b"#") else {
        let end = name.iter().position(|it| *it == b';')?;
        let (_, c) = NAMED.into_iter().find(|(it, _)| it.as_bytes() == &name[..end])?;
        return Some(Decoded::char(end + 2, c));
    };
    let (before, radix, digits) = match digits {
        [b'x' | b'X', digits @ ..] => (3, 16, digits),
        digits => (2, 10, digits),
    };
    let count = digits.iter().take_while(|it| char::from(**it).is_digit(radix)).count();
    let c = char::from_u32(number(digits.get(..count)?, radix)?)?;
    let has_end = digits.get(count) == Some(&b';');
    Some(Decoded::char(before + count + usize::from(has_end), c))
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    let value = |digit: &u8| char::from(*digit).to_digit(radix);
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u32, |sum, it| sum.checked_mul(radix)?.checked_add(value(it)?))
}

/// The names that HTML has for signs of ASCII, and for what cannot be seen.
const NAMED: [(&str, char); 36] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("AMP", '&'),
    ("LT", '<'),
    ("GT", '>'),
    ("QUOT", '"'),
    ("excl", '!'),
    ("num", '#'),
    ("dollar", '$'),
    ("percnt", '%'),
    ("lpar", '('),
    ("rpar", ')'),
    ("ast", '*'),
    ("plus", '+'),
    ("comma", ','),
    ("period", '.'),
    ("sol", '/'),
    ("colon", ':'),
    ("semi", ';'),
    ("equals", '='),
    ("quest", '?'),
    ("commat", '@'),
    ("lsqb", '['),
    ("bsol", '\\'),
    ("rsqb", ']'),
    ("Hat", '^'),
    ("lowbar", '_'),
    ("grave", '`'),
    ("lcub", '{'),
    ("verbar", '|'),
    ("rcub", '}'),
    ("shy", '\u{ad}'),
    ("ZeroWidthSpace", '\u{200b}'),
];

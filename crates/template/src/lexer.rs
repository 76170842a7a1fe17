use super::ByteRange;

/// A token of Ruby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// The end of the text.
    End,
    /// `name`, `name?`
    Name,
    /// `Name`
    Constant,
    /// `name:`
    Label,
    /// `:name`
    Symbol,
    /// `1`, `1.5`
    Number,
    /// The opening quote of a text; the rest is read by [`super::parser`].
    Quote(u8),
    /// Operators and punctuation.
    Sign(&'static str),
    /// A character that is not part of this language.
    Stray,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) at: ByteRange,
    /// True if a line ends before it.
    pub(super) newline: bool,
    /// True if there is white space before it.
    pub(super) space: bool,
}

/// Reads the tokens of a part of a text.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    end: usize,
}

/// Longer ones come first.
const SIGNS: [&str; 47] = [
    "<=>", "===", "||=", "&&=", "...", "**", "==", "!=", "<=", ">=", "=>", "=~", "!~", "->", "<<", ">>",
    "+=", "-=", "*=", "/=", "&&", "||", "&.", "::", "..", "(", ")", "[", "]", "{", "}", "|", "&", ".", ",",
    ";", "=", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":",
];

impl<'t> Lexer<'t> {
    /// A lexer for the bytes in `part`, which are whole characters.
    pub(super) const fn new(text: &'t str, part: ByteRange) -> Self {
        Self { text, at: part.start, end: part.end }
    }

    pub(super) fn slice(&self, at: ByteRange) -> &'t str {
        self.text.get(at.start..at.end).unwrap_or_default()
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// The rest of the text.
    pub(super) fn rest(&self) -> &'t str {
        self.slice(ByteRange::new(self.at, self.end))
    }

    /// Skips `length` bytes.
    pub(super) fn skip(&mut self, length: usize) {
        self.at = (self.at + length).min(self.end);
    }

    pub(super) fn next(&mut self) -> Lexeme {
        let before = self.at;
        let newline = self.blank();
        let start = self.at;
        let (token, length) = read(self.rest());
        self.skip(length);
        Lexeme { token, at: ByteRange::new(start, self.at), newline, space: start > before }
    }

    /// Skips white space and comments; returns whether a line ended.
    fn blank(&mut self) -> bool {
        let mut newline = false;
        loop {
            let rest = self.rest();
            let length = match rest.as_bytes() {
                [b'#', ..] => rest.find('\n').unwrap_or(rest.len()),
                [b'\\', b'\n', ..] => 2,
                [b'\n', ..] => {
                    newline = true;
                    1
                }
                [b' ' | b'\t' | b'\r', ..] => 1,
                _ => return newline,
            };
            self.skip(length);
        }
    }
}

fn read(rest: &str) -> (Token, usize) {
    let Some(first) = rest.chars().next() else { return (Token::End, 0) };
    match first {
        '"' | '\'' => (Token::Quote(first as u8), 1),
        '0'..='9' => (Token::Number, number(rest)),
        _ if starts_name(first) => name(rest, first),
        ':' if rest[1..].starts_with(starts_name) => (Token::Symbol, 1 + name_length(&rest[1..])),
        _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => (Token::Sign(sign), sign.len()),
            None => (Token::Stray, first.len_utf8()),
        },
    }
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn name(rest: &str, first: char) -> (Token, usize) {
    let length = name_length(rest);
    let after = &rest[length..];
    if after.starts_with(':') && !after.starts_with("::") {
        return (Token::Label, length + 1);
    }
    (if first.is_uppercase() { Token::Constant } else { Token::Name }, length)
}

fn name_length(rest: &str) -> usize {
    let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    match rest.as_bytes().get(length..) {
        Some([b'?' | b'!', b'=', b'=', ..]) => length + 1,
        Some([b'?' | b'!', b'=', ..]) => length,
        Some([b'?' | b'!', ..]) => length + 1,
        _ => length,
    }
}

fn number(rest: &str) -> usize {
    let digits = |text: &str| text.find(|c: char| !(c.is_ascii_digit() || c == '_')).unwrap_or(text.len());
    let whole = digits(rest);
    match rest[whole..].strip_prefix('.') {
        Some(fraction) if fraction.starts_with(|c: char| c.is_ascii_digit()) => whole + 1 + digits(fraction),
        _ => whole,
    }
}

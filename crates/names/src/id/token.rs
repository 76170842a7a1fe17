use super::class::Class;

/// A part of a regular expression, as far as it is of interest which characters an id can have where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// One character of a class.
    One(Class),
    /// The number of times that the token before it occurs.
    Repeat { min: usize, max: Option<usize> },
    /// A parenthesis or `|`.
    Structure,
    /// `^`, `$`, `\b`: matches a place, which depends on what is around the id.
    Place,
}

/// The tokens of an expression; `None` if it has parts that this reader does not know exactly, such as flags, nested classes,
/// numeric escapes or characters outside of ASCII. The regex engine decides whether the expression is valid.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut reader = Reader { rest: text.is_ascii().then_some(text.as_bytes())? };
    let mut tokens = Vec::new();
    while let Some(byte) = reader.next() {
        tokens.push(reader.token(byte)?);
    }
    Some(tokens)
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn skip(&mut self, text: &[u8]) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn token(&mut self, byte: u8) -> Option<Token> {
        match byte {
            b'\\' => self.escape(),
            b'[' => self.class().map(Token::One),
            b'(' => self.group(),
            b')' | b'|' => Some(Token::Structure),
            b'^' | b'$' => Some(Token::Place),
            b'*' | b'+' | b'?' | b'{' => self.repeat(byte),
            b'.' => Some(Token::One(Class::any())),
            _ => Some(Token::One(Class::of([byte]))),
        }
    }

    fn escape(&mut self) -> Option<Token> {
        match self.next()? {
            // The engine has `\b{start}`, which is something else.
            b'b' if self.rest.first() == Some(&b'{') => None,
            b'b' | b'B' | b'A' | b'z' => Some(Token::Place),
            byte => escaped(byte).map(Token::One),
        }
    }

    fn group(&mut self) -> Option<Token> {
        if self.skip(b"?") && !self.skip(b":") {
            return None;
        }
        Some(Token::Structure)
    }

    fn repeat(&mut self, byte: u8) -> Option<Token> {
        let (min, max) = match byte {
            b'*' => (0, None),
            b'+' => (1, None),
            b'?' => (0, Some(1)),
            _ => self.counts()?,
        };
        self.skip(b"?");
        Some(Token::Repeat { min, max })
    }

    /// The counts after `{`.
    fn counts(&mut self) -> Option<(usize, Option<usize>)> {
        let min = self.number()?;
        let max = match (self.skip(b","), self.rest.first()) {
            (false, _) => Some(min),
            (true, Some(b'}')) => None,
            (true, _) => Some(self.number()?),
        };
        self.skip(b"}").then_some((min, max))
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.iter().take_while(|it| it.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at_checked(digits)?;
        self.rest = rest;
        str::from_utf8(number).ok()?.parse().ok()
    }

    /// The class after `[`, to `]`.
    fn class(&mut self) -> Option<Class> {
        let is_negated = self.skip(b"^");
        let mut class = Class::default();
        let mut is_empty = true;
        loop {
            let byte = self.next()?;
            match byte {
                b']' if is_empty => return None,
                b']' => break,
                _ => class = class.union(self.item(byte)?),
            }
            is_empty = false;
        }
        Some(if is_negated { class.complement() } else { class })
    }

    /// A character, a range or an escape in a class. A `-` that begins no range is itself.
    fn item(&mut self, byte: u8) -> Option<Class> {
        let is_operator = matches!(byte, b'&' | b'-' | b'~') && self.rest.first() == Some(&byte);
        if is_operator {
            return None;
        }
        let first = self.member(byte)?;
        match self.rest {
            [b'-', b']', ..] => Some(first),
            [b'-', ..] => {
                self.skip(b"-");
                let last = self.next()?;
                range(first, self.member(last)?)
            }
            _ => Some(first),
        }
    }

    fn member(&mut self, byte: u8) -> Option<Class> {
        match byte {
            b'[' => None,
            b'\\' => self.next().and_then(escaped),
            _ => Some(Class::of([byte])),
        }
    }
}

/// The class that `\` and this character match.
fn escaped(byte: u8) -> Option<Class> {
    let character = match byte {
        b'a' => 7,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        _ if byte.is_ascii_alphanumeric() => return Class::of_escape(byte),
        _ => byte,
    };
    Some(Class::of([character]))
}

fn range(first: Class, last: Class) -> Option<Class> {
    let single = |class: Class| {
        let mut bytes = class.bytes();
        bytes.next().filter(|_| bytes.next().is_none())
    };
    Some(Class::of(single(first)?..=single(last)?))
}

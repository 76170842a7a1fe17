//! The tokens of protobuf's text format.

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// An identifier, dots and slashes left out.
    Word(String),
    /// A number without its sign.
    Number(f64),
    /// A string literal, unescaped.
    Text(String),
    /// Any other character.
    Sign(char),
    /// A number or a string literal that cannot be read.
    Invalid,
}

/// Reads tokens from a part of a text; blanks and comments (`//`, `/* */`, `#`) are skipped.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    /// The tokens of a text.
    pub(crate) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The next token with its first byte and the byte after its last one; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<(Token, usize, usize)> {
        self.skip_blanks();
        let start = self.at;
        let first = self.rest().chars().next()?;
        let token = match first {
            '"' | '\'' => self.string(first),
            '0'..='9' => self.number(),
            '.' if self.rest()[1..].starts_with(|it: char| it.is_ascii_digit()) => self.number(),
            _ if is_word(first) => Token::Word(self.take_while(is_word).to_owned()),
            _ => {
                self.at += first.len_utf8();
                Token::Sign(first)
            }
        };
        Some((token, start, self.at))
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            let comment = if trimmed.starts_with("//") || trimmed.starts_with('#') {
                trimmed.find('\n').unwrap_or(trimmed.len())
            } else if trimmed.starts_with("/*") {
                trimmed.find("*/").map_or(trimmed.len(), |end| end + 2)
            } else {
                return;
            };
            self.at += comment;
        }
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|it: char| !belongs(it)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or("")
    }

    fn number(&mut self) -> Token {
        let rest = self.rest();
        let mut before = ' ';
        let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
        let end = rest.find(|it: char| {
            let exponent = matches!(before, 'e' | 'E') && !hexadecimal;
            let belongs = it.is_ascii_alphanumeric() || it == '.' || (exponent && matches!(it, '+' | '-'));
            before = it;
            !belongs
        });
        let end = end.unwrap_or(rest.len());
        self.at += end;
        number(rest.get(..end).unwrap_or("")).map_or(Token::Invalid, Token::Number)
    }

    fn string(&mut self, quote: char) -> Token {
        self.at += quote.len_utf8();
        let mut bytes = Vec::new();
        loop {
            let plain = self.take_while(|it| it != quote && it != '\\' && it != '\n');
            bytes.extend_from_slice(plain.as_bytes());
            let next = self.rest().chars().next();
            self.at += next.map_or(0, char::len_utf8);
            match next {
                Some('\\') if self.escape(&mut bytes).is_some() => {}
                Some(it) if it == quote => {
                    return Token::Text(String::from_utf8_lossy(&bytes).into_owned());
                }
                Some(_) | None => return Token::Invalid,
            }
        }
    }

    /// Adds the bytes that a backslash and the characters after it stand for.
    fn escape(&mut self, bytes: &mut Vec<u8>) -> Option<()> {
        let kind = self.rest().chars().next()?;
        self.at += kind.len_utf8();
        let byte = match kind {
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'v' => 11,
            '?' | '\\' | '\'' | '"' => kind as u8,
            'x' | 'X' => u8::try_from(self.digits(2, 16)?).ok()?,
            '0'..='7' => {
                self.at -= 1;
                u8::try_from(self.digits(3, 8)?).ok()?
            }
            'u' | 'U' => {
                let code = self.digits(if kind == 'u' { 4 } else { 8 }, 16)?;
                bytes.extend_from_slice(char::from_u32(code)?.encode_utf8(&mut [0; 4]).as_bytes());
                return Some(());
            }
            _ => return None,
        };
        bytes.push(byte);
        Some(())
    }

    fn digits(&mut self, at_most: usize, radix: u32) -> Option<u32> {
        let rest = self.rest();
        let end = rest.find(|it: char| !it.is_digit(radix)).unwrap_or(rest.len()).min(at_most);
        self.at += end;
        u32::from_str_radix(rest.get(..end)?, radix).ok()
    }
}

const fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// A number in decimal, hexadecimal or octal digits, or with a fraction; `f` at its end says that it is a float.
fn number(text: &str) -> Option<f64> {
    let integer = |digits, radix| u64::from_str_radix(digits, radix).ok().map(|it| it as f64);
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return integer(digits, 16);
    }
    if text.len() > 1 && text.starts_with('0') && text.bytes().all(|it| it.is_ascii_digit()) {
        return integer(&text[1..], 8);
    }
    text.trim_end_matches(['f', 'F']).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[Token]) {
        let mut tokens = Tokens::new(text);
        let all: Vec<Token> = std::iter::from_fn(|| tokens.next()).map(|it| it.0).collect();
        assert_eq!(all, expected, "{text}");
    }

    #[test]
    fn tokens_of_the_text_format() {
        let text = |it: &str| Token::Text(it.to_owned());
        check(r#"'a\x41\101\u00e9\n\\' "\"" "#, &[text("aAAé\n\\"), text("\"")]);
        check("1 0x1F 017 1.5e-3 .5 2f 1e+2", &[1.0, 31.0, 15.0, 0.0015, 0.5, 2.0, 100.0].map(Token::Number));
        check("# a\n/* b */ // c\n x_1<", &[Token::Word("x_1".to_owned()), Token::Sign('<')]);
        check("08 1x", &[Token::Invalid, Token::Invalid]);
        check("\"a", &[Token::Invalid]);
        check("\"a\n\"", &[Token::Invalid, Token::Invalid]);
        check(r#""\q""#, &[Token::Invalid, Token::Invalid]);
    }
}

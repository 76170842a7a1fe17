use crate::{
    FieldPath, ParseError, codes,
    error::quoted,
    path::{Reader, Spelling},
};

/// Reads a filter from its start.
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// The byte after the text that was read.
    pub(super) at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The text after spaces and comments.
    pub(super) fn peek(&mut self) -> &'a str {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with("--") {
                return trimmed;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// The byte of the text after spaces and comments.
    pub(super) fn next_at(&mut self) -> usize {
        self.peek();
        self.at
    }

    /// True if everything was read.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.peek().is_empty()
    }

    /// Reads a symbol, if it is next.
    pub(super) fn symbol(&mut self, symbol: &str) -> bool {
        let is_next = self.peek().starts_with(symbol);
        self.at += if is_next { symbol.len() } else { 0 };
        is_next
    }

    /// Reads a keyword, if it is next and ends there.
    pub(super) fn keyword(&mut self, keyword: &str) -> bool {
        let is_next = self.is_keyword(keyword);
        self.at += if is_next { keyword.len() } else { 0 };
        is_next
    }

    pub(super) fn is_keyword(&mut self, keyword: &str) -> bool {
        let Some((start, rest)) = self.peek().split_at_checked(keyword.len()) else {
            return false;
        };
        start.eq_ignore_ascii_case(keyword) && !rest.starts_with(is_word)
    }

    /// Reads a word of a value: letters, digits and `_-/.@:~`, of which a letter or `/` is first.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        let rest = self.peek();
        if !rest.starts_with(|it: char| it.is_ascii_alphabetic() || it == '/') {
            return None;
        }
        let end = rest.find(|it| !is_word(it)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end)
    }

    /// Reads the characters of a number.
    pub(super) fn number(&mut self) -> Option<&'a str> {
        let rest = self.peek();
        let unsigned = rest.strip_prefix('-').unwrap_or(rest);
        if !unsigned.starts_with(|it: char| it.is_ascii_digit()) {
            return None;
        }
        let mut last = ' ';
        let end = unsigned.find(|it: char| {
            let is_sign = matches!(it, '-' | '+') && matches!(last, 'e' | 'E');
            last = it;
            !is_sign && !it.is_ascii_alphanumeric() && it != '.'
        });
        let end = rest.len() - unsigned.len() + end.unwrap_or(unsigned.len());
        self.at += end;
        rest.get(..end)
    }

    /// Reads a path.
    pub(super) fn path(&mut self) -> Result<FieldPath, ParseError> {
        self.peek();
        let mut reader = Reader::new(self.text, self.at, Spelling::Text);
        reader.escapes = true;
        let path = reader.path()?;
        self.at = reader.at;
        Ok(path)
    }

    /// Reads a string in double quotes, if one is next.
    pub(super) fn string(&mut self) -> Result<Option<String>, ParseError> {
        let rest = self.peek();
        if !rest.starts_with('"') {
            return Ok(None);
        }
        let Some(end) = closing_quote(rest) else {
            let help = "close the string with a double quote, and write `\\\"` for one inside";
            return Err(ParseError::new(codes::FILTER_SYNTAX, self.at, "the string is not closed", help));
        };
        let literal = rest.get(..=end).unwrap_or_default();
        // JSON does not allow line breaks and tabs in strings; filters do.
        let literal = literal.replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r");
        let text = serde_json::from_str(&literal).map_err(|_| self.bad_escape())?;
        self.at += end + 1;
        Ok(Some(text))
    }

    fn bad_escape(&self) -> ParseError {
        let help = "write `\\\\` for a backslash; other escapes are those of JSON";
        ParseError::new(codes::FILTER_SYNTAX, self.at, "the string has an escape that does not exist", help)
    }

    /// The mistake that something else is next.
    pub(super) fn expected(&mut self, what: &str) -> ParseError {
        let rest = self.peek();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let found = match rest.get(..end) {
            Some("") | None => "the filter ends".to_owned(),
            Some(found) => format!("found {}", quoted(found)),
        };
        let help = format!("write {what} here");
        ParseError::new(codes::FILTER_SYNTAX, self.at, format!("expected {what}, but {found}"), help)
    }
}

/// A character of a word, after its first one.
const fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '/' | '.' | '@' | ':' | '~')
}

/// The byte of the quote that closes the string at the start of a text.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    let quote = text.bytes().enumerate().skip(1).find(|(_, byte)| {
        let closes = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        closes
    });
    quote.map(|(at, _)| at)
}

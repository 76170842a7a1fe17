//! Rust source as the few tokens that checks look at: words, texts and punctuation, without comments.

use std::{iter::Peekable, str::Chars};

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word or a number.
    Word(String),
    /// A string literal, without its quotes and as it is written.
    Text(String),
    /// One character, or two that belong together: `==`, `=>`, `||`.
    Sign(String),
}

/// What two characters are one sign.
const PAIRS: [&str; 10] = ["==", "!=", "=>", "||", "&&", "->", "::", "<=", ">=", ".."];

/// The tokens of a source, each with its line.
pub(super) fn tokens(source: &str) -> Vec<(Token, usize)> {
    let mut lexer = Lexer { rest: source.chars().peekable(), line: 1 };
    let mut found = Vec::new();
    while let Some(first) = lexer.next() {
        let line = lexer.line;
        found.extend(lexer.token(first).map(|it| (it, line)));
    }
    found
}

/// The tokens without the items that only tests have.
pub(super) fn without_tests(tokens: Vec<(Token, usize)>) -> Vec<(Token, usize)> {
    let mut kept = Vec::new();
    let mut rest = tokens.as_slice();
    while let Some((first, after)) = rest.split_first() {
        rest = if is_of_tests(rest) { after_item(rest) } else { after };
        if rest.len() == after.len() {
            kept.push(first.clone());
        }
    }
    kept
}

/// Whether `#[cfg(test)]` stands here.
fn is_of_tests(tokens: &[(Token, usize)]) -> bool {
    let cfg_test = ["#", "[", "cfg", "(", "test", ")", "]"];
    tokens.len() >= cfg_test.len() && tokens.iter().zip(cfg_test).all(|((it, _), word)| it.is(word))
}

/// What follows an item: its semicolon, or the end of its braces.
fn after_item(tokens: &[(Token, usize)]) -> &[(Token, usize)] {
    let mut depth = 0_usize;
    for (at, (token, _)) in tokens.iter().enumerate() {
        depth = match token {
            Token::Sign(it) if it == "{" => depth + 1,
            Token::Sign(it) if it == "}" => depth.saturating_sub(1),
            _ => depth,
        };
        if depth == 0 && (token.is(";") || token.is("}")) {
            return &tokens[at + 1..];
        }
    }
    &[]
}

impl Token {
    /// Whether it is that word or sign.
    pub(super) fn is(&self, text: &str) -> bool {
        match self {
            Self::Word(it) | Self::Sign(it) => it == text,
            Self::Text(_) => false,
        }
    }
}

struct Lexer<'a> {
    rest: Peekable<Chars<'a>>,
    line: usize,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.rest.next();
        self.line += usize::from(next == Some('\n'));
        next
    }

    fn next_if(&mut self, is: impl Fn(char) -> bool) -> Option<char> {
        if self.rest.peek().copied().is_some_and(is) { self.next() } else { None }
    }

    fn token(&mut self, first: char) -> Option<Token> {
        match first {
            '/' if self.next_if(|it| it == '/').is_some() => self.line_comment(),
            '/' if self.next_if(|it| it == '*').is_some() => self.block_comment(),
            '"' => Some(self.text()),
            '\'' => self.character(),
            it if it.is_alphanumeric() || it == '_' => Some(self.word(it)),
            it if it.is_whitespace() => None,
            it => Some(self.sign(it)),
        }
    }

    fn line_comment(&mut self) -> Option<Token> {
        while self.next_if(|it| it != '\n').is_some() {}
        None
    }

    fn block_comment(&mut self) -> Option<Token> {
        let (mut depth, mut before) = (1, ' ');
        while let Some(it) = self.next() {
            (depth, before) = match (before, it) {
                ('/', '*') => (depth + 1, ' '),
                ('*', '/') => (depth - 1, ' '),
                _ => (depth, it),
            };
            if depth == 0 {
                break;
            }
        }
        None
    }

    fn text(&mut self) -> Token {
        let mut text = String::new();
        while let Some(it) = self.next_if(|it| it != '"') {
            text.push(it);
            if it == '\\' {
                text.extend(self.next());
            }
        }
        self.next();
        Token::Text(text)
    }

    /// A character is passed over; a lifetime's name comes as a word.
    fn character(&mut self) -> Option<Token> {
        let mut ahead = self.rest.clone();
        match (ahead.next(), ahead.next()) {
            (Some('\\'), _) => {
                self.next();
                self.next();
                while self.next_if(|it| it != '\'').is_some() {}
                self.next();
            }
            (_, Some('\'')) => {
                self.next();
                self.next();
            }
            _ => {}
        }
        None
    }

    fn word(&mut self, first: char) -> Token {
        let mut word = String::from(first);
        while let Some(it) = self.next_if(|it| it.is_alphanumeric() || it == '_') {
            word.push(it);
        }
        match (word.as_str(), self.rest.peek()) {
            ("r" | "br", Some('"' | '#')) => self.raw_text(word),
            ("b", Some('"')) => {
                self.next();
                self.text()
            }
            _ => Token::Word(word),
        }
    }

    fn raw_text(&mut self, word: String) -> Token {
        let mut end = String::from("\"");
        while self.next_if(|it| it == '#').is_some() {
            end.push('#');
        }
        if self.next_if(|it| it == '"').is_none() {
            return Token::Word(word); // `r#type`
        }
        let mut text = String::new();
        while !text.ends_with(&end) {
            let Some(it) = self.next() else { break };
            text.push(it);
        }
        Token::Text(text.strip_suffix(&end).unwrap_or(&text).to_owned())
    }

    fn sign(&mut self, first: char) -> Token {
        let mut sign = String::from(first);
        let is_pair = |it: char| PAIRS.contains(&format!("{first}{it}").as_str());
        sign.extend(self.next_if(is_pair));
        Token::Sign(sign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> String {
        let shown = |(token, line): (Token, usize)| match token {
            Token::Text(it) => format!("{line}:\"{it}\""),
            Token::Word(it) | Token::Sign(it) => format!("{line}:{it}"),
        };
        without_tests(tokens(source)).into_iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_characters_are_no_tokens() {
        assert_eq!(shown("a /* \"b\" /* */ */ == // c\n'\"' \"d\\\"\""), "1:a 1:== 2:\"d\\\"\"");
        assert_eq!(shown("f::<'a>('\\'', r#\"x\"y\"#)"), "1:f 1::: 1:< 1:a 1:> 1:( 1:, 1:\"x\"y\" 1:)");
    }

    #[test]
    fn tokens_of_tests_are_skipped() {
        assert_eq!(shown("a;\n#[cfg(test)]\nmod tests { fn f() { b } }\nc"), "1:a 1:; 4:c");
        assert_eq!(shown("#[cfg(test)] mod tests; c"), "1:c");
    }
}

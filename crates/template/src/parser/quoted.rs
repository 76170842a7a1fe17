use crate::{
    ByteRange, Problem,
    lexer::Token,
    tree::{Node, NodeKind, TextPart},
};

use super::{Parser, Result};

impl Parser<'_> {
    /// Skips the text that is next.
    pub(crate) fn pass_text(&mut self) -> Result<()> {
        let Token::Quote(quote) = self.next.token else { return Ok(()) };
        let passed = self.quoted(quote).map(drop);
        if passed.is_err() {
            self.take();
        }
        (self.depth, self.loose, self.dos) = (0, 0, 0);
        passed
    }

    /// A text, whose opening quote comes next.
    pub(super) fn quoted(&mut self, quote: u8) -> Result<Node> {
        let open = self.next.at;
        let (mut parts, mut literal) = (Vec::new(), String::new());
        // The token after the quote is not read yet: `next` is the quote, and the lexer is directly after it.
        loop {
            let rest = self.lexer.rest();
            let Some(c) = rest.chars().next() else {
                return Err(Problem::syntax(open, "this text is never closed"));
            };
            if c == char::from(quote) {
                self.lexer.skip(1);
                break;
            }
            if quote == b'"' && rest.starts_with("#{") {
                push(&mut parts, &mut literal);
                parts.push(TextPart::Code(self.inserted()?));
                continue;
            }
            let read = if c == '\\' { self.escape(quote, &mut literal)? } else { plain(rest, &mut literal) };
            self.lexer.skip(read);
        }
        push(&mut parts, &mut literal);
        let at = ByteRange::new(open.start, self.lexer.at());
        (self.read_to, self.last) = (at.end, Token::Quote(quote));
        self.next = self.lexer.next();
        Ok(Node { at, kind: NodeKind::Text(parts) })
    }

    /// `#{…}` in a text; stops directly after the brace, where the text continues.
    fn inserted(&mut self) -> Result<Node> {
        self.lexer.skip(2);
        self.next = self.lexer.next();
        let code = self.loosely(Self::expression)?;
        if self.next.token != Token::Sign("}") {
            return Err(self.expected("`}`"));
        }
        Ok(code)
    }

    /// The length of an escape in bytes; its meaning is appended to `literal`.
    fn escape(&self, quote: u8, literal: &mut String) -> Result<usize> {
        let rest = self.lexer.rest();
        let at = ByteRange::new(self.lexer.at(), self.lexer.at() + 1);
        let c = rest[1..].chars().next().ok_or_else(|| Problem::syntax(at, "nothing follows this `\\`"))?;
        if quote == b'\'' {
            if !matches!(c, '\\' | '\'') {
                literal.push('\\');
            }
            literal.push(c);
            return Ok(1 + c.len_utf8());
        }
        match c {
            'n' => literal.push('\n'),
            't' => literal.push('\t'),
            'r' => literal.push('\r'),
            's' => literal.push(' '),
            'e' => literal.push('\u{1b}'),
            '0' if !rest[2..].starts_with(|c: char| c.is_ascii_digit()) => literal.push('\0'),
            '\n' => {}
            '0'..='7' | 'u' | 'x' | 'a' | 'b' | 'c' | 'C' | 'f' | 'M' | 'v' => {
                return Err(Problem::unsupported(at, format_args!("the escape `\\{c}`")));
            }
            other => literal.push(other),
        }
        Ok(1 + c.len_utf8())
    }
}

fn push(parts: &mut Vec<TextPart>, literal: &mut String) {
    if !literal.is_empty() {
        parts.push(TextPart::Literal(std::mem::take(literal).into()));
    }
}

/// The characters up to the next one that may have a special meaning.
fn plain(rest: &str, literal: &mut String) -> usize {
    let mut ends = rest.char_indices().skip(1);
    let end = ends.find(|(_, c)| matches!(c, '"' | '\'' | '\\' | '#')).map_or(rest.len(), |(at, _)| at);
    literal.push_str(&rest[..end]);
    end
}

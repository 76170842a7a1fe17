//! Values of options in protobuf's text format: `{ name: "x" list: [1, 2] nested < … > }`.

use diag::{Diagnostic, Diagnostics, FileId, Span};

use crate::{
    codes,
    token::{Token, Tokens},
};

/// The depth to which messages may be nested in a value.
const DEPTH: usize = 32;

/// A value and where it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Value {
    pub(crate) at: Span,
    pub(crate) data: Data,
}

/// The contents of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    /// The name of a value of an enumeration, or `true` and `false`.
    Symbol(String),
    /// A number.
    Number(f64),
    /// A string or bytes.
    Text(String),
    /// The fields of a message, in the order in which they are written; a repeated field has several entries.
    Body(Vec<Entry>),
}

/// A field of a message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) at: Span,
    pub(crate) value: Value,
}

/// Reads a constant of an option from tokens; `offset` is the place of their first byte in the file. One that cannot be
/// read as a whole is reported and left out.
pub(crate) fn constant(
    tokens: Tokens<'_>,
    file: FileId,
    offset: u32,
    found: &mut Diagnostics,
) -> Option<Value> {
    let mut reader = Reader { tokens, file, offset, next: None, end: offset, problem: None };
    reader.bump();
    let mut values = Vec::new();
    reader.value(0, &mut |value| values.push(value));
    if let Some((at, message)) = reader.problem {
        found.push(
            Diagnostic::error(codes::AGGREGATE, at, message)
                .help("write the value in protobuf's text format, as in `{ resource: \"Pod\" }`"),
        );
        return None;
    }
    values.into_iter().next()
}

struct Reader<'t> {
    tokens: Tokens<'t>,
    file: FileId,
    offset: u32,
    next: Option<(Token, Span)>,
    /// The byte after the token before `next`.
    end: u32,
    problem: Option<(Span, &'static str)>,
}

impl Reader<'_> {
    /// Takes the next token; none after a problem, so that everything ends.
    fn bump(&mut self) -> Option<(Token, Span)> {
        let place = |start: usize, end: usize| {
            Span::new(self.file, self.offset + start as u32, self.offset + end as u32)
        };
        let following = self.tokens.next().map(|(token, start, end)| (token, place(start, end)));
        let taken = std::mem::replace(&mut self.next, following);
        if let Some((_, at)) = &taken {
            self.end = at.end;
        }
        taken
    }

    fn is_next(&self, sign: char) -> bool {
        matches!(&self.next, Some((Token::Sign(it), _)) if *it == sign)
    }

    fn skip(&mut self, sign: char) -> bool {
        let is_next = self.is_next(sign);
        if is_next {
            self.bump();
        }
        is_next
    }

    /// Remembers the first problem, and ends reading.
    fn fail(&mut self, message: &'static str) {
        let at = self.next.as_ref().map_or(Span::at(self.file, self.end), |(_, at)| *at);
        self.problem.get_or_insert((at, message));
        self.tokens = Tokens::new("");
        self.next = None;
    }

    /// A value, or the values of a list.
    fn value(&mut self, depth: usize, push: &mut dyn FnMut(Value)) {
        if depth > DEPTH {
            return self.fail("messages are nested too deeply");
        }
        let start = self.next.as_ref().map_or(self.end, |(_, at)| at.start);
        if self.skip('[') {
            return self.list(depth + 1, push);
        }
        let data = if self.skip('{') {
            Some(Data::Body(self.body('}', depth + 1)))
        } else if self.skip('<') {
            Some(Data::Body(self.body('>', depth + 1)))
        } else {
            self.scalar()
        };
        if let Some(data) = data {
            push(Value { at: Span::new(self.file, start, self.end), data });
        }
    }

    fn list(&mut self, depth: usize, push: &mut dyn FnMut(Value)) {
        while !self.skip(']') {
            self.value(depth, push);
            if !self.skip(',') && !self.is_next(']') {
                return self.fail("`,` or `]` is expected here");
            }
        }
    }

    fn scalar(&mut self) -> Option<Data> {
        let sign = if self.skip('-') { -1.0 } else { 1.0 };
        match self.next.as_ref().map(|it| it.0.clone()) {
            Some(Token::Number(number)) => {
                self.bump();
                Some(Data::Number(sign * number))
            }
            Some(Token::Word(word)) => {
                self.bump();
                Some(symbol(word, sign))
            }
            Some(Token::Text(_)) if sign > 0.0 => Some(Data::Text(self.texts())),
            _ => {
                self.fail("a value is expected here");
                None
            }
        }
    }

    /// String literals after each other are one.
    fn texts(&mut self) -> String {
        let mut whole = String::new();
        while let Some((Token::Text(text), _)) = &self.next {
            whole.push_str(text);
            self.bump();
        }
        whole
    }

    fn body(&mut self, close: char, depth: usize) -> Vec<Entry> {
        let mut entries = Vec::new();
        while !self.skip(close) {
            let Some((name, at)) = self.name() else {
                self.fail(if close == '}' {
                    "a field or `}` is expected here"
                } else {
                    "a field or `>` is expected here"
                });
                break;
            };
            let colon = self.skip(':');
            if !colon && !['{', '<', '['].iter().any(|it| self.is_next(*it)) {
                self.fail("`:` is expected here");
            }
            self.value(depth, &mut |value| entries.push(Entry { name: name.clone(), at, value }));
            if !self.skip(',') {
                self.skip(';');
            }
        }
        entries
    }

    /// The name of a field; those of extensions are in brackets.
    fn name(&mut self) -> Option<(String, Span)> {
        let (token, at) = self.next.clone()?;
        if let Token::Word(word) = token {
            self.bump();
            return Some((word, at));
        }
        if !self.skip('[') {
            return None;
        }
        let mut name = String::from("[");
        while !self.skip(']') {
            match &self.next.as_ref()?.0 {
                Token::Word(word) => name.push_str(word),
                Token::Sign(sign @ ('.' | '/' | '-')) => name.push(*sign),
                Token::Sign(_) | Token::Number(_) | Token::Text(_) | Token::Invalid => return None,
            }
            self.bump();
        }
        name.push(']');
        Some((name, Span { end: self.end, ..at }))
    }
}

/// The meaning of a word: `inf` and `nan` are numbers.
fn symbol(word: String, sign: f64) -> Data {
    match &*word {
        "inf" | "infinity" => Data::Number(sign * f64::INFINITY),
        "nan" => Data::Number(f64::NAN),
        _ => Data::Symbol(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value in one spelling, and the problem with its place.
    fn read(text: &str) -> (String, Option<(u32, String)>) {
        let mut found = Vec::new();
        let value = constant(Tokens::new(text), FileId(0), 0, &mut found);
        let problem = found.into_iter().next();
        let problem = problem.map(|it| (it.span.map_or(0, |it| it.start), it.message));
        (value.map_or_else(String::new, |it| write(&it)), problem)
    }

    fn write(value: &Value) -> String {
        match &value.data {
            Data::Symbol(it) => it.clone(),
            Data::Number(it) => it.to_string(),
            Data::Text(it) => format!("{it:?}"),
            Data::Body(entries) => {
                let entries: Vec<_> =
                    entries.iter().map(|it| format!("{}:{}", it.name, write(&it.value))).collect();
                format!("{{{}}}", entries.join(" "))
            }
        }
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(read(text), (expected.to_owned(), None), "{text:.80}");
    }

    fn check_problem(text: &str, at: u32, message: &str) {
        assert_eq!(read(text).1, Some((at, message.to_owned())), "{text:.80}");
    }

    #[test]
    fn values_are_read_in_each_spelling() {
        check("true", "true");
        check("-5", "-5");
        check("\"a\" 'b'", "\"ab\"");
        check("-inf", "-inf");
        check("{}", "{}");
        check("{ a: 1 b: X }", "{a:1 b:X}");
        check("{ a: 1, b: X; c: \"d\" \"e\", }", "{a:1 b:X c:\"de\"}");
        check("{ a < b: 1 > a: < b: 2 >, a { b: 3 } }", "{a:{b:1} a:{b:2} a:{b:3}}");
        check("{ a: [1, 2] a: [] b: [ {c: 1}, <c: 2> ] b [{c: 3}] }", "{a:1 a:2 b:{c:1} b:{c:2} b:{c:3}}");
        check("{ [x.y-z.com/a.B] { c: 1 } }", "{[x.y-z.com/a.B]:{c:1}}");
        check("{ # a\n a: /* b */ 1 // c\n }", "{a:1}");
    }

    #[test]
    fn what_cannot_be_read_is_reported_with_its_place() {
        check_problem("", 0, "a value is expected here");
        check_problem("{ a: }", 5, "a value is expected here");
        check_problem("{ a 1 }", 4, "`:` is expected here");
        check_problem("{ a: 1", 6, "a field or `}` is expected here");
        check_problem("{ a < b: 1 }", 11, "a field or `>` is expected here");
        check_problem("{ a: [1 2] }", 8, "`,` or `]` is expected here");
        check_problem("{ a: 08 }", 5, "a value is expected here");
        check_problem("{ [a: 1 }", 4, "a field or `}` is expected here");
        check_problem("- \"a\"", 2, "a value is expected here");
        check_problem(&"{a:".repeat(10_000), 99, "messages are nested too deeply");
    }
}

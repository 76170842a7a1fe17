use std::str::FromStr;

use serde_json::{Map, Value};

use super::{CompareOperator, Condition, Filter, Literal, Quantifier, Special, scanner::Scanner};
use crate::{FieldPath, Number, ParseError, codes, error::quoted};

/// The longest filter, in bytes.
const LONGEST: usize = 65_536;

/// The deepest nesting of parentheses, `NOT` and objects.
const DEEPEST: usize = 64;

impl Filter {
    /// Reads a filter.
    ///
    /// # Errors
    /// `fields/filter-syntax` with the byte and the expected syntax; `fields/path-syntax` and `fields/path-limit` of a
    /// field's path; `fields/filter-limit` for more than 64 KiB, or more than 64 levels of parentheses, `NOT` and objects.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        if text.len() > LONGEST {
            let message = format!("the filter has more than {LONGEST} bytes");
            return Err(limit(LONGEST, message));
        }
        let mut parser = Parser { scanner: Scanner::new(text), depth: 0 };
        if parser.scanner.is_at_end() {
            return Ok(Self::default());
        }
        let root = parser.expression()?;
        if parser.scanner.is_at_end() {
            return Ok(root.into());
        }
        Err(parser.scanner.expected("`AND`, `OR` or the end of the filter"))
    }
}

impl FromStr for Filter {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

fn limit(at: usize, message: String) -> ParseError {
    ParseError::new(codes::FILTER_LIMIT, at, message, "simplify the filter, or select in several requests")
}

struct Parser<'a> {
    scanner: Scanner<'a>,
    depth: usize,
}

impl Parser<'_> {
    /// Reads an expression that is nested one level deeper.
    fn nested<T>(&mut self, read: fn(&mut Self) -> Result<T, ParseError>) -> Result<T, ParseError> {
        if self.depth == DEEPEST {
            let message = format!("the filter is nested more than {DEEPEST} levels deep");
            return Err(limit(self.scanner.at, message));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn expression(&mut self) -> Result<Condition, ParseError> {
        let mut all = vec![self.and_condition()?];
        while self.scanner.keyword("OR") || self.scanner.symbol("|") {
            all.push(self.and_condition()?);
        }
        Ok(one_or(all, Condition::Or))
    }

    fn and_condition(&mut self) -> Result<Condition, ParseError> {
        let mut all = vec![self.condition()?];
        while self.scanner.keyword("AND") || self.scanner.symbol("+") || self.is_condition_next() {
            all.push(self.condition()?);
        }
        Ok(one_or(all, Condition::And))
    }

    /// True if a condition follows without `AND`.
    fn is_condition_next(&mut self) -> bool {
        !self.scanner.is_keyword("OR")
            && !self.scanner.peek().starts_with([')', '|', ']', ',', '}'])
            && !self.scanner.is_at_end()
    }

    fn condition(&mut self) -> Result<Condition, ParseError> {
        if self.scanner.keyword("NOT") {
            return Ok(Condition::Not(Box::new(self.nested(Self::condition)?)));
        }
        if self.scanner.symbol("(") {
            return self.nested(Self::in_parentheses);
        }
        if self.scanner.is_keyword("AND") || self.scanner.is_keyword("OR") || !self.is_path_next() {
            return Err(self.scanner.expected("a field, `NOT` or `(`"));
        }
        let path = self.scanner.path()?;
        self.test(path)
    }

    fn is_path_next(&mut self) -> bool {
        self.scanner
            .peek()
            .starts_with(|it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '/' | '`' | '*'))
    }

    fn in_parentheses(&mut self) -> Result<Condition, ParseError> {
        if self.scanner.symbol(")") {
            return Ok(Condition::All);
        }
        let inner = self.expression()?;
        if self.scanner.symbol(")") { Ok(inner) } else { Err(self.scanner.expected("`AND`, `OR` or `)`")) }
    }

    fn test(&mut self, path: FieldPath) -> Result<Condition, ParseError> {
        if let Some(operator) = self.operator() {
            return Ok(Condition::Compare { path, operator, value: self.value()? });
        }
        if self.scanner.keyword("IS") {
            return self.special(path);
        }
        if self.scanner.keyword("IN") {
            return Ok(Condition::In { path, values: self.list()?, negated: false });
        }
        if self.scanner.keyword("NOT") {
            let is_in = self.scanner.keyword("IN");
            let values = if is_in { self.list()? } else { return Err(self.scanner.expected("`IN`")) };
            return Ok(Condition::In { path, values, negated: true });
        }
        if self.scanner.keyword("CONTAINS") || self.scanner.keyword("HAS") {
            return self.contains(path);
        }
        if self.scanner.keyword("LIKE") {
            let pattern =
                self.scanner.string()?.ok_or_else(|| self.scanner.expected("a string in double quotes"))?;
            return Ok(Condition::Like { path, pattern: pattern.into() });
        }
        Err(self.scanner.expected("an operator, `IS`, `IN`, `NOT IN`, `CONTAINS`, `HAS` or `LIKE`"))
    }

    fn operator(&mut self) -> Option<CompareOperator> {
        const OPERATORS: [(&str, CompareOperator); 7] = [
            ("==", CompareOperator::Equal),
            ("=", CompareOperator::Equal),
            ("!=", CompareOperator::NotEqual),
            ("<=", CompareOperator::AtMost),
            ("<", CompareOperator::Less),
            (">=", CompareOperator::AtLeast),
            (">", CompareOperator::Greater),
        ];
        OPERATORS.into_iter().find(|(symbol, _)| self.scanner.symbol(symbol)).map(|(_, it)| it)
    }

    fn special(&mut self, path: FieldPath) -> Result<Condition, ParseError> {
        let negated = self.scanner.keyword("NOT");
        if self.scanner.keyword("NULL") {
            return Ok(Condition::Is { path, special: Special::Null, negated });
        }
        if self.scanner.keyword("NAN") {
            return Ok(Condition::Is { path, special: Special::Nan, negated });
        }
        Err(self.scanner.expected(if negated { "`NULL` or `NAN`" } else { "`NOT`, `NULL` or `NAN`" }))
    }

    fn contains(&mut self, path: FieldPath) -> Result<Condition, ParseError> {
        for (keyword, quantifier) in [("ANY", Quantifier::Any), ("ALL", Quantifier::All)] {
            if self.scanner.keyword(keyword) {
                return Ok(Condition::Contains { path, quantifier, values: self.list()? });
            }
        }
        self.scanner.keyword("VALUE");
        Ok(Condition::Contains { path, quantifier: Quantifier::Value, values: vec![self.value()?] })
    }

    fn list(&mut self) -> Result<Vec<Literal>, ParseError> {
        let close = match (self.scanner.symbol("("), self.scanner.peek().starts_with('[')) {
            (true, _) => ")",
            (false, true) if self.scanner.symbol("[") => "]",
            _ => return Err(self.scanner.expected("a list in parentheses or brackets")),
        };
        let mut values = vec![self.value()?];
        while self.scanner.symbol(",") {
            values.push(self.value()?);
        }
        if self.scanner.symbol(close) {
            Ok(values)
        } else {
            Err(self.scanner.expected(&format!("`,` or `{close}`")))
        }
    }

    fn value(&mut self) -> Result<Literal, ParseError> {
        let start = self.scanner.next_at();
        if let Some(text) = self.scanner.string()? {
            return Ok(Literal::Text(text.into()));
        }
        if self.scanner.symbol("{") {
            return self.nested(Self::object).map(Literal::Object);
        }
        if let Some(number) = self.scanner.number() {
            return finite(number, start).map(Literal::Number);
        }
        for (keyword, value) in
            [("NULL", Literal::Null), ("TRUE", Literal::Bool(true)), ("FALSE", Literal::Bool(false))]
        {
            if self.scanner.keyword(keyword) {
                return Ok(value);
            }
        }
        match self.scanner.word() {
            Some(word) => Ok(Literal::Text(word.into())),
            None => Err(self.scanner.expected("a value")),
        }
    }

    fn object(&mut self) -> Result<Map<String, Value>, ParseError> {
        let mut object = Map::new();
        while !self.scanner.symbol("}") {
            let start = self.scanner.next_at();
            let key = self.key()?;
            self.scanner.symbol(":");
            let value = self.value()?.to_json();
            self.scanner.symbol(",");
            if object.insert(key, value).is_some() {
                let help = "write each key of an object once";
                return Err(ParseError::new(
                    codes::FILTER_SYNTAX,
                    start,
                    "the object has the key twice",
                    help,
                ));
            }
        }
        Ok(object)
    }

    fn key(&mut self) -> Result<String, ParseError> {
        if let Some(key) = self.scanner.string()? {
            return Ok(key);
        }
        let rest = self.scanner.peek();
        let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(rest.len());
        match rest.get(..end) {
            Some("") | None => Err(self.scanner.expected("a key or `}`")),
            Some(key) => {
                self.scanner.at += end;
                Ok(key.to_owned())
            }
        }
    }
}

fn one_or(mut all: Vec<Condition>, together: fn(Vec<Condition>) -> Condition) -> Condition {
    if all.len() == 1 { all.pop().unwrap_or_default() } else { together(all) }
}

fn finite(text: &str, at: usize) -> Result<Number, ParseError> {
    match Number::parse(text) {
        Some(number) if number.as_f64().is_finite() => Ok(number),
        _ => {
            let message = format!("{} is not a number, or too large for one", quoted(text));
            let help = "write digits, with a point or an exponent, or put a text into double quotes";
            Err(ParseError::new(codes::FILTER_SYNTAX, at, message, help))
        }
    }
}

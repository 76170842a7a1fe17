use std::sync::Arc;

use super::{
    expression::{Expression, Function, Kind, Macro},
    parse::{Parser, Read, unexpected},
    token::Token,
    value::Value,
};

/// Reserved words.
const RESERVED: [&str; 15] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
];

impl Parser {
    /// A literal, a variable, a call, or an expression in brackets.
    pub(super) fn primary(&mut self) -> Read<Expression> {
        let token = self.tokens.next();
        let kind = match token {
            Some(Token::Int(value)) => Kind::Literal(int(value)?),
            Some(Token::Uint(value)) => Kind::Literal(Value::Uint(value)),
            Some(Token::Double(value)) => Kind::Literal(Value::Double(value)),
            Some(Token::Text(text)) => Kind::Literal(Value::Text(text)),
            Some(Token::Name(name)) => return self.named(&name),
            Some(Token::Mark(".")) => {
                let name = self.name()?;
                return self.named(&name);
            }
            Some(Token::Mark("(")) => {
                let inside = self.expression()?;
                self.expect(")")?;
                return Ok(inside);
            }
            Some(Token::Mark("[")) => Kind::List(self.list("]")?),
            Some(Token::Mark("{")) => self.map()?,
            other => return Err(unexpected(other.as_ref(), "a value")),
        };
        Expression::new(kind)
    }

    fn map(&mut self) -> Read<Kind> {
        let mut entries = Vec::new();
        while !self.take("}") {
            let key = self.expression()?;
            self.expect(":")?;
            entries.push((key, self.expression()?));
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(Kind::Map(entries))
    }

    fn named(&mut self, name: &Arc<str>) -> Read<Expression> {
        match &**name {
            "true" => return Expression::new(Kind::Literal(Value::Bool(true))),
            "false" => return Expression::new(Kind::Literal(Value::Bool(false))),
            "null" => return Expression::new(Kind::Literal(Value::Null)),
            _ if RESERVED.contains(&&**name) => return Err(format!("`{name}` is a reserved word")),
            _ => {}
        }
        if self.take("(") {
            return self.call(name);
        }
        match self.scope.iter().rev().position(|it| it == name) {
            Some(distance) => Expression::new(Kind::Variable(distance)),
            None => Err(format!("undeclared reference to '{name}'")),
        }
    }

    fn call(&mut self, name: &str) -> Read<Expression> {
        let mut arguments = self.list(")")?;
        if name == "has" {
            return match (arguments.pop().map(|it| it.kind), arguments.is_empty()) {
                (Some(Kind::Field(of, field)), true) => Expression::new(Kind::Has(of, field)),
                _ => Err("invalid argument to has() macro".to_owned()),
            };
        }
        let function = match (name, arguments.len()) {
            ("size", 1) => Function::Size,
            ("semver_compare", 2) => Function::SemverCompare,
            ("string", 1) => Function::Text,
            ("int", 1) => Function::Int,
            ("double", 1) => Function::Double,
            ("matches", 2) => Function::Matches,
            _ => return Err(unknown(name, arguments.len())),
        };
        Expression::new(Kind::Call(function, arguments))
    }

    /// The rest of `of.name(`.
    pub(super) fn method(&mut self, of: Expression, name: &str) -> Read<Expression> {
        if let Some(requested) = macro_named(name) {
            return self.each(of, requested);
        }
        let arguments = self.list(")")?;
        let function = match (name, arguments.len()) {
            ("size", 0) => Function::Size,
            ("startsWith", 1) => Function::StartsWith,
            ("endsWith", 1) => Function::EndsWith,
            ("contains", 1) => Function::Contains,
            ("matches", 1) => Function::Matches,
            _ => return Err(unknown(name, arguments.len())),
        };
        let arguments = std::iter::once(of).chain(arguments).collect();
        Expression::new(Kind::Call(function, arguments))
    }

    fn each(&mut self, of: Expression, requested: Macro) -> Read<Expression> {
        let variable = self.name()?;
        self.expect(",")?;
        self.scope.push(variable);
        let item_expressions = self.list(")");
        self.scope.pop();
        let item_expressions = item_expressions?;
        match (requested, item_expressions.len()) {
            (_, 1) | (Macro::Map, 2) => {
                Expression::new(Kind::Macro(requested, Box::new(of), item_expressions))
            }
            _ => Err("a macro requires a name and an expression".to_owned()),
        }
    }
}

fn macro_named(name: &str) -> Option<Macro> {
    Some(match name {
        "all" => Macro::All,
        "exists" => Macro::Exists,
        "exists_one" => Macro::ExistsOne,
        "filter" => Macro::Filter,
        "map" => Macro::Map,
        _ => return None,
    })
}

fn int(value: u64) -> Read<Value> {
    let int = i64::try_from(value).map(Value::Int);
    int.map_err(|_| format!("`{value}` is not a number that can be read"))
}

fn unknown(name: &str, count: usize) -> String {
    let arguments = if count == 1 { "argument" } else { "arguments" };
    format!("there is no function `{name}` with {count} {arguments}")
}

use model::Data;

use crate::{
    Problem,
    lexer::{Lexeme, Token},
    tree::{Call, CallTarget, Head, HeadName, Node, NodeKind, TextPart},
};

use super::{Parser, Result, short};

/// Keywords of Ruby that begin something that is not an expression here.
const KEYWORDS: [&str; 26] = [
    "if", "unless", "while", "until", "case", "begin", "def", "class", "module", "for", "do", "end", "then",
    "lambda", "proc", "defined?", "yield", "self", "super", "return", "not", "and", "or", "raise", "require",
    "loop",
];

impl Parser<'_> {
    /// The receiver of calls.
    pub(super) fn operand(&mut self) -> Result<Node> {
        let next = self.peek();
        match next.token {
            Token::Number => self.number(),
            Token::Quote(quote) => self.quoted(quote),
            Token::Symbol => Ok(self.symbol()),
            Token::Sign("[") => self.list(),
            Token::Sign("{") => self.map(),
            Token::Sign("(") => self.parenthesis(),
            Token::Name => self.named(),
            Token::Constant if self.word(next.at) == "JSON" => self.json(),
            Token::Constant => {
                Err(Problem::unsupported(next.at, format_args!("`{}`", short(self.word(next.at)))))
            }
            _ => Err(self.expected("a value")),
        }
    }

    /// `JSON.dump(value)` and `JSON.generate(value)`, which are `value.to_json`.
    fn json(&mut self) -> Result<Node> {
        let constant = self.take().at;
        self.need(".")?;
        let (name, at) = self.method_name()?;
        if !matches!(&*name, "dump" | "generate") {
            return Err(Problem::unsupported(constant.to(at), format_args!("`JSON.{}`", short(&name))));
        }
        let [value]: [Node; 1] = match self.positional(&name, (1, 1))?.try_into() {
            Ok(value) => value,
            Err(_) => return Err(self.expected("a value")),
        };
        let at = constant.to(self.last_end(at));
        let what =
            CallTarget::Method { name: "to_json".into(), args: Vec::new(), named: Vec::new(), block: None };
        Ok(Node { at, kind: NodeKind::Chain(Box::new(value), vec![Call { at, what, safe: false }]) })
    }

    fn symbol(&mut self) -> Node {
        let at = self.take().at;
        let part = TextPart::Literal(self.word(at).trim_start_matches(':').into());
        Node { at, kind: NodeKind::Text(vec![part]) }
    }

    fn number(&mut self) -> Result<Node> {
        let at = self.take().at;
        let digits = self.word(at).replace('_', "");
        let octal = digits.len() > 1 && digits.starts_with('0');
        let data = match digits.parse::<i64>() {
            Ok(_) if octal => None,
            Ok(number) => Some(Data::Int(number)),
            Err(_) if digits.contains('.') => syntax::decimal(&digits).map(Data::Float),
            Err(_) => None,
        };
        let literal = data.ok_or_else(|| Problem::unsupported(at, "such a number"))?;
        Ok(Node { at, kind: NodeKind::Literal(literal) })
    }

    fn list(&mut self) -> Result<Node> {
        let open = self.take().at;
        let items = self.loosely(|it| it.separated("]", Self::expression))?;
        let close = self.close("]")?;
        Ok(Node { at: open.to(close), kind: NodeKind::List(items) })
    }

    fn map(&mut self) -> Result<Node> {
        let open = self.take().at;
        let entries = self.loosely(|it| it.separated("}", Self::entry))?;
        let close = self.close("}")?;
        Ok(Node { at: open.to(close), kind: NodeKind::Map(entries) })
    }

    fn entry(&mut self) -> Result<(Node, Node)> {
        if let Some((key, at)) = self.label() {
            let key = Node { at, kind: NodeKind::Text(vec![TextPart::Literal(key)]) };
            return Ok((key, self.expression()?));
        }
        let key = self.expression()?;
        self.need("=>")?;
        Ok((key, self.expression()?))
    }

    fn parenthesis(&mut self) -> Result<Node> {
        let open = self.take().at;
        let inner = self.loosely(Self::expression)?;
        let close = self.close(")")?;
        Ok(Node { at: open.to(close), kind: inner.kind })
    }

    fn named(&mut self) -> Result<Node> {
        let next = self.peek();
        let word = self.word(next.at);
        let literal = match word {
            "nil" => Data::Null,
            "true" => Data::Bool(true),
            "false" => Data::Bool(false),
            _ if self.names.has(word) => return Ok(self.local()),
            _ => return self.head(next),
        };
        self.take();
        Ok(Node { at: next.at, kind: NodeKind::Literal(literal) })
    }

    fn local(&mut self) -> Node {
        let at = self.take().at;
        Node { at, kind: NodeKind::Local(self.word(at).into()) }
    }

    fn head(&mut self, next: Lexeme) -> Result<Node> {
        let word = self.word(next.at);
        let Some(name) = HeadName::named(word) else { return Err(unknown_word(next, word)) };
        self.take();
        let args = self.arguments(name.arity().1 > 0)?;
        args.count(next.at, word, name.arity())?;
        args.no_named(next.at, word)?;
        let block = match args.block {
            None if name.may_be_absent() => self.block(word)?,
            Some(_) if !name.may_be_absent() => {
                return Err(Problem::syntax(next.at, format!("`{word}` takes no block")));
            }
            given => given,
        };
        let head = Head { name, args: args.list, block };
        Ok(Node { at: next.at.to(self.last_end(next.at)), kind: NodeKind::Head(Box::new(head)) })
    }
}

fn unknown_word(next: Lexeme, word: &str) -> Problem {
    let word = short(word);
    if KEYWORDS.contains(&word.as_str()) {
        return Problem::unsupported(next.at, format_args!("`{word}`"));
    }
    let what = format_args!("`{word}` is neither a variable nor link, if_link, p, if_p, properties or spec");
    Problem::unsupported(next.at, what)
}

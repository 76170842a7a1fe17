use std::sync::Arc;

use diag::Span;
use syntax::{Node, NodeData, Style};

/// A constraint as a call: `required("odf-operator", ">= 3.1.0", "stable")`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Vec<Argument>,
}

/// One argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Argument {
    pub(super) text: Arc<str>,
    /// The place where it is written, with its quotes; the whole call if that is quoted and has escapes.
    pub(super) span: Span,
    /// True if it can be replaced by a text in double quotes.
    pub(super) is_replaceable: bool,
}

impl Call {
    /// Reads a text node as a call; the error is a description of the problem.
    pub(super) fn read(node: &Node, source: &str) -> Result<Self, String> {
        let NodeData::String(value, style) = &node.data else {
            return Err("this is not a call".to_owned());
        };
        let start = node.span.start as usize;
        let raw = source.get(start..node.span.end as usize).unwrap_or_default();
        let (text, offset) = match style {
            Style::Plain => (raw, Some(start)),
            Style::SingleQuoted | Style::DoubleQuoted
                if raw.get(1..raw.len().saturating_sub(1)) == Some(value) =>
            {
                (&**value, Some(start + 1))
            }
            _ => (&**value, None),
        };
        let is_replaceable = *style == Style::Plain;
        Reader { text, at: 0, offset, node, is_replaceable }.call()
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The offset of the text in its file, if it is written there literally.
    offset: Option<usize>,
    node: &'a Node,
    is_replaceable: bool,
}

impl Reader<'_> {
    fn call(mut self) -> Result<Call, String> {
        self.spaces();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        self.at += end;
        if name.is_empty() || !self.eat('(') {
            return Err("a constraint is a call such as `required(\"name\", \">= 1.0.0\")`".to_owned());
        }
        let arguments = self.arguments()?;
        if !self.rest().is_empty() {
            return Err(format!("unexpected text after the call: `{}`", self.rest()));
        }
        Ok(Call { name, arguments })
    }

    fn arguments(&mut self) -> Result<Vec<Argument>, String> {
        let mut found = Vec::new();
        if self.eat(')') {
            return Ok(found);
        }
        loop {
            found.push(self.argument()?);
            if self.eat(')') {
                return Ok(found);
            }
            if !self.eat(',') {
                return Err("the call is not closed: `)` or `,` is missing".to_owned());
            }
        }
    }

    fn argument(&mut self) -> Result<Argument, String> {
        self.spaces();
        let start = self.at;
        let quote = self.rest().chars().next().filter(|it| ['"', '\''].contains(it));
        let text = match quote {
            Some(quote) => {
                let inside = &self.rest()[1..];
                let end = inside
                    .find(quote)
                    .ok_or_else(|| "a string is not closed: its quote is missing".to_owned())?;
                let text = inside[..end].to_owned();
                self.at += end + 2;
                text
            }
            None => {
                let end = self.rest().find([',', ')']).unwrap_or(self.rest().len());
                let text = self.rest()[..end].trim_end().to_owned();
                self.at += text.len();
                text
            }
        };
        let span = match self.offset {
            Some(offset) => {
                Span::new(self.node.span.file, (offset + start) as u32, (offset + self.at) as u32)
            }
            None => self.node.span,
        };
        self.spaces();
        Ok(Argument { text: text.into(), span, is_replaceable: self.is_replaceable })
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn spaces(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, c: char) -> bool {
        self.spaces();
        let is_there = self.rest().starts_with(c);
        if is_there {
            self.at += c.len_utf8();
            self.spaces();
        }
        is_there
    }
}

//! Evaluates expressions.

mod block;
mod effort;
mod head;
mod index;
mod link;
mod list;
mod map;
mod method;
mod operators;
mod variables;
mod words;

pub(super) use link::INSTANCE;

use std::sync::Arc;

use litemap::LiteMap;
use model::Data;

use super::{
    ByteRange, Problem, Scope,
    runtime_value::{Role, RuntimeValue},
    tree::{Call, CallTarget, Node, NodeKind, TextPart},
    write::{Form, Writer},
};

pub(super) type Result<T> = std::result::Result<T, Problem>;

/// The interpreter of one text, with its variables and a count of its steps.
#[derive(Debug)]
pub(super) struct Machine<'a> {
    pub(super) scope: Scope<'a>,
    /// One map for each open block. A variable whose value failed keeps the problem.
    frames: Vec<LiteMap<Arc<str>, Result<RuntimeValue<'a>>>>,
    steps: usize,
}

impl<'a> Machine<'a> {
    pub(super) fn new(scope: Scope<'a>) -> Self {
        Self { scope, frames: vec![LiteMap::new()], steps: 0 }
    }

    pub(super) fn value(&self, data: Data) -> RuntimeValue<'a> {
        RuntimeValue::new(data, self.scope.origin)
    }

    pub(super) fn nil(&self) -> RuntimeValue<'a> {
        self.value(Data::Null)
    }

    /// The value that `else` replaces.
    pub(super) fn absent(&self) -> RuntimeValue<'a> {
        self.nil().with_role(Role::Absent)
    }

    pub(super) fn evaluate(&mut self, node: &Node) -> Result<RuntimeValue<'a>> {
        self.work(1, node.at)?;
        match &node.kind {
            NodeKind::Literal(data) => Ok(self.value(data.clone())),
            NodeKind::Text(parts) => self.text(parts, node.at),
            NodeKind::List(items) => {
                let items = self.all(items)?;
                self.list(items, node.at)
            }
            NodeKind::Map(entries) => self.entries(entries, node.at),
            NodeKind::Local(name) => self.variable(name),
            NodeKind::Head(head) => self.head(head, node.at),
            NodeKind::Chain(head, calls) => {
                let head = self.evaluate(head)?;
                calls.iter().try_fold(head, |on, call| self.call(on, call))
            }
            NodeKind::Not(inner) => self.not(inner),
            NodeKind::Minus(inner) => self.minus(inner),
            NodeKind::Binary(first, others) => self.binary(first, others),
            NodeKind::Choice(parts) => {
                let [test, yes, no] = &**parts;
                let yes = if self.truth(test)? { yes } else { no };
                self.evaluate(yes)
            }
        }
    }

    pub(super) fn all(&mut self, nodes: &[Node]) -> Result<Vec<RuntimeValue<'a>>> {
        nodes.iter().map(|node| self.evaluate(node)).collect()
    }

    fn text(&mut self, parts: &[TextPart], at: ByteRange) -> Result<RuntimeValue<'a>> {
        if let [TextPart::Literal(text)] = parts {
            return Ok(self.value(Data::String(text.clone())));
        }
        let mut writer = Writer::new(at);
        for part in parts {
            match part {
                TextPart::Literal(text) => writer.text(text)?,
                TextPart::Code(node) => writer.runtime_value(&self.evaluate(node)?, Form::Text)?,
            }
        }
        self.written(writer, at)
    }

    /// The text of a writer; its length is counted as work.
    pub(super) fn written(&mut self, writer: Writer, at: ByteRange) -> Result<RuntimeValue<'a>> {
        self.work(writer.size() / 16, at)?;
        Ok(RuntimeValue::own(writer.finish(self.scope.origin)))
    }

    /// A list of values.
    pub(super) fn list(&mut self, values: Vec<RuntimeValue<'a>>, at: ByteRange) -> Result<RuntimeValue<'a>> {
        let mut items = Vec::with_capacity(values.len());
        for value in values {
            self.weigh(&value, at)?;
            items.push(value.into_value());
        }
        Ok(self.value(Data::List(items)))
    }

    fn entries(&mut self, entries: &[(Node, Node)], at: ByteRange) -> Result<RuntimeValue<'a>> {
        let mut map = model::Map::new();
        for (key, value) in entries {
            let key_at = key.at;
            let key = self.evaluate(key)?;
            key.decide(key_at)?;
            if key.is_unknown() {
                return Err(Problem::unknown(key_at, "what this key is"));
            }
            let Data::String(key) = key.data() else {
                return Err(Problem::unsupported(key_at, "a map whose keys are not text"));
            };
            let value = self.evaluate(value)?;
            self.weigh(&value, at)?;
            map.insert(key.clone(), value.into_value());
        }
        Ok(self.value(Data::Map(map)))
    }

    fn call(&mut self, on: RuntimeValue<'a>, call: &Call) -> Result<RuntimeValue<'a>> {
        self.work(1, call.at)?;
        if on.role == Role::Absent
            && !matches!(&call.what, CallTarget::Method { name, .. } if &**name == "else")
        {
            return Ok(on);
        }
        if call.safe && on.is_nil() {
            return Ok(on);
        }
        match &call.what {
            CallTarget::Index(index) => {
                let index = self.evaluate(index)?;
                self.index(&on, &index, call.at)
            }
            CallTarget::Name(name) => self.key(&on, name, call.at),
            CallTarget::Method { name, args, named, block } => self.method(
                on,
                name,
                method::CallArguments { args, named, block: block.as_ref(), at: call.at },
            ),
        }
    }
}

/// The kind of a value, for messages.
pub(super) fn kind(value: &RuntimeValue<'_>) -> &'static str {
    match (value.role, value.data()) {
        (Role::Link(_), _) => "a link",
        (Role::Instance, _) => "an instance",
        (Role::Instances, _) => "a list of instances",
        (_, Data::Null) => "nil",
        (_, Data::Bool(_)) => "true or false",
        (_, Data::Int(_) | Data::Float(_)) => "a number",
        (_, Data::String(_)) => "text",
        (_, Data::List(_)) => "a list",
        (_, Data::Map(_)) => "a map",
        (_, Data::Unknown(_)) => "a value that is not known yet",
    }
}

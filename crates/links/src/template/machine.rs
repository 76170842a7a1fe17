//! Evaluates expressions.

mod block;
mod head;
mod link;
mod list;
mod map;
mod method;
mod operators;
mod words;

pub(super) use link::INSTANCE;

use std::{collections::BTreeMap, sync::Arc};

use model::{Data, Step, Value};

use super::{
    Place, Problem, Scope,
    thing::{Role, Thing},
    tree::{Call, Node, NodeKind, Operator, TextPart, What},
    write::{Form, Writer},
};

pub(super) type Result<T> = std::result::Result<T, Problem>;

/// How much is done for one text: about a second at worst.
const MAX_STEPS: usize = 1_000_000;

/// How deep a value that is put together may be.
const MAX_VALUE_DEPTH: usize = 200;

/// What runs one text: its variables, and how much was done.
#[derive(Debug)]
pub(super) struct Machine<'a> {
    pub(super) scope: Scope<'a>,
    /// One map for each block that is open. A variable whose value failed keeps the problem.
    frames: Vec<BTreeMap<Arc<str>, Result<Thing<'a>>>>,
    steps: usize,
}

impl<'a> Machine<'a> {
    pub(super) fn new(scope: Scope<'a>) -> Self {
        Self { scope, frames: vec![BTreeMap::new()], steps: 0 }
    }

    /// Counts work; `at` is where it is too much.
    pub(super) fn work(&mut self, steps: usize, at: Place) -> Result<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS {
            return Err(Problem::limit(at, "this is too much work for a preview"));
        }
        Ok(())
    }

    pub(super) fn enter(&mut self) {
        self.frames.push(BTreeMap::new());
    }

    pub(super) fn leave(&mut self) {
        self.frames.pop();
    }

    /// Sets a variable of the innermost block.
    pub(super) fn declare(&mut self, name: &Arc<str>, thing: Thing<'a>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.insert(name.clone(), Ok(thing));
        }
    }

    /// Sets a variable where it is, or else in the innermost block.
    pub(super) fn assign(&mut self, name: &Arc<str>, to: Result<Thing<'a>>) {
        let known = self.frames.iter().rposition(|frame| frame.contains_key(name));
        let frame = known.unwrap_or(self.frames.len().saturating_sub(1));
        if let Some(frame) = self.frames.get_mut(frame) {
            frame.insert(name.clone(), to);
        }
    }

    /// A variable; nil where it was not set, as in Ruby.
    pub(super) fn variable(&self, name: &str) -> Result<Thing<'a>> {
        let known = self.frames.iter().rev().find_map(|frame| frame.get(name));
        known.cloned().unwrap_or_else(|| Ok(self.nil()))
    }

    /// What a variable becomes when something is added to its list or text.
    pub(super) fn append(&mut self, name: &str, new: Thing<'a>, at: Place) -> Result<Thing<'a>> {
        let old = self.variable(name)?;
        if old.value().as_list().is_none() {
            return self.operate(&old, Operator::Plus, &new, at);
        }
        self.weigh(&new, at)?;
        // Nobody else holds the list while it grows, so that it need not be copied.
        let role = old.role;
        drop(old);
        let list = self.take(name)?;
        if list.is_shared() {
            self.weigh(&list, at)?;
        }
        let mut list = list.into_value();
        if let Data::List(items) = &mut list.data {
            items.push(new.into_value());
        }
        Ok(Thing::own(list).with_role(role))
    }

    /// Takes a variable's value away.
    fn take(&mut self, name: &str) -> Result<Thing<'a>> {
        let nil = self.nil();
        let known = self.frames.iter_mut().rev().find_map(|frame| frame.get_mut(name));
        known.map_or(Ok(nil.clone()), |known| std::mem::replace(known, Ok(nil)))
    }

    pub(super) fn thing(&self, data: Data) -> Thing<'a> {
        Thing::new(data, self.scope.origin)
    }

    pub(super) fn nil(&self) -> Thing<'a> {
        self.thing(Data::Null)
    }

    /// What `else` reacts to.
    pub(super) fn absent(&self) -> Thing<'a> {
        self.nil().with_role(Role::Absent)
    }

    pub(super) fn evaluate(&mut self, node: &Node) -> Result<Thing<'a>> {
        self.work(1, node.at)?;
        match &node.kind {
            NodeKind::Literal(data) => Ok(self.thing(data.clone())),
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

    pub(super) fn all(&mut self, nodes: &[Node]) -> Result<Vec<Thing<'a>>> {
        nodes.iter().map(|node| self.evaluate(node)).collect()
    }

    fn text(&mut self, parts: &[TextPart], at: Place) -> Result<Thing<'a>> {
        match parts {
            [] => return Ok(self.thing(Data::String("".into()))),
            [TextPart::Literal(text)] => return Ok(self.thing(Data::String(text.clone()))),
            _ => {}
        }
        let mut writer = Writer::new(at);
        for part in parts {
            match part {
                TextPart::Literal(text) => writer.text(text)?,
                TextPart::Code(node) => writer.thing(&self.evaluate(node)?, Form::Text)?,
            }
        }
        self.written(writer, at)
    }

    /// What was written, its length counted as work.
    pub(super) fn written(&mut self, writer: Writer, at: Place) -> Result<Thing<'a>> {
        self.work(writer.size() / 16, at)?;
        Ok(Thing::own(writer.finish(self.scope.origin)))
    }

    /// A list of things.
    pub(super) fn list(&mut self, things: Vec<Thing<'a>>, at: Place) -> Result<Thing<'a>> {
        let mut items = Vec::with_capacity(things.len());
        for thing in things {
            self.weigh(&thing, at)?;
            items.push(thing.into_value());
        }
        Ok(self.thing(Data::List(items)))
    }

    fn entries(&mut self, entries: &[(Node, Node)], at: Place) -> Result<Thing<'a>> {
        let mut map = model::Map::new();
        for (key, value) in entries {
            let key_at = key.at;
            let key = self.evaluate(key)?;
            let Data::String(key) = key.data() else {
                return Err(Problem::unsupported(key_at, "a map whose keys are no text"));
            };
            let value = self.evaluate(value)?;
            self.weigh(&value, at)?;
            map.insert(key.clone(), value.into_value());
        }
        Ok(self.thing(Data::Map(map)))
    }

    /// Counts what it costs to copy a value, and refuses to put values into each other without end.
    pub(super) fn weigh(&mut self, thing: &Thing<'_>, at: Place) -> Result<()> {
        let weight = weight(thing.value(), MAX_VALUE_DEPTH);
        let weight = weight.ok_or_else(|| Problem::limit(at, "this value is nested too deep"))?;
        self.work(weight, at)
    }

    fn call(&mut self, on: Thing<'a>, call: &Call) -> Result<Thing<'a>> {
        self.work(1, call.at)?;
        if on.role == Role::Absent && !matches!(&call.what, What::Method { name, .. } if &**name == "else") {
            return Ok(on);
        }
        if call.safe && on.is_nil() {
            return Ok(on);
        }
        match &call.what {
            What::Index(index) => {
                let index = self.evaluate(index)?;
                self.index(&on, &index, call.at)
            }
            What::Name(name) => self.key(&on, name, call.at),
            What::Method { name, args, named, block } => {
                self.method(on, name, method::Given { args, named, block: block.as_ref(), at: call.at })
            }
        }
    }

    fn index(&self, on: &Thing<'a>, index: &Thing<'a>, at: Place) -> Result<Thing<'a>> {
        let step = match (on.data(), index.data()) {
            (Data::Map(_) | Data::Unknown(_), Data::String(key)) => Step::Key(key.clone()),
            (Data::List(items), Data::Int(nth)) => match place(*nth, items.len()) {
                Some(nth) => Step::Index(nth),
                None => return Ok(self.nil()),
            },
            (Data::Unknown(_), Data::Int(nth)) if *nth >= 0 => {
                Step::Index(usize::try_from(*nth).unwrap_or(usize::MAX))
            }
            (_, Data::Unknown(_)) => return Err(Problem::unknown(at, "what stands in `[…]`")),
            (_, _) => {
                let message = format!("`[…]` with {} asks nothing of {}", kind(index), kind(on));
                return Err(Problem::mismatch(at, message));
            }
        };
        if on.is_unknown() {
            return on.child(&step).ok_or_else(|| Problem::unknown(at, "what is in this text"));
        }
        Ok(on.child(&step).unwrap_or_else(|| self.nil().tainted(on.sensitive)))
    }
}

/// An index that may count from the end.
fn place(nth: i64, count: usize) -> Option<usize> {
    match usize::try_from(nth) {
        Ok(nth) => Some(nth),
        Err(_) => count.checked_sub(usize::try_from(nth.unsigned_abs()).ok()?),
    }
}

/// How much work a copy is; `None` if it is deeper than `depth`.
fn weight(value: &Value, depth: usize) -> Option<usize> {
    let depth = depth.checked_sub(1)?;
    match &value.data {
        Data::List(items) => items.iter().try_fold(1, |sum, item| Some(sum + weight(item, depth)?)),
        Data::Map(map) => map.values().try_fold(1, |sum, item| Some(sum + 1 + weight(item, depth)?)),
        Data::Unknown(expression) => Some(1 + expression.parts.len()),
        Data::Null | Data::Bool(_) | Data::Int(_) | Data::Float(_) | Data::String(_) => Some(1),
    }
}

/// What a thing is, for messages.
pub(super) fn kind(thing: &Thing<'_>) -> &'static str {
    match (thing.role, thing.data()) {
        (Role::Link(_), _) => "a link",
        (Role::Instance, _) => "an instance",
        (Role::Instances, _) => "a list of instances",
        (_, Data::Null) => "nil",
        (_, Data::Bool(_)) => "true or false",
        (_, Data::Int(_) | Data::Float(_)) => "a number",
        (_, Data::String(_)) => "text",
        (_, Data::List(_)) => "a list",
        (_, Data::Map(_)) => "a map",
        (_, Data::Unknown(_)) => "what is known only later",
    }
}

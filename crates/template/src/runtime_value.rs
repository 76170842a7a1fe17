use std::{rc::Rc, sync::Arc};

use model::{Data, Expression, Origin, Part, Reference, Step, Value};

use super::{ByteRange, Problem, placeholder::open_text};

/// A value while an expression is evaluated; it is cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct RuntimeValue<'a> {
    held: Held<'a>,
    pub(super) role: Role<'a>,
    /// True if it is sensitive, possibly because of the value that it was taken from.
    pub(super) sensitive: bool,
}

#[derive(Clone, Debug)]
enum Held<'a> {
    Lent(&'a Value),
    Own(Rc<Value>),
}

/// The role of a value, which determines the methods that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role<'a> {
    Plain,
    /// The result of `if_link` or `if_p` if there is none: every call on it gives the same, except `else`.
    Absent,
    /// A link, by its name.
    Link(&'a str),
    /// A list of instances.
    Instances,
    Instance,
    /// Properties, whose keys are read with a dot; missing ones are nil.
    Properties,
}

impl<'a> Role<'a> {
    /// The role of a part of the value.
    pub(super) const fn inside(self) -> Self {
        match self {
            Self::Instances => Self::Instance,
            Self::Properties => Self::Properties,
            Self::Plain | Self::Absent | Self::Link(_) | Self::Instance => Self::Plain,
        }
    }
}

impl<'a> RuntimeValue<'a> {
    pub(super) const fn lent(value: &'a Value) -> Self {
        Self { sensitive: value.sensitive, held: Held::Lent(value), role: Role::Plain }
    }

    pub(super) fn own(value: Value) -> Self {
        Self { sensitive: value.sensitive, held: Held::Own(Rc::new(value)), role: Role::Plain }
    }

    pub(super) fn new(data: Data, origin: Origin) -> Self {
        Self::own(Value::new(data, origin))
    }

    pub(super) const fn with_role(mut self, role: Role<'a>) -> Self {
        self.role = role;
        self
    }

    /// The same value, also sensitive if `sensitive`.
    pub(super) const fn tainted(mut self, sensitive: bool) -> Self {
        self.sensitive |= sensitive;
        self
    }

    pub(super) fn data(&self) -> &Data {
        &self.value().data
    }

    pub(super) fn value(&self) -> &Value {
        match &self.held {
            Held::Lent(value) => value,
            Held::Own(value) => value,
        }
    }

    /// The value; nothing is copied if there is no other reference to it.
    pub(super) fn into_value(self) -> Value {
        let sensitive = self.sensitive;
        let value = match self.held {
            Held::Lent(value) => value.clone(),
            Held::Own(value) => Rc::unwrap_or_clone(value),
        };
        Value { sensitive: sensitive || value.sensitive, ..value }
    }

    /// True if it was created here, so that taking parts of it copies them.
    pub(super) const fn is_own(&self) -> bool {
        matches!(self.held, Held::Own(_))
    }

    /// True if there is another reference to the value.
    pub(super) fn is_shared(&self) -> bool {
        match &self.held {
            Held::Lent(_) => true,
            Held::Own(value) => Rc::strong_count(value) > 1,
        }
    }

    pub(super) fn is_nil(&self) -> bool {
        matches!(self.data(), Data::Null)
    }

    pub(super) fn is_unknown(&self) -> bool {
        matches!(self.data(), Data::Unknown(_))
    }

    /// The text with placeholders of BOSH, if it is one.
    pub(super) fn open_text(&self) -> Option<&str> {
        match self.data() {
            Data::Unknown(expression) => open_text(expression),
            _ => None,
        }
    }

    /// Refuses a sensitive value: a decision on it would reveal it.
    pub(super) fn decide(&self, at: ByteRange) -> Result<(), Problem> {
        if self.sensitive { Err(Problem::hidden(at)) } else { Ok(()) }
    }

    /// Refuses a value that is sensitive or contains a sensitive one.
    pub(super) fn decide_on_all(&self, at: ByteRange) -> Result<(), Problem> {
        if self.sensitive || hides(self.value()) { Err(Problem::hidden(at)) } else { Ok(()) }
    }

    /// The value at one step of it, if there is one. Below a reference, it is a longer reference.
    pub(super) fn child(&self, step: &Step) -> Option<Self> {
        let child = match &self.held {
            Held::Lent(value) => match pick(value, step) {
                Some(child) => Self::lent(child),
                None => Self::own(below(value, step)?),
            },
            Held::Own(value) => Self::own(pick(value, step).cloned().or_else(|| below(value, step))?),
        };
        Some(child.tainted(self.sensitive).with_role(self.role.inside()))
    }

    /// The elements of a list; of a map its keys and values, in pairs.
    pub(super) fn elements(&self) -> Option<Vec<Self>> {
        let count = match self.data() {
            Data::List(items) => items.len(),
            Data::Map(map) => {
                let pair = |(key, value): (&Arc<str>, &Value)| {
                    let key = Value { data: Data::String(key.clone()), ..value.clone() };
                    let value = Value { data: Data::List(vec![key, value.clone()]), ..*value };
                    Self::own(value).tainted(self.sensitive)
                };
                return Some(map.iter().map(pair).collect());
            }
            _ => return None,
        };
        Some((0..count).filter_map(|at| self.child(&Step::Index(at))).collect())
    }
}

fn pick<'v>(value: &'v Value, step: &Step) -> Option<&'v Value> {
    match (&value.data, step) {
        (Data::Map(map), Step::Key(key)) => map.get(key),
        (Data::List(items), Step::Index(at)) => items.get(*at),
        _ => None,
    }
}

fn hides(value: &Value) -> bool {
    value.sensitive
        || match &value.data {
            Data::List(items) => items.iter().any(hides),
            Data::Map(map) => map.values().any(hides),
            _ => false,
        }
}

/// A part of a value that is only known by a reference.
fn below(value: &Value, step: &Step) -> Option<Value> {
    let Data::Unknown(Expression { parts }) = &value.data else { return None };
    let [Part::Reference(whole)] = &parts[..] else { return None };
    let mut path = whole.path.clone();
    path.push(step.clone());
    let text = match step {
        Step::Key(key) => format!("{}.{}", whole.text, quoted(key)),
        Step::Index(at) => format!("{}[{at}]", whole.text),
    };
    let part = Part::Reference(Reference { path, text: text.into(), ..whole.clone() });
    Some(Value { data: Data::Unknown(Expression { parts: vec![part] }), ..*value })
}

/// A key as it is written in a reference.
fn quoted(key: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !key.is_empty() && key.chars().all(plain) {
        return key.to_owned();
    }
    format!("\"{}\"", key.replace('\\', "\\\\").replace('"', "\\\""))
}

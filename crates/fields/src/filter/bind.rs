use std::{fmt, sync::Arc};

use serde_json::Value;

use super::{CompareOperator, Condition, Filter, Literal, Quantifier, Special};
use crate::{
    FieldPath, MessageType, NameMatcher, Number, ParseError, codes,
    compare::{Absent, Key, ValueType},
    error::quoted,
    schema::{Cardinality, Field, Meaning},
};

/// A filter that is ready to be evaluated for many values.
pub struct Selector<'a> {
    pub(super) root: Node<'a>,
    pub(super) names: &'a dyn NameMatcher,
}

impl fmt::Debug for Selector<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Selector").finish_non_exhaustive()
    }
}

pub(super) enum Node<'a> {
    All,
    And(Vec<Self>),
    Or(Vec<Self>),
    Not(Box<Self>),
    Leaf(Leaf<'a>),
}

/// A test of a field.
pub(super) struct Leaf<'a> {
    /// The condition that it was bound from.
    pub(super) source: &'a Condition,
    pub(super) place: Place<'a>,
    pub(super) test: Test<'a>,
}

/// The properties of a field.
#[derive(Clone)]
pub(super) struct Place<'a> {
    pub(super) path: FieldPath,
    pub(super) ty: ValueType<'a>,
    pub(super) absent: Absent,
    pub(super) many_at: Option<usize>,
    pub(super) key_at: Option<usize>,
    /// It has names, of this kind if it is known.
    pub(super) name: Option<Option<Arc<str>>>,
    pub(super) is_typed: bool,
    holds: Holds,
}

/// The number of values that a field has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// One, or it is not known.
    One,
    List,
    Map,
}

pub(super) enum Test<'a> {
    Equals { keys: Vec<Key<'a>>, or_null: bool, negated: bool },
    Order { operator: CompareOperator, key: Key<'a> },
    Is { special: Special, negated: bool },
    Contains { keys: Vec<Key<'a>>, all: bool },
    Like(&'a str),
}

impl Filter {
    /// Prepares the filter for messages of a type, or for any values.
    ///
    /// # Errors
    /// With a type: `fields/unknown-field` for a field that it does not have, and `fields/filter-type` for a value that the
    /// field cannot have. The byte is 0, because a filter does not remember its text.
    pub fn bind<'a>(
        &'a self,
        of: Option<MessageType<'a>>,
        names: &'a dyn NameMatcher,
    ) -> Result<Selector<'a>, ParseError> {
        Ok(Selector { root: node(&self.root, of)?, names })
    }

    /// True if it is true for a value, of which nothing is known.
    pub fn selects(&self, value: &Value) -> bool {
        self.bind(None, &crate::BySegment).is_ok_and(|it| it.selects(value))
    }
}

fn node<'a>(condition: &'a Condition, of: Option<MessageType<'a>>) -> Result<Node<'a>, ParseError> {
    let nodes = |all: &'a [Condition]| all.iter().map(|it| node(it, of)).collect::<Result<Vec<_>, _>>();
    Ok(match condition {
        Condition::All => Node::All,
        Condition::And(all) => Node::And(nodes(all)?),
        Condition::Or(all) => Node::Or(nodes(all)?),
        Condition::Not(inner) => Node::Not(Box::new(node(inner, of)?)),
        Condition::Compare { path, value, operator } => {
            leaf(condition, path, std::slice::from_ref(value), of, |keys| match operator {
                CompareOperator::Equal => equals(keys, false),
                CompareOperator::NotEqual => equals(keys, true),
                _ => Test::Order { operator: *operator, key: keys.into_iter().next().unwrap_or(Key::Null) },
            })?
        }
        Condition::In { path, values, negated } => {
            leaf(condition, path, values, of, |keys| equals(keys, *negated))?
        }
        Condition::Contains { path, values, quantifier } => {
            let all = *quantifier == Quantifier::All;
            leaf(condition, path, values, of, |keys| Test::Contains { keys, all })?
        }
        Condition::Is { path, special, negated } => {
            let test = Test::Is { special: *special, negated: *negated };
            leaf(condition, path, &[], of, |_| test)?
        }
        Condition::Like { path, pattern } => leaf(condition, path, &[], of, |_| Test::Like(pattern))?,
    })
}

fn equals(keys: Vec<Key<'_>>, negated: bool) -> Test<'_> {
    let or_null = keys.contains(&Key::Null);
    Test::Equals { keys: keys.into_iter().filter(|it| *it != Key::Null).collect(), or_null, negated }
}

fn leaf<'a>(
    source: &'a Condition,
    path: &FieldPath,
    values: &'a [Literal],
    of: Option<MessageType<'a>>,
    test: impl FnOnce(Vec<Key<'a>>) -> Test<'a>,
) -> Result<Node<'a>, ParseError> {
    let place = Place::new(path, values, of)?;
    place.check(source)?;
    let keys = values.iter().map(|it| place.key(it)).collect::<Result<_, _>>()?;
    Ok(Node::Leaf(Leaf { source, place, test: test(keys) }))
}

impl<'a> Place<'a> {
    fn new(path: &FieldPath, values: &[Literal], of: Option<MessageType<'a>>) -> Result<Self, ParseError> {
        let Some(of) = of else {
            return Ok(Self::untyped(path, values));
        };
        let end = path.resolve(of)?;
        let ty = if end.field_is_map() { ValueType::Text } else { ValueType::of(end.field, of) };
        let holds = match end.field.cardinality {
            Cardinality::Repeated if !end.is_element => Holds::List,
            Cardinality::Map(_) if !end.is_element => Holds::Map,
            _ => Holds::One,
        };
        Ok(Self {
            ty,
            absent: if end.is_element { Absent::Null } else { Absent::of(end.field) },
            many_at: end.many_at,
            key_at: end.key_at,
            name: name_of(end.field, end.path.len() == 1),
            is_typed: true,
            holds,
            path: end.path,
        })
    }

    fn untyped(path: &FieldPath, values: &[Literal]) -> Self {
        let is_name = path.names().eq(["name"]);
        let has_slash = values.iter().any(|it| matches!(it, Literal::Text(text) if text.contains('/')));
        Self {
            path: path.clone(),
            ty: ValueType::Untyped,
            absent: Absent::Null,
            many_at: None,
            key_at: None,
            name: (is_name || has_slash).then_some(None),
            is_typed: false,
            holds: Holds::One,
        }
    }

    /// Checks that a condition can apply to the field: one that can never be decided is a mistake (AIP-160).
    fn check(&self, condition: &Condition) -> Result<(), ParseError> {
        if !self.is_typed {
            return Ok(());
        }
        let path = quoted(&self.path.to_string());
        let is_null = |it: &Literal| matches!(it, Literal::Null);
        let (message, help) = match (condition, self.holds) {
            (Condition::Compare { value, .. }, Holds::List | Holds::Map) if is_null(value) => return Ok(()),
            (Condition::In { values, .. }, Holds::List | Holds::Map) if values.iter().all(is_null) => {
                return Ok(());
            }
            (Condition::Compare { .. } | Condition::In { .. } | Condition::Like { .. }, Holds::List) => {
                (format!("{path} is a list"), "compare lists with CONTAINS".to_owned())
            }
            (Condition::Compare { .. } | Condition::In { .. } | Condition::Like { .. }, Holds::Map) => {
                let help =
                    format!("use CONTAINS for one of its keys, or compare an entry: `{}.key`", self.path);
                (format!("{path} is a map"), help)
            }
            (Condition::Contains { .. }, Holds::One) => (
                format!("{path} has one value, and CONTAINS is for lists and maps"),
                format!("compare it with {}", expected(self.ty)),
            ),
            (Condition::Like { .. }, _) if !matches!(self.ty, ValueType::Text) => (
                format!("{path} is no string, and LIKE is for strings"),
                format!("compare it with {}", expected(self.ty)),
            ),
            (Condition::Is { special: Special::Nan, .. }, _) if !matches!(self.ty, ValueType::Number) => (
                format!("{path} is no number, and only numbers can be NAN"),
                "use IS NULL for fields without a value".to_owned(),
            ),
            _ => return Ok(()),
        };
        Err(ParseError::new(codes::FILTER_TYPE, 0, message, help))
    }

    /// The value that a literal is for the field.
    fn key(&self, literal: &'a Literal) -> Result<Key<'a>, ParseError> {
        let key = match (self.ty, literal) {
            (_, Literal::Null) => Some(Key::Null),
            (ValueType::Bool | ValueType::Untyped, Literal::Bool(it)) => Some(Key::Bool(*it)),
            (ValueType::Number | ValueType::Enum(_) | ValueType::Untyped, Literal::Number(it)) => {
                Some(Key::Number(*it))
            }
            (ty, Literal::Text(text)) => Key::of_text(ty, text),
            (ValueType::Message | ValueType::Untyped, Literal::Object(it)) => Some(Key::Object(it)),
            (_, Literal::Bool(_) | Literal::Number(_) | Literal::Object(_)) => None,
        };
        key.ok_or_else(|| self.mismatch(literal))
    }

    fn mismatch(&self, literal: &Literal) -> ParseError {
        let path = quoted(&self.path.to_string());
        let message = format!("{path} cannot have the value {}", quoted(&literal.to_string()));
        let help = format!("compare it with {}", expected(self.ty));
        ParseError::new(codes::FILTER_TYPE, 0, message, help)
    }

    /// The value of a number in a text, as JSON has `int64`.
    pub(super) fn number(&self, text: &str) -> Option<Number> {
        if self.is_typed { None } else { Number::parse(text) }
    }
}

const fn expected(ty: ValueType<'_>) -> &'static str {
    match ty {
        ValueType::Untyped => "a value",
        ValueType::Bool => "TRUE or FALSE",
        ValueType::Number => "a number",
        ValueType::Text => "a string",
        ValueType::Bytes => "a string in base64",
        ValueType::Enum(_) => "the name or the number of a value of the enumeration",
        ValueType::Timestamp => "an instant such as \"2026-01-31T12:00:00Z\"",
        ValueType::Duration => "a duration such as \"1.5s\"",
        ValueType::Message => "an object, or use IS NULL",
    }
}

fn name_of(field: &Field, is_top: bool) -> Option<Option<Arc<str>>> {
    match &field.meaning {
        Some(Meaning::Name { resource } | Meaning::Reference { resource, .. }) => {
            Some(Some(resource.clone()))
        }
        Some(Meaning::ParentName { .. }) => Some(None),
        Some(_) => None,
        None => (is_top && &*field.name == "name").then_some(None),
    }
}

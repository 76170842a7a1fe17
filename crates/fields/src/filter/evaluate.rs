use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::{
    CompareOperator, Selector, Special,
    bind::{Leaf, Node, Place, Test},
};
use crate::{
    NameMatcher, Number,
    compare::{Absent, Key, compare_values},
    path::Segment,
};

/// True, false or unknown.
type Truth = Option<bool>;

impl Selector<'_> {
    /// True if the filter is true for a value.
    pub fn selects(&self, value: &Value) -> bool {
        self.evaluate(value) == Some(true)
    }

    /// The result of the filter for a value; `None` if it is unknown.
    pub fn evaluate(&self, value: &Value) -> Option<bool> {
        self.node(&self.root, value)
    }

    fn node(&self, node: &Node<'_>, value: &Value) -> Truth {
        match node {
            Node::All => Some(true),
            Node::And(all) => every(all.iter().map(|it| self.node(it, value))),
            Node::Or(all) => some(all.iter().map(|it| self.node(it, value))),
            Node::Not(inner) => self.node(inner, value).map(|it| !it),
            Node::Leaf(leaf) => self.leaf(leaf, value),
        }
    }

    fn leaf(&self, leaf: &Leaf<'_>, value: &Value) -> Truth {
        let place = &leaf.place;
        match &leaf.test {
            Test::Equals { keys, or_null, negated } => {
                let equal = place.any(value, &|it| self.equals_any(place, it, keys));
                let null = if *or_null { place.is_null(value) } else { Some(false) };
                let is_equal = if keys.is_empty() { null } else { some([equal, null]) };
                is_equal.map(|it| it != *negated)
            }
            Test::Order { operator, key } => place.any(value, &|it| order(place, it, *operator, key)),
            Test::Is { special: Special::Null, negated } => place.is_null(value).map(|it| it != *negated),
            Test::Is { special: Special::Nan, negated } => place.any(value, &is_nan).map(|it| it != *negated),
            Test::Contains { keys, all } => place.any(value, &|it| self.contains(place, it, keys, *all)),
            Test::Like(pattern) => place.any(value, &|it| like(it, pattern)),
        }
    }

    fn equals_any(&self, place: &Place<'_>, value: &Key<'_>, keys: &[Key<'_>]) -> Truth {
        (*value != Key::Null).then(|| keys.iter().any(|it| equals(self.names, place, value, it)))
    }

    fn contains(&self, place: &Place<'_>, value: &Key<'_>, keys: &[Key<'_>], all: bool) -> Truth {
        let has = |key: &Key<'_>| match value {
            Key::List(list) => list.iter().any(|it| equals(self.names, place, &Key::of(place.ty, it), key)),
            Key::Object(object) => matches!(key, Key::Text(key) if object.contains_key(*key)),
            _ => false,
        };
        let found = if all { keys.iter().all(has) } else { keys.iter().any(has) };
        (*value != Key::Null).then_some(found)
    }
}

/// Kleene's conjunction.
fn every(all: impl IntoIterator<Item = Truth>) -> Truth {
    some(all.into_iter().map(|it| it.map(|it| !it))).map(|it| !it)
}

/// Kleene's disjunction.
fn some(all: impl IntoIterator<Item = Truth>) -> Truth {
    let mut result = Some(false);
    for truth in all {
        match truth {
            Some(true) => return truth,
            Some(false) => {}
            None => result = None,
        }
    }
    result
}

/// True if a value, which is not null, equals that of the filter.
pub(super) fn equals(names: &dyn NameMatcher, place: &Place<'_>, value: &Key<'_>, key: &Key<'_>) -> bool {
    match (value, key) {
        (Key::Text(text), Key::Text(pattern)) => match &place.name {
            Some(kind) if pattern.contains('-') => {
                text == pattern || names.fits(kind.as_deref(), pattern, text)
            }
            _ => text == pattern,
        },
        (Key::Text(text), Key::Number(number)) => {
            place.number(text).and_then(|it| it.compare(*number)) == Some(Ordering::Equal)
        }
        (Key::Object(value), Key::Object(literal)) => same_fields(value, literal),
        (_, _) => value.partial(key) == Some(Ordering::Equal),
    }
}

fn same_fields(value: &Map<String, Value>, literal: &Map<String, Value>) -> bool {
    let has = |key: &str, it: &Value| {
        Segment::field(&crate::case::field_name(key))
            .of(value)
            .is_some_and(|value| compare_values(value, it).is_eq())
    };
    value.len() == literal.len() && literal.iter().all(|(key, it)| has(key, it))
}

fn order(place: &Place<'_>, value: &Key<'_>, operator: CompareOperator, key: &Key<'_>) -> Truth {
    let ordering = match (value, key) {
        (Key::Text(text), Key::Number(number)) => place.number(text).and_then(|it| it.compare(*number)),
        (_, _) => value.partial(key),
    };
    ordering.map(|it| operator.accepts(it))
}

impl CompareOperator {
    /// True if a value in this order to the filter's is accepted.
    pub(super) const fn accepts(self, value_to_literal: Ordering) -> bool {
        match self {
            Self::Equal => value_to_literal.is_eq(),
            Self::NotEqual => value_to_literal.is_ne(),
            Self::Less => value_to_literal.is_lt(),
            Self::AtMost => value_to_literal.is_le(),
            Self::Greater => value_to_literal.is_gt(),
            Self::AtLeast => value_to_literal.is_ge(),
        }
    }
}

fn is_nan(value: &Key<'_>) -> Truth {
    match value {
        Key::Null => None,
        Key::Number(it) => Some(it.is_nan()),
        Key::Text(it) => Some(Number::parse(it).is_some_and(Number::is_nan)),
        _ => Some(false),
    }
}

fn like(value: &Key<'_>, pattern: &str) -> Truth {
    match value {
        Key::Null => None,
        Key::Text(text) => Some(matches(text, pattern)),
        _ => Some(false),
    }
}

/// Matches `%`, `_` and `\`: of several `%`, only the last is tried again, so the time is at most the product of lengths.
fn matches(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let parts = like_parts(pattern);
    let (mut at, mut part) = (0, 0);
    let mut again: Option<(usize, usize)> = None;
    loop {
        match (parts.get(part), text.get(at)) {
            (Some(Part::Any), _) => {
                again = Some((at, part));
                part += 1;
                continue;
            }
            (None, None) => return true,
            (Some(Part::One), Some(_)) => {}
            (Some(Part::Exactly(it)), Some(character)) if it == character => {}
            (_, _) => {
                match again {
                    Some((start, from)) if start < text.len() => {
                        again = Some((start + 1, from));
                        (at, part) = (start + 1, from + 1);
                    }
                    _ => return false,
                }
                continue;
            }
        }
        (at, part) = (at + 1, part + 1);
    }
}

enum Part {
    Any,
    One,
    Exactly(char),
}

fn like_parts(pattern: &str) -> Vec<Part> {
    let mut characters = pattern.chars();
    let mut parts = Vec::new();
    while let Some(character) = characters.next() {
        parts.push(match character {
            '%' => Part::Any,
            '_' => Part::One,
            '\\' => Part::Exactly(characters.next().unwrap_or('\\')),
            other => Part::Exactly(other),
        });
    }
    parts
}

impl Place<'_> {
    /// True if the test is true for one of the values; unknown if it is for none and unknown for one.
    fn any(&self, value: &Value, test: &dyn Fn(&Key<'_>) -> Truth) -> Truth {
        let mut result = Some(false);
        self.ends(self.path.segments(), 0, value, &mut |key| {
            result = some([result, test(&key)]);
        });
        result
    }

    /// True if all values are null. An empty list that is known to be one is null, as proto3 does not distinguish them.
    fn is_null(&self, value: &Value) -> Truth {
        let mut result = true;
        self.ends(self.path.segments(), 0, value, &mut |key| {
            let is_empty = match key {
                Key::Null => true,
                Key::List(it) => self.absent == Absent::Empty && it.is_empty(),
                Key::Object(it) => self.absent == Absent::Empty && it.is_empty(),
                _ => false,
            };
            result &= is_empty;
        });
        Some(result)
    }

    /// Calls `f` with each value at the path, and with the defaults of absent ones.
    fn ends<'v>(&self, segments: &[Segment], depth: usize, value: &'v Value, f: &mut dyn FnMut(Key<'v>)) {
        let Some((segment, rest)) = segments.split_first() else {
            return match value {
                Value::Null => self.missing(depth.saturating_sub(1), f),
                _ => f(Key::of(self.ty, value)),
            };
        };
        match (value, segment) {
            (Value::Array(list), Segment::Each) => {
                list.iter().for_each(|it| self.ends(rest, depth + 1, it, f))
            }
            (Value::Array(list), Segment::Name { .. }) => {
                list.iter().for_each(|it| self.ends(segments, depth, it, f))
            }
            (Value::Object(object), Segment::Each) => {
                object.values().for_each(|it| self.ends(rest, depth + 1, it, f))
            }
            (Value::Object(object), Segment::Name { .. }) => match segment.of(object) {
                Some(value) => self.ends(rest, depth + 1, value, f),
                None => self.missing(depth, f),
            },
            (_, _) => self.missing(depth, f),
        }
    }

    /// Calls `f` with the default of a value that is absent from the segment at `depth` on; not at all, if that is a list with
    /// several values.
    fn missing<'v>(&self, depth: usize, f: &mut dyn FnMut(Key<'v>)) {
        match self.absent {
            _ if self.many_at.is_some_and(|it| depth <= it) => {}
            _ if self.key_at.is_some_and(|it| depth <= it) => f(Key::Null),
            Absent::Null => f(Key::Null),
            Absent::Default => f(default_key(self)),
            Absent::Empty => f(Key::List(&[])),
        }
    }
}

fn default_key<'v>(place: &Place<'_>) -> Key<'v> {
    Key::default_of(place.ty)
}

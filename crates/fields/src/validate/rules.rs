use std::{cmp::Ordering, collections::BTreeMap};

use serde_json::Value;
use store::Millis;

use super::{Place, Problem, format, scalar::number};
use crate::{
    Number, codes,
    compare::{Absent, Key, ValueType, decode_base64},
    error::quoted,
    path::{is_default_value, token},
    schema::{Cardinality, Comparison, FieldType, Rule},
    time::{SECOND, parse_duration, parse_timestamp},
};

/// A function that reports a problem at a JSON pointer.
type Report<'a> = &'a mut dyn FnMut(&str, Problem);

/// Checks the rules of a field for its whole value; null is absent.
pub(super) fn check(place: Place<'_>, value: &Value, now: Option<Millis>, pointer: &str, report: Report<'_>) {
    for rule in &place.field.rules {
        let subject = Subject { place, is_element: false, now };
        subject.rule(rule, value, pointer, report);
    }
}

/// The subject of the check of a rule.
#[derive(Clone, Copy)]
struct Subject<'a> {
    place: Place<'a>,
    /// One element of a list or value of a map.
    is_element: bool,
    now: Option<Millis>,
}

impl Subject<'_> {
    fn rule(self, rule: &Rule, value: &Value, pointer: &str, report: Report<'_>) {
        match rule {
            Rule::Each(rule) => self.each(rule, value, pointer, report),
            Rule::EachKey(rule) => self.each_key(rule, value, pointer, report),
            Rule::Unique => unique(self.place.ty(), value, pointer, report),
            _ => {
                if let Some(problem) = self.problem(rule, value) {
                    report(pointer, problem);
                }
            }
        }
    }

    fn each(self, rule: &Rule, value: &Value, pointer: &str, report: Report<'_>) {
        let element = Self { is_element: true, ..self };
        match value {
            Value::Array(list) => {
                list.iter()
                    .enumerate()
                    .for_each(|(at, it)| element.rule(rule, it, &format!("{pointer}/{at}"), report));
            }
            Value::Object(map) => {
                map.iter()
                    .for_each(|(at, it)| element.rule(rule, it, &format!("{pointer}/{}", token(at)), report));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn each_key(self, rule: &Rule, value: &Value, pointer: &str, report: Report<'_>) {
        let keys = match self.place.field.cardinality {
            Cardinality::Map(scalar) => ValueType::scalar(scalar),
            Cardinality::One | Cardinality::Optional | Cardinality::Repeated => ValueType::Untyped,
        };
        for key in value.as_object().into_iter().flat_map(serde_json::Map::keys) {
            if let Some(problem) = value_problem(rule, &Value::from(&**key), keys, self.now) {
                report(&format!("{pointer}/{}", token(key)), problem);
            }
        }
    }

    fn problem(self, rule: &Rule, value: &Value) -> Option<Problem> {
        let is_list = !self.is_element && self.place.absent() == Absent::Empty;
        match rule {
            Rule::Required => self.is_missing(value).then(required),
            Rule::Items(comparison, limit) => {
                let count =
                    value.as_array().map(Vec::len).or_else(|| value.as_object().map(serde_json::Map::len));
                compare(*comparison, count.unwrap_or(0) as f64, *limit as f64, "the number of elements")
            }
            _ if is_list => None,
            _ => {
                if !value.is_null() {
                    return value_problem(rule, value, self.place.ty(), self.now);
                }
                let default = self.default_value()?;
                value_problem(rule, &default, self.place.ty(), self.now).map(|it| unset(it, &default))
            }
        }
    }

    /// A message is set if it is there; an optional scalar has to be there and not empty.
    fn is_missing(self, value: &Value) -> bool {
        let is_scalar = matches!(self.place.field.ty, FieldType::Scalar(_) | FieldType::Enum(_));
        let is_container = !self.is_element && self.place.absent() == Absent::Empty;
        let ty = self.place.ty();
        let is_default = || is_default_value(value) || Key::of(ty, value) == Key::default_of(ty);
        value.is_null() || (is_scalar || is_container) && is_default()
    }

    /// The value of an absent scalar.
    fn default_value(self) -> Option<Value> {
        if self.place.absent() != Absent::Default {
            return None;
        }
        Some(match self.place.ty() {
            ValueType::Bool => Value::Bool(false),
            ValueType::Number | ValueType::Enum(_) => Value::from(0),
            ValueType::Text | ValueType::Bytes => Value::from(""),
            ValueType::Untyped | ValueType::Timestamp | ValueType::Duration | ValueType::Message => {
                return None;
            }
        })
    }
}

/// A problem of the value that an absent field has.
fn unset((code, message, _): Problem, default: &Value) -> Problem {
    let message = format!("the field is not set, which counts as {default}: {message}");
    (code, message, "set it to a value that the rule allows".to_owned())
}

fn required() -> Problem {
    (codes::REQUIRED, "a value is required".to_owned(), "set it to a value that is not empty".to_owned())
}

/// Checks a rule for one value, which is not null.
fn value_problem(rule: &Rule, value: &Value, ty: ValueType<'_>, now: Option<Millis>) -> Option<Problem> {
    match rule {
        Rule::Required => is_default_value(value).then(required),
        Rule::Number(comparison, limit) => {
            compare(*comparison, seconds_or_number(value, ty)?, *limit, "the value")
        }
        Rule::Length(comparison, limit) => {
            compare(*comparison, length(value, ty)? as f64, *limit as f64, "the number of characters")
        }
        Rule::Bytes(comparison, limit) => {
            compare(*comparison, bytes(value, ty)? as f64, *limit as f64, "the number of bytes")
        }
        Rule::Text(text) => {
            (!is(value, text, ty)).then(|| not_allowed(value, &format!("use {}", quoted(text))))
        }
        Rule::OneOf(all) => {
            let help =
                || format!("use one of {}", all.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(", "));
            (!all.iter().any(|it| is(value, it, ty))).then(|| not_allowed(value, &help()))
        }
        Rule::NoneOf(all) => {
            all.iter().any(|it| is(value, it, ty)).then(|| not_allowed(value, "use another value"))
        }
        Rule::Prefix(it) => (!value.as_str()?.starts_with(&**it))
            .then(|| form("prefix", value, &format!("a text that begins with {}", quoted(it)))),
        Rule::Suffix(it) => (!value.as_str()?.ends_with(&**it))
            .then(|| form("suffix", value, &format!("a text that ends with {}", quoted(it)))),
        Rule::Format(it) => match format::has_format(value.as_str()?, it) {
            Some(true) => None,
            Some(false) => Some(form("format", value, &format::name(it))),
            None => Some(unsupported(it)),
        },
        Rule::DefinedOnly => defined(value, ty),
        Rule::BeforeNow => now_problem(value, now, "before now", |it, now| it < now),
        Rule::AfterNow => now_problem(value, now, "after now", |it, now| it > now),
        Rule::WithinSeconds(limit) => {
            let is_within = |it: i128, now: i128| (it - now).abs() as f64 <= *limit * SECOND as f64;
            now_problem(value, now, &format!("within {limit} seconds of now"), is_within)
        }
        Rule::Items(..) | Rule::Unique | Rule::Each(_) | Rule::EachKey(_) => None,
    }
}

/// A number; of a duration or an instant its seconds.
fn seconds_or_number(value: &Value, ty: ValueType<'_>) -> Option<f64> {
    let nanos = match ty {
        ValueType::Timestamp => parse_timestamp(value.as_str()?)?,
        ValueType::Duration => parse_duration(value.as_str()?)?,
        _ => return number(value).map(Number::as_f64),
    };
    Some(nanos as f64 / SECOND as f64)
}

fn length(value: &Value, ty: ValueType<'_>) -> Option<usize> {
    match ty {
        ValueType::Bytes => bytes(value, ty),
        _ => Some(value.as_str()?.chars().count()),
    }
}

fn bytes(value: &Value, ty: ValueType<'_>) -> Option<usize> {
    let text = value.as_str()?;
    Some(if matches!(ty, ValueType::Bytes) { decode_base64(text)?.len() } else { text.len() })
}

/// True if a value equals one that a rule writes as a text; a number, a duration or an enumeration is compared by value.
fn is(value: &Value, text: &str, ty: ValueType<'_>) -> bool {
    let rule = match ty {
        ValueType::Bool => text.parse().ok().map(Key::Bool),
        ValueType::Enum(_) => Key::of_text(ty, text).or_else(|| Number::parse(text).map(Key::Number)),
        _ => Key::of_text(ty, text),
    };
    rule.is_some_and(|it| Key::of(ty, value).partial(&it) == Some(Ordering::Equal))
}

fn defined(value: &Value, ty: ValueType<'_>) -> Option<Problem> {
    let (ValueType::Enum(definition), Key::Number(number)) = (ty, Key::of(ty, value)) else {
        return None;
    };
    let is_defined = definition.values.iter().any(|(_, it)| Number::Int((*it).into()) == number);
    (!is_defined).then(|| not_allowed(value, "use a value that the enumeration defines"))
}

fn compare(comparison: Comparison, value: f64, limit: f64, what: &str) -> Option<Problem> {
    let (holds, words) = match comparison {
        Comparison::Less => (value < limit, "less than"),
        Comparison::AtMost => (value <= limit, "at most"),
        Comparison::Equal => (value == limit, "exactly"),
        Comparison::AtLeast => (value >= limit, "at least"),
        Comparison::Greater => (value > limit, "greater than"),
    };
    let message = || format!("{what} is {value}, but has to be {words} {limit}");
    (!holds).then(|| (codes::RULE_LIMIT, message(), "change the value to be within the limit".to_owned()))
}

fn not_allowed(value: &Value, help: &str) -> Problem {
    (codes::RULE_VALUES, format!("{} is not allowed", quoted(&shown(value))), help.to_owned())
}

fn form(rule: &str, value: &Value, expected: &str) -> Problem {
    let code = match rule {
        "prefix" => codes::RULE_PREFIX,
        "suffix" => codes::RULE_SUFFIX,
        _ => codes::RULE_FORMAT,
    };
    (code, format!("{} is not {expected}", quoted(&shown(value))), format!("use {expected}"))
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn unsupported(format: &crate::schema::Format) -> Problem {
    let message = format!(
        "the rule cannot be checked: {} is not a regular expression that is supported",
        quoted(&format::name(format))
    );
    (
        codes::RULE_REGEX,
        message,
        "fix the regular expression in the schema; classes of Unicode are not supported".to_owned(),
    )
}

fn now_problem(
    value: &Value,
    now: Option<Millis>,
    words: &str,
    holds: impl Fn(i128, i128) -> bool,
) -> Option<Problem> {
    let at = parse_timestamp(value.as_str()?)?;
    let now = i128::from(now?.0) * (SECOND / 1000);
    let message = || format!("{} has to be {words}", quoted(&shown(value)));
    (!holds(at, now)).then(|| (codes::RULE_TIME, message(), format!("use an instant {words}")))
}

/// Reports each element that is in the list before too.
fn unique(ty: ValueType<'_>, value: &Value, pointer: &str, report: Report<'_>) {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut places: Vec<(usize, Key<'_>)> = list.iter().map(|it| Key::of(ty, it)).enumerate().collect();
    places.sort_by(|(left_at, left), (right_at, right)| left.total(right).then(left_at.cmp(right_at)));
    let repeated = places.windows(2).filter_map(|pair| match pair {
        [(first, left), (second, right)] if left.total(right).is_eq() => Some((*second, *first)),
        _ => None,
    });
    for (second, first) in repeated.collect::<BTreeMap<_, _>>() {
        let message = format!("the element is equal to element {first}");
        report(
            &format!("{pointer}/{second}"),
            (codes::RULE_UNIQUE, message, "remove one of them".to_owned()),
        );
    }
}

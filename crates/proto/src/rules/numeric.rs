//! Rules of numbers, booleans, enumerations, instants and durations.

use std::sync::Arc;

use fields::schema::{Comparison, Rule};

use super::{require, unsupported};
use crate::{aggregate::Entry, decode::Decoder};

/// The comparison that a rule makes.
fn comparison(name: &str) -> Option<Comparison> {
    Some(match name {
        "const" => Comparison::Equal,
        "lt" => Comparison::Less,
        "lte" => Comparison::AtMost,
        "gt" => Comparison::Greater,
        "gte" => Comparison::AtLeast,
        _ => return None,
    })
}

/// `decimal`, `signed` and `unsigned`. Members of sets are texts, as decimal numbers.
pub(super) fn numbers(kind: &Entry, rules: &mut Vec<Rule>, decoder: &mut Decoder<'_>) {
    let (mut any, mut none) = (Vec::new(), Vec::new());
    for rule in decoder.body(kind) {
        match (comparison(&rule.name), &*rule.name) {
            (Some(comparison), _) => {
                rules.extend(decoder.wrapped(rule).map(|it| Rule::Number(comparison, it)));
            }
            (None, "any_of") => any.extend(decoder.number(rule).map(|it| it.to_string().into())),
            (None, "none_of") => none.extend(decoder.number(rule).map(|it| it.to_string().into())),
            (None, _) => {
                decoder.unknown(rule, &kind.name, &["const", "lt", "lte", "gt", "gte", "any_of", "none_of"])
            }
        }
    }
    sets(any, none, rules);
}

/// Adds the rules of sets that have members.
pub(super) fn sets(any: Vec<Arc<str>>, none: Vec<Arc<str>>, rules: &mut Vec<Rule>) {
    rules.extend((!any.is_empty()).then_some(Rule::OneOf(any)));
    rules.extend((!none.is_empty()).then_some(Rule::NoneOf(none)));
}

/// `bool`: the value as text.
pub(super) fn bools(kind: &Entry, rules: &mut Vec<Rule>, decoder: &mut Decoder<'_>) {
    for rule in decoder.body(kind) {
        match &*rule.name {
            "const" => rules.push(Rule::Text(decoder.flag(rule).to_string().into())),
            _ => decoder.unknown(rule, "bool", &["const"]),
        }
    }
}

/// `enum`: numbers become the names that they have.
pub(super) fn enums(
    kind: &Entry,
    values: &[(Arc<str>, i32)],
    rules: &mut Vec<Rule>,
    decoder: &mut Decoder<'_>,
) {
    let name = |number: f64| -> Arc<str> {
        let value = values.iter().find(|it| f64::from(it.1) == number);
        value.map_or_else(|| number.to_string().into(), |it| it.0.clone())
    };
    let (mut any, mut none) = (Vec::new(), Vec::new());
    for rule in decoder.body(kind) {
        match &*rule.name {
            "const" => rules.extend(decoder.wrapped(rule).map(|it| Rule::Text(name(it)))),
            "defined_only" => rules.extend(decoder.flag(rule).then_some(Rule::DefinedOnly)),
            "any_of" => any.extend(decoder.number(rule).map(name)),
            "none_of" => none.extend(decoder.number(rule).map(name)),
            _ => decoder.unknown(rule, "enum", &["const", "defined_only", "any_of", "none_of"]),
        }
    }
    sets(any, none, rules);
}

/// `timestamp`, in seconds since 1970.
pub(super) fn timestamps(kind: &Entry, rules: &mut Vec<Rule>, decoder: &mut Decoder<'_>) {
    for rule in decoder.body(kind) {
        match (comparison(&rule.name), &*rule.name) {
            (Some(comparison), _) => {
                rules.extend(decoder.seconds(rule).map(|it| Rule::Number(comparison, it)));
            }
            (None, "required") => require(rule, rules, decoder),
            (None, "lt_now") => rules.extend(decoder.flag(rule).then_some(Rule::BeforeNow)),
            (None, "gt_now") => rules.extend(decoder.flag(rule).then_some(Rule::AfterNow)),
            (None, "within") => rules.extend(decoder.seconds(rule).map(Rule::WithinSeconds)),
            (None, _) => decoder.unknown(
                rule,
                "timestamp",
                &["required", "const", "lt", "lte", "gt", "gte", "lt_now", "gt_now", "within"],
            ),
        }
    }
}

/// `duration`, in seconds.
pub(super) fn durations(kind: &Entry, rules: &mut Vec<Rule>, decoder: &mut Decoder<'_>) {
    for rule in decoder.body(kind) {
        match (comparison(&rule.name), &*rule.name) {
            (Some(comparison), _) => {
                rules.extend(decoder.seconds(rule).map(|it| Rule::Number(comparison, it)));
            }
            (None, "required") => require(rule, rules, decoder),
            (None, "any_of" | "none_of") => unsupported(rule, "duration", decoder),
            (None, _) => decoder.unknown(
                rule,
                "duration",
                &["required", "const", "lt", "lte", "gt", "gte", "any_of", "none_of"],
            ),
        }
    }
}

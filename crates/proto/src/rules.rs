//! `goten.annotations.validation_rules`: which values of a field are valid.

mod format;
mod numeric;
mod text;

use std::sync::Arc;

use diag::Diagnostic;
use fields::schema::{Cardinality, Comparison, Field, FieldType, Rule, Scalar, WellKnown};

use crate::{aggregate::Entry, codes, decode::Decoder, option::Options};

const KINDS: [&str; 13] = [
    "bool",
    "bytes",
    "decimal",
    "duration",
    "enum",
    "filter",
    "map",
    "object",
    "repeated",
    "signed",
    "string",
    "timestamp",
    "unsigned",
];

/// The rules of a field, as its options have them.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    /// The rules.
    pub(crate) rules: Vec<Rule>,
    /// The values of the field's messages are not validated.
    pub(crate) skip: bool,
}

/// The values of one field, or of its elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'f> {
    cardinality: Cardinality,
    ty: &'f FieldType,
    /// Names and numbers of the enumeration.
    values: &'f [(Arc<str>, i32)],
}

/// Reads the rules of a field; `values` are those of its enumeration.
pub(crate) fn read(
    options: &Options,
    field: &Field,
    values: &[(Arc<str>, i32)],
    decoder: &mut Decoder<'_>,
) -> Rules {
    let mut rules = Rules::default();
    let subject = Subject { cardinality: field.cardinality, ty: &field.ty, values };
    if let Some(option) = options.get("goten.annotations.validation_rules") {
        validation(option, subject, &mut rules, decoder);
    }
    rules
}

fn validation(option: &Entry, subject: Subject<'_>, rules: &mut Rules, decoder: &mut Decoder<'_>) {
    for kind in decoder.body(option) {
        if !KINDS.contains(&&*kind.name) {
            decoder.unknown(kind, "goten.annotations.Validation", &KINDS);
            continue;
        }
        if !fits(&kind.name, subject) {
            let message = format!("rules of `{}` do not fit the type of the field", kind.name);
            decoder.misplaced(kind.at, message, "use the rules of the field's own type");
            continue;
        }
        let into = &mut rules.rules;
        match &*kind.name {
            "decimal" | "signed" | "unsigned" => numeric::numbers(kind, into, decoder),
            "bool" => numeric::bools(kind, into, decoder),
            "enum" => numeric::enums(kind, subject.values, into, decoder),
            "timestamp" => numeric::timestamps(kind, into, decoder),
            "duration" => numeric::durations(kind, into, decoder),
            "string" => text::strings(kind, into, decoder),
            "bytes" => text::bytes(kind, into, decoder),
            "repeated" | "map" => collection(kind, subject, rules, decoder),
            _ => required(kind, rules, decoder),
        }
    }
}

/// `object` and `filter`.
fn required(kind: &Entry, rules: &mut Rules, decoder: &mut Decoder<'_>) {
    for rule in decoder.body(kind) {
        match &*rule.name {
            "required" => require(rule, &mut rules.rules, decoder),
            "skip" if kind.name == "object" => rules.skip = decoder.flag(rule),
            _ => decoder.unknown(rule, &kind.name, &["required", "skip"]),
        }
    }
}

fn require(rule: &Entry, rules: &mut Vec<Rule>, decoder: &mut Decoder<'_>) {
    if decoder.flag(rule) {
        rules.push(Rule::Required);
    }
}

fn collection(kind: &Entry, subject: Subject<'_>, rules: &mut Rules, decoder: &mut Decoder<'_>) {
    for rule in decoder.body(kind) {
        let into = &mut rules.rules;
        match &*rule.name {
            "min_items" | "min_pairs" => count(rule, Comparison::AtLeast, into, decoder),
            "max_items" | "max_pairs" => count(rule, Comparison::AtMost, into, decoder),
            "unique" => into.extend(decoder.flag(rule).then_some(Rule::Unique)),
            "items" | "values" => {
                let subject = Subject { cardinality: Cardinality::One, ..subject };
                elements(rule, subject, rules, Rule::Each, decoder);
            }
            "keys" => {
                let Cardinality::Map(key) = subject.cardinality else { continue };
                let ty = FieldType::Scalar(key);
                let subject = Subject { cardinality: Cardinality::One, ty: &ty, values: &[] };
                elements(rule, subject, rules, Rule::EachKey, decoder);
            }
            _ if kind.name == "map" => {
                decoder.unknown(rule, "map", &["min_pairs", "max_pairs", "keys", "values"]);
            }
            _ => decoder.unknown(rule, "repeated", &["min_items", "max_items", "unique", "items"]),
        }
    }
}

/// Rules for each element, or for each key.
fn elements(
    option: &Entry,
    subject: Subject<'_>,
    rules: &mut Rules,
    wrap: impl Fn(Box<Rule>) -> Rule,
    decoder: &mut Decoder<'_>,
) {
    let mut of_elements = Rules::default();
    validation(option, subject, &mut of_elements, decoder);
    rules.skip |= of_elements.skip;
    rules.rules.extend(of_elements.rules.into_iter().map(|it| wrap(Box::new(it))));
}

fn count(rule: &Entry, comparison: Comparison, rules: &mut Vec<Rule>, decoder: &mut Decoder<'_>) {
    rules.extend(decoder.wrapped_count(rule).map(|count| Rule::Items(comparison, count)));
}

/// True if rules of this kind are for such a field.
fn fits(kind: &str, subject: Subject<'_>) -> bool {
    match (kind, subject.cardinality) {
        ("object", _) => true,
        ("repeated", cardinality) => cardinality == Cardinality::Repeated,
        ("map", cardinality) => matches!(cardinality, Cardinality::Map(_)),
        (_, Cardinality::Repeated | Cardinality::Map(_)) => false,
        (kind, Cardinality::One | Cardinality::Optional) => fits_type(kind, subject.ty),
    }
}

fn fits_type(kind: &str, ty: &FieldType) -> bool {
    match ty {
        FieldType::Scalar(scalar) | FieldType::WellKnown(WellKnown::Wrapper(scalar)) => match scalar {
            Scalar::Double | Scalar::Float => kind == "decimal",
            Scalar::Int32 | Scalar::Int64 => kind == "signed",
            Scalar::Uint32 | Scalar::Uint64 => kind == "unsigned",
            Scalar::Bool => kind == "bool",
            Scalar::String => matches!(kind, "string" | "filter"),
            Scalar::Bytes => kind == "bytes",
        },
        FieldType::WellKnown(WellKnown::Timestamp) => kind == "timestamp",
        FieldType::WellKnown(WellKnown::Duration) => kind == "duration",
        FieldType::Enum(_) => kind == "enum",
        // It may be an enumeration.
        FieldType::Foreign(_) => kind == "enum",
        FieldType::Message(_) | FieldType::WellKnown(_) => false,
    }
}

/// Reports a rule that nothing checks, so that users do not rely on it.
pub(crate) fn unsupported(rule: &Entry, kind: &str, decoder: &mut Decoder<'_>) {
    let message = format!("the rule `{}` of `{kind}` is not checked", rule.name);
    decoder.report(
        Diagnostic::hint(codes::UNSUPPORTED_RULE, rule.at, message).help("check it where the value is used"),
    );
}

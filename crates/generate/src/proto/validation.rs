//! `goten.annotations.validation_rules`.

use fields::schema::{Cardinality, Comparison, Field, FieldType, Format, Rule, Scalar, WellKnown};

use super::{aggregate::Aggregate, layout::Layout};

/// The rules of a field, as far as the annotation has them.
pub(super) fn of(message: &str, field: &Field, layout: &Layout) -> Aggregate {
    // What an update depends on is only part of a resource, so its rules do not apply.
    if message.ends_with(".CAS") && &*field.name == "conditional_state" {
        let mut skip = Aggregate::default();
        skip.flag("skip", true);
        return Aggregate::of("object", skip);
    }
    // Goten's requests do not say that names are required: a server refuses empty ones.
    let is_standard = layout.is_standard_request(message);
    let is_object = matches!(field.ty, FieldType::Message(_) | FieldType::Foreign(_));
    let kept = |rule: &&Rule| !is_standard || is_object || **rule != Rule::Required;
    let rules: Vec<&Rule> = field.rules.iter().filter(kept).collect();
    match field.cardinality {
        Cardinality::One | Cardinality::Optional => of_value(&field.ty, &rules),
        Cardinality::Repeated => of_list(&field.ty, &rules),
        Cardinality::Map(key) => of_map(&field.ty, key, &rules),
    }
}

/// The rules of one value, below the name of its type.
fn of_value(ty: &FieldType, rules: &[&Rule]) -> Aggregate {
    let mut own = Aggregate::default();
    let key = match ty {
        FieldType::Scalar(Scalar::Double | Scalar::Float) => "decimal",
        FieldType::Scalar(Scalar::Int32 | Scalar::Int64) => "signed",
        FieldType::Scalar(Scalar::Uint32 | Scalar::Uint64) => "unsigned",
        FieldType::Scalar(Scalar::Bool) => "bool",
        FieldType::Scalar(Scalar::String) => "string",
        FieldType::Scalar(Scalar::Bytes) => "bytes",
        FieldType::Enum(_) => "enum",
        FieldType::WellKnown(WellKnown::Timestamp) => "timestamp",
        FieldType::WellKnown(WellKnown::Duration) => "duration",
        FieldType::Message(_) | FieldType::Foreign(_) | FieldType::WellKnown(_) => "object",
    };
    // Last come the limits: of several rules in a file, Goten writes the upper one first.
    rules.iter().for_each(|rule| add(&mut own, key, rule));
    if own.is_empty() { own } else { Aggregate::of(key, own) }
}

fn add(own: &mut Aggregate, key: &str, rule: &Rule) {
    match (rule, key) {
        (Rule::Required, "string" | "object" | "timestamp" | "duration") => own.flag("required", true),
        (Rule::Number(comparison, limit), "decimal" | "signed" | "unsigned") => {
            own.message(comparison_name(*comparison), number(&limit.to_string()));
        }
        (Rule::Length(comparison, count), "string" | "bytes") => {
            sized(own, *comparison, *count, ["len", "min_len", "max_len"]);
        }
        (Rule::Bytes(comparison, count), "string") => {
            sized(own, *comparison, *count, ["bytes_len", "min_bytes_len", "max_bytes_len"]);
        }
        (Rule::Text(text), "string") => own.text("const", text),
        (Rule::Prefix(prefix), "string" | "bytes") => own.text("prefix", prefix),
        (Rule::Suffix(suffix), "string" | "bytes") => own.text("suffix", suffix),
        (Rule::OneOf(texts), "string") => own.texts("any_of", texts.iter().map(|it| &**it)),
        (Rule::NoneOf(texts), "string") => own.texts("none_of", texts.iter().map(|it| &**it)),
        (Rule::DefinedOnly, "enum") => own.flag("defined_only", true),
        (Rule::Format(format), "string") => own.message("format", of_format(format)),
        (Rule::BeforeNow, "timestamp") => own.flag("lt_now", true),
        (Rule::AfterNow, "timestamp") => own.flag("gt_now", true),
        _ => {}
    }
}

fn of_list(ty: &FieldType, rules: &[&Rule]) -> Aggregate {
    let mut own = Aggregate::default();
    for rule in rules {
        match rule {
            Rule::Items(comparison, count) => {
                sized(&mut own, *comparison, *count, ["", "min_items", "max_items"])
            }
            Rule::Unique => own.flag("unique", true),
            _ => {}
        }
    }
    let items = of_value(ty, &of_each(rules));
    if !items.is_empty() {
        own.message("items", items);
    }
    if own.is_empty() { own } else { Aggregate::of("repeated", own) }
}

fn of_map(ty: &FieldType, key: Scalar, rules: &[&Rule]) -> Aggregate {
    let mut own = Aggregate::default();
    for rule in rules {
        if let Rule::Items(comparison, count) = rule {
            sized(&mut own, *comparison, *count, ["", "min_pairs", "max_pairs"]);
        }
    }
    let of_keys: Vec<&Rule> = rules
        .iter()
        .filter_map(|it| if let Rule::EachKey(inner) = it { Some(&**inner) } else { None })
        .collect();
    let keys = of_value(&FieldType::Scalar(key), &of_keys);
    let values = of_value(ty, &of_each(rules));
    for (name, rules) in [("keys", keys), ("values", values)] {
        if !rules.is_empty() {
            own.message(name, rules);
        }
    }
    if own.is_empty() { own } else { Aggregate::of("map", own) }
}

/// The rules of elements: those that say so, and those that cannot be of a list.
fn of_each<'r>(rules: &[&'r Rule]) -> Vec<&'r Rule> {
    let of_element = |rule: &&'r Rule| match rule {
        Rule::Each(inner) => Some(&**inner),
        Rule::EachKey(_) | Rule::Required | Rule::Items(..) | Rule::Unique => None,
        other => Some(*other),
    };
    rules.iter().filter_map(of_element).collect()
}

/// A wrapped number; the default is not written.
fn number(value: &str) -> Aggregate {
    let mut number = Aggregate::default();
    if value != "0" {
        number.word("value", value);
    }
    number
}

/// Limits of a size: equal, at least, at most.
fn sized(own: &mut Aggregate, comparison: Comparison, count: u64, [equal, least, most]: [&str; 3]) {
    let (key, count) = match comparison {
        Comparison::Equal if equal.is_empty() => {
            own.message(least, number(&count.to_string()));
            (most, count)
        }
        Comparison::Equal => (equal, count),
        Comparison::Less => (most, count.saturating_sub(1)),
        Comparison::AtMost => (most, count),
        Comparison::AtLeast => (least, count),
        Comparison::Greater => (least, count.saturating_add(1)),
    };
    own.message(key, number(&count.to_string()));
}

const fn comparison_name(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Less => "lt",
        Comparison::AtMost => "lte",
        Comparison::Equal => "const",
        Comparison::AtLeast => "gte",
        Comparison::Greater => "gt",
    }
}

fn of_format(format: &Format) -> Aggregate {
    let mut own = Aggregate::default();
    let flag = match format {
        Format::Regex(regex) => {
            own.text("regex", regex);
            return own;
        }
        Format::Email => "email",
        Format::Address => "address",
        Format::Hostname => "hostname",
        Format::Ip => "ip",
        Format::Ipv4 => "ipv4",
        Format::Ipv6 => "ipv6",
        Format::Uri => "uri",
        Format::UriReference => "uri_ref",
        Format::Uuid => "uuid",
        Format::Pem => "pem",
    };
    own.flag(flag, true);
    own
}

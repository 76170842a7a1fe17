//! The values of a field that are valid: the rules of `goten.annotations.validation_rules` that a specification can write.

use ::fields::schema::{Comparison, Format, Rule};

use super::keys::Keys;

pub(super) fn read(keys: &mut Keys<'_>) -> Vec<Rule> {
    let mut rules = Vec::new();
    if keys.is_set("required") {
        rules.push(Rule::Required);
    }
    let lengths = [("minLength", Comparison::AtLeast), ("maxLength", Comparison::AtMost)];
    rules.extend(lengths.into_iter().filter_map(|(key, it)| Some(Rule::Length(it, keys.count(key)?))));
    let items = [("minItems", Comparison::AtLeast), ("maxItems", Comparison::AtMost)];
    rules.extend(items.into_iter().filter_map(|(key, it)| Some(Rule::Items(it, keys.count(key)?))));
    let limits = [("minimum", Comparison::AtLeast), ("maximum", Comparison::AtMost)];
    rules.extend(limits.into_iter().filter_map(|(key, it)| Some(Rule::Number(it, keys.decimal(key)?))));
    if keys.is_set("uniqueItems") {
        rules.push(Rule::Unique);
    }
    rules.extend(keys.text("pattern").map(|it| Rule::Format(Format::Regex(it.value))));
    rules.extend(keys.choice("format", &FORMATS).map(|it| Rule::Format(format(it.value))));
    rules
}

#[derive(Clone, Copy)]
enum Named {
    Email,
    Hostname,
    Address,
    Ip,
    Ipv4,
    Ipv6,
    Uri,
    UriReference,
    Uuid,
    Pem,
}

const FORMATS: [(&str, Named); 10] = [
    ("email", Named::Email),
    ("hostname", Named::Hostname),
    ("address", Named::Address),
    ("ip", Named::Ip),
    ("ipv4", Named::Ipv4),
    ("ipv6", Named::Ipv6),
    ("uri", Named::Uri),
    ("uri_ref", Named::UriReference),
    ("uuid", Named::Uuid),
    ("pem", Named::Pem),
];

fn format(named: Named) -> Format {
    match named {
        Named::Email => Format::Email,
        Named::Hostname => Format::Hostname,
        Named::Address => Format::Address,
        Named::Ip => Format::Ip,
        Named::Ipv4 => Format::Ipv4,
        Named::Ipv6 => Format::Ipv6,
        Named::Uri => Format::Uri,
        Named::UriReference => Format::UriReference,
        Named::Uuid => Format::Uuid,
        Named::Pem => Format::Pem,
    }
}

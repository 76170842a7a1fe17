//! `format`: the form of a string.

use fields::schema::{Format, Rule};

use crate::{aggregate::Entry, decode::Decoder};

const NAMES: [&str; 11] =
    ["regex", "email", "address", "hostname", "ip", "ipv4", "ipv6", "uri", "uri_ref", "uuid", "pem"];

/// Reads the forms that a string has all of.
pub(super) fn read(option: &Entry, rules: &mut Vec<Rule>, decoder: &mut Decoder<'_>) {
    for field in decoder.body(option) {
        let format = match &*field.name {
            "regex" => {
                rules.extend(decoder.text(field).map(|it| Rule::Format(Format::Regex(it))));
                continue;
            }
            "email" => Format::Email,
            "address" => Format::Address,
            "hostname" => Format::Hostname,
            "ip" => Format::Ip,
            "ipv4" => Format::Ipv4,
            "ipv6" => Format::Ipv6,
            "uri" => Format::Uri,
            "uri_ref" => Format::UriReference,
            "uuid" => Format::Uuid,
            "pem" => Format::Pem,
            _ => {
                decoder.unknown(field, "format", &NAMES);
                continue;
            }
        };
        rules.extend(decoder.flag(field).then_some(Rule::Format(format)));
    }
}

//! Rules of strings and bytes.

use fields::schema::{Comparison, Rule};

use super::{format, numeric::sets, require, unsupported};
use crate::{aggregate::Entry, decode::Decoder};

const STRING: [&str; 13] = [
    "const",
    "len",
    "min_len",
    "max_len",
    "bytes_len",
    "min_bytes_len",
    "max_bytes_len",
    "prefix",
    "suffix",
    "format",
    "any_of",
    "none_of",
    "required",
];

const BYTES: [&str; 9] =
    ["const", "len", "min_len", "max_len", "prefix", "suffix", "format", "any_of", "none_of"];

/// The comparison of a length.
fn comparison(name: &str) -> Comparison {
    match name.split_once('_') {
        Some(("min", _)) => Comparison::AtLeast,
        Some(("max", _)) => Comparison::AtMost,
        _ => Comparison::Equal,
    }
}

/// `string`.
pub(super) fn strings(kind: &Entry, rules: &mut Vec<Rule>, decoder: &mut Decoder<'_>) {
    let (mut any, mut none) = (Vec::new(), Vec::new());
    for rule in decoder.body(kind) {
        let comparison = comparison(&rule.name);
        match &*rule.name {
            "const" => rules.extend(decoder.text(rule).map(Rule::Text)),
            "len" | "min_len" | "max_len" => {
                rules.extend(decoder.wrapped_count(rule).map(|it| Rule::Length(comparison, it)));
            }
            "bytes_len" | "min_bytes_len" | "max_bytes_len" => {
                rules.extend(decoder.wrapped_count(rule).map(|it| Rule::Bytes(comparison, it)));
            }
            "prefix" => rules.extend(decoder.text(rule).map(Rule::Prefix)),
            "suffix" => rules.extend(decoder.text(rule).map(Rule::Suffix)),
            "format" => format::read(rule, rules, decoder),
            "any_of" => decoder.push(rule, &mut any),
            "none_of" => decoder.push(rule, &mut none),
            "required" => require(rule, rules, decoder),
            _ => decoder.unknown(rule, "string", &STRING),
        }
    }
    sets(any, none, rules);
}

/// `bytes`: only their length; their contents are base64 in JSON, which the other rules do not mean.
pub(super) fn bytes(kind: &Entry, rules: &mut Vec<Rule>, decoder: &mut Decoder<'_>) {
    for rule in decoder.body(kind) {
        match &*rule.name {
            "len" | "min_len" | "max_len" => {
                let comparison = comparison(&rule.name);
                rules.extend(decoder.wrapped_count(rule).map(|it| Rule::Bytes(comparison, it)));
            }
            name if BYTES.contains(&name) => unsupported(rule, "bytes", decoder),
            _ => decoder.unknown(rule, "bytes", &BYTES),
        }
    }
}

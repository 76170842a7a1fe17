use diag::{Diagnostic, Severity, Span};

use crate::lookalike::{Lookalike, lookalike};
use crate::names::Names;
use crate::report::Report;
use crate::schema::{PlainScalar, resolve};
use crate::{NodeData, Style, codes};

/// The value of an unquoted text, with warnings about what others may read in it.
pub(crate) fn plain(text: &str, span: Span, names: &mut Names, report: &mut Report) -> NodeData {
    let data = plain_value(text, names);
    if matches!(data, NodeData::Float(_)) && matches!(resolve(text), PlainScalar::TooBig(_)) {
        report.push(too_big(text, span));
    } else {
        warn_lookalike(text, span, &data, false, report);
    }
    data
}

/// The value of an unquoted text.
pub(crate) fn plain_value(text: &str, names: &mut Names) -> NodeData {
    match resolve(text) {
        PlainScalar::Null => NodeData::Null,
        PlainScalar::Bool(value) => NodeData::Bool(value),
        PlainScalar::Int(value) => NodeData::Int(value),
        PlainScalar::Float(value) | PlainScalar::TooBig(value) => NodeData::Float(value),
        PlainScalar::Text => NodeData::String(names.share(text), Style::Plain),
    }
}

fn too_big(text: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(
        codes::NUMBER_TOO_BIG,
        span,
        format!("`{text}` is too large for a number and loses digits"),
    )
    .help("put it in quotes to keep every digit as text")
}

/// Warns when YAML 1.1 reads this text, which stands for `data` here, otherwise.
pub(crate) fn warn_lookalike(text: &str, span: Span, data: &NodeData, is_key: bool, report: &mut Report) {
    let Some(lookalike) = lookalike(text) else { return };
    // Few readers take a lone letter for a boolean, and it is too good a key to warn of.
    let is_letter = is_key && text.len() == 1 && matches!(lookalike, Lookalike::Bool(_));
    let severity = if is_letter { Severity::Hint } else { Severity::Warning };
    report.push_with(severity, span, || {
        let mut found = describe(text, span, data, &lookalike);
        found.severity = severity;
        found
    });
}

/// A number with an exponent where it would have many zeros.
fn shown(float: f64) -> String {
    let size = float.abs();
    if size != 0.0 && !(1e-7..1e21).contains(&size) { format!("{float:e}") } else { float.to_string() }
}

fn describe(text: &str, span: Span, data: &NodeData, lookalike: &Lookalike) -> Diagnostic {
    let here = match data {
        NodeData::Int(int) if int.to_string() != text => format!("the number {int}"),
        NodeData::Float(float) if shown(*float) != text => format!("the number {}", shown(*float)),
        NodeData::Int(_) | NodeData::Float(_) => "a number".to_owned(),
        _ => "text".to_owned(),
    };
    let there = match lookalike {
        Lookalike::Bool(value) => format!("`{value}`"),
        Lookalike::Number(number) => format!("the number {number}"),
        Lookalike::Text => "text".to_owned(),
        Lookalike::Date => "a date".to_owned(),
        Lookalike::Special => "an indicator of YAML".to_owned(),
    };
    let help = match data {
        NodeData::String(..) => "quote it, so that every parser reads it as text",
        _ => "quote it if it is text, or write the number in decimal",
    };
    let message = format!("`{text}` is {here} here, but {there} for YAML 1.1 parsers");
    let found = Diagnostic::warning(codes::AMBIGUOUS_SCALAR, span, message).help(help);
    match data {
        NodeData::String(..) => found.replace(format!("Quote `{text}`"), span, quoted(text)),
        // Quotes would make a text of a number.
        _ => found,
    }
}

/// Numbers and texts that resemble them need no escapes.
fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

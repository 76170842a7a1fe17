//! The ranges of catalogs, as the library `blang/semver` 4.0.0 reads them, peculiarities included.

use super::test::{Group, Operator, Test};
use crate::{quote::quote, version::Version};

/// Reads a range.
pub(super) fn parse(text: &str) -> Result<Vec<Group>, String> {
    let parts = parts(text);
    let mut groups = Vec::new();
    for alternative in alternatives(&parts)? {
        groups.push(expand(alternative)?);
    }
    groups.iter().map(|group| read(group)).collect()
}

fn read(parts: &[String]) -> Result<Group, String> {
    let tests = parts.iter().map(|part| test(part)).collect::<Result<_, _>>()?;
    Ok(Group { pre_releases: true, tests })
}

/// The parts between spaces, except those after a comparison operator. A part of one character is lost.
fn parts(text: &str) -> Vec<String> {
    let (mut parts, mut start, mut last) = (Vec::new(), 0, 0);
    let mut push = |part: &str| parts.push(part.replace(' ', ""));
    for (at, byte) in text.bytes().enumerate() {
        if byte != b' ' {
            last = byte;
        } else if !matches!(last, b'>' | b'<' | b'=') {
            if start + 1 < at {
                push(&text[start..at]);
            }
            start = at + 1;
        }
    }
    if start + 1 < text.len() {
        push(&text[start..]);
    }
    parts
}

fn alternatives(parts: &[String]) -> Result<Vec<&[String]>, String> {
    if parts.first().is_some_and(|first| first == "||") {
        return Err("First element in range is '||'".to_owned());
    }
    if parts.last().is_none_or(|last| last == "||") {
        return Err("Last element in range is '||'".to_owned());
    }
    let alternatives: Vec<_> = parts.split(|part| part == "||").collect();
    // Upstream reads that, and panics when it is evaluated.
    if alternatives.iter().any(|it| it.is_empty()) {
        return Err("there is nothing between two '||'".to_owned());
    }
    Ok(alternatives)
}

/// The operator and the version of a part.
fn cut(part: &str) -> Result<(&str, &str), String> {
    let Some(at) = part.find(|it: char| it.is_ascii_digit()) else {
        return Err(format!("Could not get version from string: {}", quote(part)));
    };
    let (operator, version) = part.split_at(at);
    Ok((operator.trim(), version))
}

/// Expands wildcards. Every part with an `x` in it is taken for one.
fn expand(parts: &[String]) -> Result<Vec<String>, String> {
    let mut expanded = Vec::new();
    for part in parts {
        let (operator, version) = cut(part)?;
        if part.contains('x') {
            expand_wildcard(operator, version, &mut expanded);
        } else {
            expanded.push(part.clone());
        }
    }
    Ok(expanded)
}

fn expand_wildcard(operator: &str, version: &str, expanded: &mut Vec<String>) {
    let flat = flat(version);
    let (comparison, is_next) = match operator {
        ">" => (">=", true),
        ">=" => (">=", false),
        "<" => ("<", false),
        "<=" => ("<", true),
        "" | "=" | "==" => {
            expanded.push(format!(">={flat}"));
            ("<", true)
        }
        "!=" | "!" => {
            expanded.push(format!("<{flat}"));
            (">=", true)
        }
        // An unknown operator is lost here.
        _ => ("", false),
    };
    let bound = if is_next { next(version, &flat) } else { flat };
    expanded.push(format!("{comparison}{bound}"));
}

/// A version with zeros for wildcards.
fn flat(version: &str) -> String {
    let flat = version.replacen(".x.x", ".x", 1).replacen(".x", ".0", 1);
    if flat.split('.').count() == 2 { format!("{flat}.0") } else { flat }
}

/// The first version after a wildcard; empty if there is none.
fn next(version: &str, flat: &str) -> String {
    let written: Vec<&str> = version.split('.').collect();
    let place = match (written.len(), written.last()) {
        (2, Some(&"x")) => 0,
        (3, Some(&"x")) => 1,
        _ => return String::new(),
    };
    let mut parts: Vec<String> = flat.split('.').map(str::to_owned).collect();
    let increased = parts.get(place).and_then(|it| it.parse::<i64>().ok()?.checked_add(1));
    match (increased, parts.get_mut(place)) {
        (Some(increased), Some(part)) => *part = increased.to_string(),
        _ => return String::new(),
    }
    parts.join(".")
}

fn test(part: &str) -> Result<Test, String> {
    let (operator, version) = cut(part)?;
    comparison(operator, version).map_err(|error| format!("Could not parse Range {}: {error}", quote(part)))
}

fn comparison(operator: &str, version: &str) -> Result<Test, String> {
    let whole = quote(&format!("{operator}{version}"));
    let compare = match operator {
        "" | "=" | "==" => Operator::Equal,
        ">" => Operator::Greater,
        ">=" => Operator::GreaterOrEqual,
        "<" => Operator::Less,
        "<=" => Operator::LessOrEqual,
        "!" | "!=" => Operator::NotEqual,
        _ => return Err(format!("Could not parse comparator {} in {whole}", quote(operator))),
    };
    let bound = Version::parse(version)
        .map_err(|error| format!("Could not parse version {} in {whole}: {error}", quote(version)))?;
    Ok(Test::Compare(compare, bound))
}

use std::collections::BTreeMap;
use std::path::Path;

use conversion::{Conversion, Direction, KindSummary};
use report::codes;
use serde_json::{Value, json};
use workspace::view::{DiagnosticView, Severity};

use crate::answer::{Answer, Code, has_errors};
use crate::args::{Convert, Format};
use crate::console::Console;
use crate::conversions::read_conversion;
use crate::files::{name, read_text};
use crate::load::Loaded;
use crate::problem::problem;
use crate::verbs::notes;

/// What is printed.
enum Converted {
    /// What is not the same in both versions.
    Summary { versions: [String; 2], kinds: Vec<KindSummary> },
    /// Resources of the other version.
    Resources(Value),
}

pub(crate) fn run(args: &Convert, console: Console) -> Answer {
    let mut loaded = super::read(&args.source);
    let mut problems = std::mem::take(&mut loaded.problems);
    if problems.is_empty() {
        // What else there is to say of specifications, `spec check` says.
        problems = loaded.workspace.diagnostics().diagnostics;
        problems.retain(|it| it.severity == Severity::Error);
    }
    let converted = match has_errors(&problems) {
        true => None,
        false => convert(args, &mut loaded, &mut problems).unwrap_or_else(|problem| {
            problems.push(*problem);
            None
        }),
    };
    let code = Code::of(&problems);
    match args.format {
        Format::Json => {
            let found = converted.as_ref().map(Converted::json);
            let out =
                json!({"format": "planloom.spec-convert/1", "converted": found, "diagnostics": problems});
            Answer { out: format!("{out}\n"), code, ..Answer::default() }
        }
        Format::Text => {
            let out = converted.as_ref().map(Converted::text).unwrap_or_default();
            Answer { out, err: notes(&problems, &loaded.texts, console), code }
        }
    }
}

/// Reads the conversion, and what is to be converted; `None` if the conversion has errors.
fn convert(
    args: &Convert,
    loaded: &mut Loaded,
    problems: &mut Vec<DiagnosticView>,
) -> Result<Option<Converted>, Box<DiagnosticView>> {
    let (conversion, found) = read_conversion(&args.conversion, loaded)?;
    problems.extend(found);
    let Some(conversion) = conversion else { return Ok(None) };
    let Some(file) = &args.resources else {
        let versions = conversion.versions().map(str::to_owned);
        return Ok(Some(Converted::Summary { versions, kinds: conversion.summary() }));
    };
    let text = read_text(&mut loaded.stdin, file)?;
    let resources = serde_json::from_str(&text).map_err(|error| {
        let help = "write one resource in JSON, or a list of resources";
        Box::new(problem(codes::CONVERTED, Some(&name(file)), format!("the file is not JSON: {error}"), help))
    })?;
    let direction = if args.back { Direction::ToOld } else { Direction::ToNew };
    resource(&conversion, direction, file, &resources).map(|it| Some(Converted::Resources(it)))
}

/// A resource of the other version, or a list of resources.
fn resource(
    conversion: &Conversion,
    direction: Direction,
    file: &Path,
    value: &Value,
) -> Result<Value, Box<DiagnosticView>> {
    if let Value::Array(items) = value {
        return items.iter().map(|it| resource(conversion, direction, file, it)).collect();
    }
    let named = value.get("name").and_then(Value::as_str).unwrap_or_default();
    let (message, help) = match conversion.resource(direction, value) {
        Some(Ok(converted)) => return Ok(converted),
        Some(Err(lost)) => (
            format!("`{named}`: the value of `{}` is not {}", lost.pointer, lost.constant),
            "leave the field out: the new version has no place for another value",
        ),
        None => (
            format!("`{named}` is not the name of a resource that both versions have"),
            "give each resource its `name`; use `--back` for resources of the new version",
        ),
    };
    Err(Box::new(problem(codes::CONVERTED, Some(&name(file)), message, help)))
}

impl Converted {
    fn text(&self) -> String {
        match self {
            Self::Resources(resources) => format!("{resources:#}\n"),
            Self::Summary { versions: [old, new], kinds } => {
                kinds.iter().flat_map(|it| it.lines([old, new])).map(|it| it + "\n").collect()
            }
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Resources(resources) => resources.clone(),
            Self::Summary { versions: [old, new], kinds } => {
                json!({"old": old, "new": new, "resources": kinds.iter().map(data).collect::<Vec<_>>()})
            }
        }
    }
}

fn data(kind: &KindSummary) -> Value {
    let pairs = |all: &[(String, String)]| all.iter().cloned().collect::<BTreeMap<_, _>>();
    let names = kind.names.iter().map(|it| {
        let (constants, defaults) = (pairs(&it.constants), pairs(&it.defaults));
        json!({"old": it.old, "new": it.new, "constants": constants, "defaults": defaults})
    });
    let fields = kind.fields.iter().map(|it| {
        let values = it.values.iter().map(|(old, new)| json!({"old": old, "new": new}));
        json!({"old": it.old, "new": it.new, "values": values.collect::<Vec<_>>(), "fixed": it.fixed})
    });
    let (names, fields): (Vec<_>, Vec<_>) = (names.collect(), fields.collect());
    json!({"old": kind.old, "new": kind.new, "names": names, "fields": fields})
}

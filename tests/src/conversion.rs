//! Conversions between the versions of a service that a page has.

use conversion::{Conversion, Direction, KindConversion, ParentUse};
use diag::{Source, Sources, Span};
use fields::{FieldMask, Filter, OrderBy};
use serde_json::{Value as Json, json};
use services::Questions as _;
use workspace::{Workspace, capability::diagnostic_views};

use crate::example::Inputs;

/// The answers to a conversion; `None` if a page has none.
pub(crate) fn answers(workspace: &mut Workspace, inputs: &Inputs) -> Option<Json> {
    let text = inputs.conversion.as_deref()?;
    let mut sources = Sources::new();
    let file = sources.add(Source::new("conversion.yaml", text));
    let parsed = syntax::parse(file, text, &syntax::Limits::default());
    let (mapping, mut found) = conversion::read(&parsed.document, Span::at(file, 0));
    found.splice(0..0, parsed.diagnostics);
    let (services, schemas) = (workspace.services(), workspace.schemas());
    let (conversion, problems) =
        mapping.map(|it| Conversion::new(&it, services, schemas)).unwrap_or_default();
    found.extend(problems);
    let diagnostics = diagnostic_views(&sources, &found);
    Some(json!({
        "diagnostics": diagnostics,
        "summary": conversion.as_ref().map(summary),
        "converted": conversion.as_ref().map(|it| converted(it, &inputs.converted)),
    }))
}

fn summary(conversion: &Conversion) -> Vec<String> {
    conversion.summary().iter().flat_map(|it| it.lines(conversion.versions())).collect()
}

fn converted(conversion: &Conversion, lines: &[String]) -> Json {
    lines.iter().map(|it| json!({"text": it, "converted": line(conversion, it)})).collect()
}

/// The conversion of `KIND PART TEXT`; `back-name` and `back-resource` are to the old version.
fn line(conversion: &Conversion, line: &str) -> String {
    let mut words = line.splitn(3, ' ');
    let (kind, part, text) = (words.next(), words.next(), words.next().unwrap_or_default());
    let kind = kind.and_then(|it| conversion.kind(it)).unwrap_or_else(|| panic!("{line}: no resource type"));
    let hidden = || "is not in the other version".to_owned();
    match part.unwrap_or_default() {
        "name" => kind.name(Direction::ToNew, text).unwrap_or_else(hidden),
        "back-name" => kind.name(Direction::ToOld, text).unwrap_or_else(hidden),
        "parent" => kind.parent(Direction::ToNew, text, ParentUse::List).unwrap_or_else(hidden),
        "mask" => {
            let mask = kind.mask(Direction::ToNew, &FieldMask::parse(text).expect("a mask"));
            if mask.is_empty() { "(no field)".to_owned() } else { mask.to_string() }
        }
        "filter" => said(kind.filter(&Filter::parse(text).expect("a filter")).map(|it| it.to_string())),
        "order" => said(kind.order(&OrderBy::parse(text).expect("an order")).map(|it| it.to_string())),
        "resource" => resource(kind, Direction::ToNew, text),
        "back-resource" => resource(kind, Direction::ToOld, text),
        other => panic!("{line}: nothing is called {other}"),
    }
}

fn said(converted: Result<String, conversion::Unconvertible>) -> String {
    converted.unwrap_or_else(|error| format!("{}: {}", error.code, error.message))
}

fn resource(kind: KindConversion<'_>, direction: Direction, text: &str) -> String {
    let value = serde_json::from_str(text).expect("JSON");
    match kind.value(direction, &value) {
        Ok(converted) => converted.to_string(),
        Err(lost) => format!("`{}` is not {}", lost.pointer, lost.constant),
    }
}

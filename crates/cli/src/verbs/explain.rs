use report::codes;
use std::path::Path;

use serde::Serialize;
use serde_json::Value as Json;
use workspace::{
    has_known_ending,
    view::{DiagnosticView, InferredView, OriginView},
};

use super::{notes, reported};
use crate::answer::{Answer, Code, json};
use crate::args::{Bosh, Explain, Format};
use crate::console::Console;
use crate::files::is_package;
use crate::load::{Loaded, load_changed};
use crate::place::pointer;
use crate::problem::problem;
use crate::show::graph::place;
use crate::show::value::{dotted, inline};
use crate::show::width::{clean, pad, width};

mod code;

/// `planloom.explain/1`
#[derive(Serialize)]
struct ExplainView {
    format: &'static str,
    pointer: String,
    /// Null where nothing stands there.
    value: Json,
    origin: Option<OriginView>,
    /// The reason for a value that no file sets.
    #[serde(skip_serializing_if = "Option::is_none")]
    inferred: Option<InferredView>,
    diagnostics: Vec<DiagnosticView>,
}

pub(crate) fn run(args: &Explain, console: Console) -> Answer {
    code::run(args, console).unwrap_or_else(|| explain_place(args, console))
}

fn explain_place(args: &Explain, console: Console) -> Answer {
    let mut loaded = match misused(args) {
        Some(problem) => Loaded { problems: vec![problem], ..Loaded::default() },
        None => load_changed(&args.inputs, &Bosh::default(), &args.changes, None),
    };
    let workspace = &mut loaded.workspace;
    let merged = workspace.merged(false);
    let pointer = pointer(&args.place, &merged.document, &mut |at| workspace.embedded(at));
    let has_files = !workspace.texts().is_empty();
    let origin = workspace.origin(&pointer).filter(|_| has_files);
    let inferred = merged.inferred.into_iter().find(|it| origin.is_none() && it.pointer == pointer);
    let value = match &inferred {
        Some(inferred) => inferred.value.clone(),
        None => merged.document.pointer(&pointer).cloned().unwrap_or_default(),
    };
    let mut diagnostics = std::mem::take(&mut loaded.problems);
    if diagnostics.is_empty() {
        diagnostics = merged.diagnostics;
        if origin.is_none() && inferred.is_none() && has_files {
            diagnostics.push(nothing_there(&args.place, workspace.nearest_pointer(&pointer)));
        }
    }
    args.changes.judge(&mut diagnostics);
    let code = Code::of(&diagnostics);
    let view = ExplainView { format: "planloom.explain/1", pointer, value, origin, inferred, diagnostics };
    match args.format {
        Format::Json => Answer { out: json(&view), code, ..Answer::default() },
        Format::Text => {
            let err = notes(&reported(&view.diagnostics), &loaded.texts, console);
            Answer { out: text(&view, console), err, code }
        }
    }
}

fn nothing_there(place: &str, near: Option<String>) -> DiagnosticView {
    let help = match near {
        Some(near) => format!("did you mean `{}`?", dotted(&near)),
        None => "`planloom merge` prints the whole document".into(),
    };
    problem(codes::NO_SUCH_PLACE, None, format!("there is no value at `{place}`"), help)
}

/// The error in the arguments, if there is one.
fn misused(args: &Explain) -> Option<DiagnosticView> {
    let place = &args.place;
    if place.is_empty() {
        let help = "name one, e.g. `services.web.payload`; `planloom merge` prints the whole document";
        return Some(problem(codes::NO_PLACE, None, "the path to explain is empty", help));
    }
    let is_file = |it: &str| (has_known_ending(it) || is_package(it)) && Path::new(it).is_file();
    if !is_file(place) {
        return args.inputs.files.is_empty().then(|| no_files(place));
    }
    let first = args.inputs.files.first().map(|it| it.display().to_string());
    match first {
        None => {
            let help = format!("give the path first: `planloom explain services.web.payload {place}`");
            Some(problem(codes::NO_PLACE, None, format!("`{place}` is a file: no path is given"), help))
        }
        Some(first) if !Path::new(&first).exists() => {
            let message = format!("`{place}` is a file and `{first}` is not: the path comes first");
            let help = format!("write `planloom explain {first} {place}`");
            Some(problem(codes::NO_PLACE, None, message, help))
        }
        Some(_) => None,
    }
}

/// The problem of a path without files, which may be meant as a code.
fn no_files(place: &str) -> DiagnosticView {
    let help = format!(
        "name the files that have it: `planloom explain {place} app.yaml`; or the code of a problem, such as \
         `{}`: `planloom explain codes` lists all",
        codes::NO_SUCH_PLACE
    );
    problem(codes::NO_PLACE, None, format!("no file is named in which `{place}` could be"), help)
}

/// The value, the location that sets it, and the values that it replaced.
fn text(view: &ExplainView, console: Console) -> String {
    let value = inline(&view.value);
    let rows = match (&view.origin, &view.inferred) {
        (Some(origin), _) => {
            let first = (value, place(&origin.location), origin.rule.phrase());
            let shadowed = origin.shadowed.iter();
            let shadowed = shadowed.map(|it| (inline(&it.value), place(&it.location), it.rule.phrase()));
            std::iter::once(first).chain(shadowed).collect()
        }
        (None, Some(inferred)) => vec![(value, place(&inferred.origin), &*inferred.because)],
        (None, None) => return String::new(),
    };
    let paint = console.out;
    let room = rows.iter().map(|(_, place, _)| place.len()).max().unwrap_or(0);
    let mut out = format!("{}\n", paint.bold(&dotted(&view.pointer)));
    let wide = rows.iter().map(|(.., rule)| width(rule)).max().unwrap_or(0);
    for (idx, (value, place, rule)) in rows.iter().enumerate() {
        let word = if idx == 0 { "is  " } else { "over" };
        let place = paint.dim(&pad(place, room));
        let value = if idx == 0 { paint.bold(value) } else { paint.dim(value) };
        out.push_str(&format!("  {word}  {place}  {}  {value}\n", pad(&clean(rule), wide)));
    }
    out
}

use serde::Serialize;
use serde_json::Value as Json;
use workspace::view::{DiagnosticView, OriginView};

use super::{notes, told};
use crate::answer::{Answer, Code, json};
use crate::args::{Explain, Format};
use crate::console::Console;
use crate::load::load;
use crate::place::pointer;
use crate::problem::problem;
use crate::show::graph::place;
use crate::show::value::{dotted, inline};
use crate::show::width::pad;

/// `planloom.explain/1`
#[derive(Serialize)]
struct ExplainView {
    format: &'static str,
    pointer: String,
    /// Null where nothing stands there.
    value: Json,
    origin: Option<OriginView>,
    diagnostics: Vec<DiagnosticView>,
}

pub(crate) fn run(args: &Explain, console: Console) -> Answer {
    let mut loaded = load(&args.inputs, None);
    let merged = loaded.workspace.merged(false);
    let pointer = pointer(&args.place, &merged.document);
    let origin = loaded.workspace.origin(&pointer);
    let value = merged.document.pointer(&pointer).cloned().unwrap_or_default();
    let mut diagnostics = std::mem::take(&mut loaded.problems);
    if diagnostics.is_empty() {
        diagnostics = merged.diagnostics;
        if origin.is_none() {
            let message = format!("nothing stands at `{}`", args.place);
            let help = "`planloom merge` prints the whole document";
            diagnostics.push(problem("no-such-place", None, message, help));
        }
    }
    let code = Code::of(&diagnostics);
    let view = ExplainView { format: "planloom.explain/1", pointer, value, origin, diagnostics };
    match args.format {
        Format::Json => Answer { out: json(&view), code, ..Answer::default() },
        Format::Text => {
            let err = notes(&told(&view.diagnostics), &loaded.texts, console);
            Answer { out: text(&view, console), err, code }
        }
    }
}

/// The value, who set it, and what it replaced.
fn text(view: &ExplainView, console: Console) -> String {
    let Some(origin) = &view.origin else { return String::new() };
    let paint = console.out;
    let first = (inline(&view.value), place(&origin.location), origin.rule.as_str());
    let shadowed =
        origin.shadowed.iter().map(|it| (inline(&it.value), place(&it.location), it.rule.as_str()));
    let rows: Vec<(String, String, &str)> = std::iter::once(first).chain(shadowed).collect();
    let room = rows.iter().map(|(_, place, _)| place.len()).max().unwrap_or(0);
    let mut out = format!("{}\n", paint.bold(&dotted(&view.pointer)));
    for (idx, (value, place, rule)) in rows.iter().enumerate() {
        let word = if idx == 0 { "is  " } else { "over" };
        let place = paint.dim(&pad(place, room));
        let value = if idx == 0 { paint.bold(value) } else { paint.dim(value) };
        out.push_str(&format!("  {word}  {place}  {}  {value}\n", pad(rule, 11)));
    }
    out
}

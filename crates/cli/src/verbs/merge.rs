use serde_json::Value as Json;

use super::Artifact;
use crate::answer::{Answer, Code, has_errors, json};
use crate::args::{Format, Merge, destination};
use crate::console::{Console, Paint};
use crate::load::load_site;
use crate::show::merge::with_origins;

pub(crate) fn run(args: &Merge, console: Console) -> Answer {
    let out = destination(args.out.as_deref());
    let mut loaded = load_site(&args.inputs, &args.bosh, out);
    let mut view = loaded.workspace.merged(args.origins);
    if !loaded.problems.is_empty() {
        view.diagnostics = std::mem::take(&mut loaded.problems);
    }
    let paint = if out.is_some() { Paint { on: false } } else { console.out };
    let text = match args.format {
        Format::Json => json(&view),
        Format::Text if is_empty(&view.document) && has_errors(&view.diagnostics) => String::new(),
        Format::Text => {
            let yaml = loaded.workspace.merged_yaml();
            match &view.origins {
                Some(origins) => with_origins(&yaml, &view.document, origins, paint),
                None => yaml,
            }
        }
    };
    if args.format == Format::Json && out.is_none() {
        return Answer { out: text, code: Code::of(&view.diagnostics), ..Answer::default() };
    }
    Artifact { text, to: out, diagnostics: view.diagnostics, texts: &loaded.texts, is_private: true }
        .answer(console)
}

/// Whether nothing could be made of the files.
fn is_empty(document: &Json) -> bool {
    document.is_null() || document.as_object().is_some_and(serde_json::Map::is_empty)
}

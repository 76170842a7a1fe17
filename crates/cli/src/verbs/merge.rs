use report::reported;
use serde_json::Value as Json;
use workspace::view::ReportCommand;

use super::{Artifact, notes};
use crate::answer::{Answer, Code, has_errors, json};
use crate::args::{Merge, ReportFormat, destination};
use crate::console::{Console, Paint};
use crate::findings::{findings, written};
use crate::load::load_changed;
use crate::problem::unwritable;
use crate::save::save;
use crate::show::merge::with_origins;

pub(crate) fn run(args: &Merge, console: Console) -> Answer {
    let out = destination(args.out.as_deref());
    let mut loaded = load_changed(&args.inputs, &args.bosh, &args.changes, out);
    let mut view = loaded.workspace.merged(args.origins);
    if !loaded.problems.is_empty() {
        view.diagnostics = std::mem::take(&mut loaded.problems);
    }
    args.changes.judge(&mut view.diagnostics);
    let paint = if out.is_some() { Paint { on: false } } else { console.out };
    let text = match args.format {
        ReportFormat::Json => json(&view),
        ReportFormat::Sarif | ReportFormat::Github => {
            let found = findings(ReportCommand::Merge, &reported(&view.diagnostics), &loaded.texts);
            written(&found, args.format).unwrap_or_default()
        }
        ReportFormat::Text if is_empty(&view.document) && has_errors(&view.diagnostics) => String::new(),
        ReportFormat::Text => {
            let yaml = loaded.workspace.merged_yaml();
            match &view.origins {
                Some(origins) => with_origins(&yaml, &view.document, origins, paint),
                None => yaml,
            }
        }
    };
    let code = Code::of(&view.diagnostics);
    match (args.format, out) {
        (ReportFormat::Json | ReportFormat::Sarif | ReportFormat::Github, None) => {
            return Answer { out: text, code, ..Answer::default() };
        }
        // Problems are complete also when the document is not.
        (ReportFormat::Sarif | ReportFormat::Github, Some(path)) => {
            let failed = save(path, &text).err().map(|it| notes(&[unwritable(path, &it)], &[], console));
            let code = if failed.is_some() { Code::Errors } else { code };
            return Answer { err: failed.unwrap_or_default(), code, ..Answer::default() };
        }
        (ReportFormat::Text, _) | (ReportFormat::Json, Some(_)) => {}
    }
    Artifact { text, to: out, diagnostics: view.diagnostics, texts: &loaded.texts, is_private: true }
        .answer(console)
}

/// True if nothing could be made of the files.
fn is_empty(document: &Json) -> bool {
    document.is_null() || document.as_object().is_some_and(serde_json::Map::is_empty)
}

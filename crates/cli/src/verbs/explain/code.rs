//! The meaning of the code of a problem.

use report::{codes::NO_SUCH_CODE, problem};
use serde::Serialize;
use workspace::view::{CodeView, DiagnosticView};

use crate::answer::{Answer, Code, json};
use crate::args::{Explain, Format};
use crate::console::Console;
use crate::show;
use crate::verbs::notes;

/// The word that stands for all codes.
const ALL: &str = "codes";

/// `planloom.code/1`
#[derive(Serialize)]
struct ExplainedCodeView {
    format: &'static str,
    /// Null where there is no such code.
    code: Option<CodeView>,
    diagnostics: Vec<DiagnosticView>,
}

/// The documentation of a code, or of all; `None` if it is no code but a path in the merged document.
pub(super) fn run(args: &Explain, console: Console) -> Option<Answer> {
    let has_files = !args.inputs.files.is_empty();
    if args.place == ALL && !has_files {
        return Some(all(args.format, console));
    }
    let known = codes::find(&args.place);
    let is_code = known.is_some() || (!has_files && is_written_as_code(&args.place));
    is_code.then(|| one(known, args, console))
}

fn all(format: Format, console: Console) -> Answer {
    let reference = codes::reference();
    let out = match format {
        Format::Json => json(&reference),
        Format::Text => show::code::list(&reference.codes, console),
    };
    Answer { out, ..Answer::default() }
}

fn one(known: Option<CodeView>, args: &Explain, console: Console) -> Answer {
    let problems = if known.is_none() { vec![unknown(&args.place)] } else { Vec::new() };
    let code = Code::of(&problems);
    match args.format {
        Format::Json => {
            let view = ExplainedCodeView { format: "planloom.code/1", code: known, diagnostics: problems };
            Answer { out: json(&view), code, ..Answer::default() }
        }
        Format::Text => {
            let out = known.map(|it| show::code::one(&it, console)).unwrap_or_default();
            Answer { out, err: notes(&problems, &[], console), code }
        }
    }
}

/// True for `family/name`, both as codes are written.
fn is_written_as_code(text: &str) -> bool {
    let is_word = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_lowercase())
            && it.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-')
    };
    text.split_once('/').is_some_and(|(family, name)| is_word(family) && is_word(name))
}

fn unknown(text: &str) -> DiagnosticView {
    let help = match codes::nearest(text) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`planloom explain codes` lists all codes; for a path, give the files".into(),
    };
    problem(NO_SUCH_CODE, None, format!("there is no code `{text}`"), help)
}

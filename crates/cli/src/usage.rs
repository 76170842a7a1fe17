use std::{env, process::ExitCode};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use serde_json::json;

use crate::answer::{Answer, Code};
use crate::problem::problem;

/// Answers a command line that was not understood, or that asked for help. Exit code 2 means something else here
/// than it does by custom, so wrong usage ends with 1.
pub(crate) fn refuse(mut error: clap::Error) -> ExitCode {
    put_likeliest_first(&mut error);
    let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    let code = if asked { Code::Fine } else { Code::Errors };
    if !asked && wants_json() {
        return Answer { out: as_json(&error), code, ..Answer::default() }.give();
    }
    drop(error.print());
    ExitCode::from(code as u8)
}

/// The names that may have been meant come with the likeliest last.
fn put_likeliest_first(error: &mut clap::Error) {
    for kind in [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue] {
        if let Some(ContextValue::Strings(names)) = error.get(kind) {
            let names = names.iter().rev().cloned().collect();
            error.insert(kind, ContextValue::Strings(names));
        }
    }
}

/// Whether a program reads the answer, as far as the words tell.
fn wants_json() -> bool {
    let words: Vec<String> = env::args().collect();
    let pair = words.windows(2).any(|it| it[0] == "--format" && it[1] == "json");
    pair || words.iter().any(|it| it == "--format=json")
}

fn as_json(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let verb = env::args().nth(1).filter(|it| !it.starts_with('-')).unwrap_or_else(|| "check".into());
    let help = "run `planloom --help`";
    let diagnostics = [problem("usage", None, message, help)];
    crate::answer::json(&json!({ "format": format!("planloom.{verb}/1"), "diagnostics": diagnostics }))
}

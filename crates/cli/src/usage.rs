use std::{env, process::ExitCode};

use clap::error::ErrorKind;
use serde_json::json;

use crate::answer::{Answer, Code};
use crate::problem::problem;

/// Answers a command line that was not understood, or that asked for help. Exit code 2 means something else here
/// than it does by custom, so wrong usage ends with 1.
pub(crate) fn refuse(error: &clap::Error) -> ExitCode {
    let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    let code = if asked { Code::Fine } else { Code::Errors };
    if !asked && wants_json() {
        return Answer { out: as_json(error), code, ..Answer::default() }.give();
    }
    drop(error.print());
    ExitCode::from(code as u8)
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

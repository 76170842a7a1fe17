use report::codes;
use std::{env, process::ExitCode};

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use serde_json::json;

use crate::answer::{Answer, Code};
use crate::args::{Cli, Color};
use crate::console::Console;
use crate::problem::problem;

/// Answers a command line with a usage error, or one that requests help. Exit code 2 has another meaning here than the
/// customary one, so wrong usage ends with 1.
pub(crate) fn refuse(mut error: clap::Error) -> ExitCode {
    put_likeliest_first(&mut error);
    let requested = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    let code = if requested { Code::Fine } else { Code::Errors };
    if !requested && wants_json() {
        return Answer { out: as_json(&error), code, ..Answer::default() }.give();
    }
    let text = in_colour(&error, requested);
    let (out, err) = if requested { (text, String::new()) } else { (String::new(), text) };
    Answer { out, err, code }.give()
}

/// The error in the arguments, or the help. Colours are left out where a quoted argument has an escape character of its
/// own.
fn in_colour(error: &clap::Error, requested: bool) -> String {
    let plain = error.render().to_string();
    let console = Console::new(Color::Auto);
    let paint = if requested { console.out } else { console.err };
    if paint.on && !plain.contains('\u{1b}') {
        paint.painted(&error.render().ansi().to_string())
    } else {
        plain
    }
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

/// True if a program reads the answer, as far as the words tell.
fn wants_json() -> bool {
    let words: Vec<String> = env::args().collect();
    let pair = words.windows(2).any(|it| it[0] == "--format" && it[1] == "json");
    pair || words.iter().any(|it| it == "--format=json")
}

fn as_json(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let diagnostics = [problem(codes::USAGE, None, message, "run `planloom --help`")];
    let verb = verb(env::args().skip(1));
    let line = match verb.as_deref() {
        Some(verb) if !TELLS.contains(&verb) => {
            json!({"format": format!("planloom.{verb}/1"), "diagnostics": diagnostics})
        }
        _ => json!({"type": "diagnostics", "diagnostics": diagnostics}),
    };
    format!("{line}\n")
}

/// The verbs that report errors as events.
const TELLS: [&str; 6] = ["apply", "destroy", "watch", "state", "adapter-test", "serve"];

/// The verb that was meant: the first word that is one.
fn verb(mut words: impl Iterator<Item = String>) -> Option<String> {
    let cli = Cli::command();
    words.find(|word| cli.get_subcommands().any(|it| it.get_name() == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verb_is_the_first_word_that_is_one() {
        let check = |words: &str, expected: Option<&str>| {
            assert_eq!(verb(words.split(' ').map(Into::into)).as_deref(), expected, "{words}");
        };
        check("--color always plan --distroy", Some("plan"));
        check("watch check.yaml --evry 1", Some("watch"));
        check("weave app.yaml", None);
    }
}

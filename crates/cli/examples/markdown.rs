//! Writes a page of Markdown for each verb of the command line, which `cargo xtask docs` shows, into a folder. They are made
//! from the arguments of the command line, as the manual pages are, and are not part of the program.

#[path = "../src/args/mod.rs"]
#[expect(dead_code, unused_imports, reason = "only the definitions are used")]
mod args;

use std::{env, error::Error, fs, path::Path};

use clap::{Arg, Command, CommandFactory};

fn main() -> Result<(), Box<dyn Error>> {
    let out = env::args().nth(1).ok_or("name a folder")?;
    fs::create_dir_all(&out)?;
    let mut program = args::Cli::command();
    program.build();
    for verb in program.get_subcommands().filter(|it| !it.is_hide_set()) {
        let page = Path::new(&out).join(format!("{}.md", verb.get_name()));
        fs::write(page, text(verb, "planloom", 1))?;
    }
    Ok(())
}

/// A command with its subcommands.
fn text(command: &Command, parent: &str, level: usize) -> String {
    let name = format!("{parent} {}", command.get_name());
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string);
    let mut text = format!("{} {name}\n\n{}.\n\n", "#".repeat(level), literal(&about.unwrap_or_default()));
    text += &format!("```sh\n{}\n```\n\n", usage(command, &name));
    text += &table("Arguments", level, command.get_positionals());
    let options = command.get_arguments().filter(|it| !it.is_positional());
    text += &table("Options", level, options);
    if let Some(after) = command.get_after_long_help().or(command.get_after_help()) {
        text += &format!("{}\n\n", literal(&after.to_string()));
    }
    let below = command.get_subcommands().filter(|it| !it.is_hide_set());
    text + &below.map(|it| self::text(it, &name, level + 1)).collect::<String>()
}

fn usage(command: &Command, name: &str) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    // What is rendered begins with the command's own name, with or without those above it.
    let arguments = usage.strip_prefix(name).or_else(|| usage.strip_prefix(command.get_name()));
    format!("{name}{}", arguments.unwrap_or_default())
}

fn table<'a>(title: &str, level: usize, arguments: impl Iterator<Item = &'a Arg>) -> String {
    let shown = arguments.filter(|it| !it.is_hide_set() && !is_general(it));
    let rows: String = shown.map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "{} {title}\n\n| {} | Meaning |\n|---|---|\n{rows}\n",
        "#".repeat(level + 1),
        title.trim_end_matches('s')
    )
}

/// True for the arguments that every command has.
fn is_general(argument: &Arg) -> bool {
    ["help", "version"].contains(&argument.get_id().as_str())
}

fn row(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let defaults: Vec<_> = argument.get_default_values().iter().map(|it| it.to_string_lossy()).collect();
    let values = argument.get_possible_values();
    let values: Vec<_> = values.iter().filter(|it| !it.is_hide_set()).map(|it| it.get_name()).collect();
    let takes_value = argument.get_action().takes_values();
    let mut notes = String::new();
    if takes_value && !values.is_empty() {
        notes += &format!(" One of `{}`.", values.join("`, `"));
    }
    if takes_value && !defaults.is_empty() {
        notes += &format!(" Default: `{}`.", defaults.join(" "));
    }
    let help = literal(&help.replace("\n\n", ". ").replace('\n', " "));
    let end = if help.ends_with(['.', ':']) { "" } else { "." };
    format!("| `{}` | {help}{end}{notes} |\n", argument.to_string().replace('|', "\\|"))
}

/// A text that means nothing but itself, but for code between backticks.
fn literal(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let shown =
        parts.map(
            |(index, part)| {
                if index % 2 == 1 { format!("`{}`", part.replace('|', "\\|")) } else { escaped(part) }
            },
        );
    shown.collect()
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace("{{", "&#123;&#123;");
    text.replace('|', "\\|").replace('*', "\\*").replace('_', "\\_").replace('[', "\\[")
}

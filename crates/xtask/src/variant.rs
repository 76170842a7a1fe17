//! Shows that no host compiles before it has a place for a new value of a closed set: a made-up one is added to a copy.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, bail};
use serde_json::Value as Json;

use crate::shell::{cargo, command, output, relative, root, target};

/// The set that gets a value.
const SET: Insertion = Insertion {
    file: "crates/view/src/plan.rs",
    behind: "        Forget = \"forget\",\n",
    text: "        /// It is made up.\n        Pause = \"pause\",\n",
};

/// Hosts, each after those that it needs.
const HOSTS: [Host; 3] = [
    Host { package: "planloom-cli", folder: "crates/cli/" },
    Host { package: "planloom-ui", folder: "crates/ui/" },
    Host { package: "planloom-web", folder: "web/" },
];

/// The value, as files name it that match on the set.
const VALUE: &str = "Action::Pause";

/// The compiler's error for a `match` that passes a value over.
const NON_EXHAUSTIVE: &str = "E0004";

/// The number of times that crates below a host are mended before that is given up: once for each crate, and there are fewer.
const ROUNDS: usize = 40;

struct Insertion {
    file: &'static str,
    behind: &'static str,
    text: &'static str,
}

struct Host {
    package: &'static str,
    folder: &'static str,
}

/// An error of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CompileError {
    code: String,
    file: String,
    line: u64,
    message: String,
    /// The edits that the compiler suggests.
    edits: Vec<Edit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Edit {
    file: String,
    start: usize,
    end: usize,
    text: String,
}

/// `variant`: the last line is `N passed, N failed`, a check for each host.
pub(crate) fn run() -> Result<ExitCode> {
    let copy = copy()?;
    SET.apply(&copy)?;
    println!("`Action` has one value more in {}", relative(&copy));
    let passed = HOSTS.iter().map(|host| host.is_refused(&copy)).collect::<Result<Vec<bool>>>()?;
    let failed = passed.iter().filter(|it| !**it).count();
    println!("{} passed, {failed} failed", passed.len() - failed);
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A new copy of the tracked files.
fn copy() -> Result<PathBuf> {
    let copy = target().join("variant");
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    let names = output(command("git").args(["ls-files", "-z"])).context("not a git working tree")?;
    for name in names.split_terminator('\0') {
        let (from, to) = (root().join(name), copy.join(name));
        fs::create_dir_all(to.parent().context("a file without a folder")?)?;
        fs::copy(&from, &to).with_context(|| format!("cannot copy {name}"))?;
    }
    Ok(copy)
}

impl Insertion {
    fn apply(&self, copy: &Path) -> Result<()> {
        let path = copy.join(self.file);
        let text = fs::read_to_string(&path)?;
        let [before, after] = text.split(self.behind).collect::<Vec<_>>()[..] else {
            bail!("{} does not have once what the value is added behind: {}", self.file, self.behind.trim());
        };
        fs::write(&path, [before, self.behind, self.text, after].concat())?;
        Ok(())
    }
}

impl Host {
    /// True if it does not compile, because matches of its own lack the value. The crates that it needs are mended first.
    fn is_refused(&self, copy: &Path) -> Result<bool> {
        for _ in 0..ROUNDS {
            let errors = check(copy, self.package)?;
            let (own, below): (Vec<_>, Vec<_>) =
                errors.into_iter().partition(|it| it.file.starts_with(self.folder));
            if below.is_empty() {
                return Ok(self.verdict(&own));
            }
            mend(copy, &below)?;
        }
        bail!("what {} needs could not be fixed", self.package)
    }

    fn verdict(&self, own: &[CompileError]) -> bool {
        let (lacking, other): (Vec<_>, Vec<_>) = own.iter().partition(|it| it.code == NON_EXHAUSTIVE);
        let is_refused = !lacking.is_empty() && other.is_empty();
        let word = if is_refused { "ok  " } else { "FAIL" };
        println!("{word} {} does not compile before these have the value:", self.package);
        lacking.iter().for_each(|it| println!("       {}:{}", it.file, it.line));
        other.iter().for_each(|it| println!("     another error: {}:{}: {}", it.file, it.line, it.message));
        if own.is_empty() {
            println!("     none: it compiles");
        }
        is_refused
    }
}

/// The errors of a package and of what it needs, as far as the compiler comes.
fn check(copy: &Path, package: &str) -> Result<Vec<CompileError>> {
    let mut check = cargo();
    check.args(["check", "--locked", "--quiet", "--message-format", "json", "--package", package]);
    check.current_dir(copy).env("CARGO_TARGET_DIR", target().join("variant-build"));
    println!("  $ cargo check --package {package}");
    let ended = check.output().context("cannot run cargo")?;
    let messages = String::from_utf8_lossy(&ended.stdout);
    let errors: Vec<CompileError> = messages.lines().filter_map(compile_error).collect();
    if errors.is_empty() && !ended.status.success() {
        bail!("{package} cannot be checked: {}", String::from_utf8_lossy(&ended.stderr).trim());
    }
    Ok(errors)
}

/// The error that a line of cargo's JSON tells of.
fn compile_error(line: &str) -> Option<CompileError> {
    let message_json: Json = serde_json::from_str(line).ok()?;
    let message = message_json.get("message").filter(|it| it["level"] == "error")?;
    let spans = message["spans"].as_array()?;
    let at = spans.iter().find(|it| it["is_primary"] == true)?;
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let children = message["children"].as_array().into_iter().flatten();
    let suggested = children.filter_map(|it| it["spans"].as_array()).flatten();
    Some(CompileError {
        code: text(&message["code"]["code"]),
        file: text(&at["file_name"]),
        line: at["line_start"].as_u64()?,
        message: text(&message["message"]),
        edits: suggested.filter_map(edit).collect(),
    })
}

fn edit(span: &Json) -> Option<Edit> {
    let place = |key: &str| usize::try_from(span[key].as_u64()?).ok();
    Some(Edit {
        file: span["file_name"].as_str()?.to_owned(),
        start: place("byte_start")?,
        end: place("byte_end")?,
        text: named_as_in_scope(span["suggested_replacement"].as_str()?),
    })
}

/// An arm without the path that the compiler puts before the value where it knows no shorter one.
fn named_as_in_scope(arm: &str) -> String {
    let Some((before, after)) = arm.split_once(VALUE) else { return arm.to_owned() };
    let before = before.trim_end_matches(|it: char| it.is_alphanumeric() || "_:".contains(it));
    [before, VALUE, after].concat()
}

/// Adds the arms that the compiler suggests, and says where.
fn mend(copy: &Path, errors: &[CompileError]) -> Result<()> {
    let hopeless = errors.iter().find(|it| it.code != NON_EXHAUSTIVE || it.edits.is_empty());
    if let Some(CompileError { file, line, message, .. }) = hopeless {
        bail!("{file}:{line}: {message}");
    }
    let mut edits: BTreeMap<&str, BTreeSet<(usize, usize, &str)>> = BTreeMap::new();
    for Edit { file, start, end, text } in errors.iter().flat_map(|it| &it.edits) {
        edits.entry(file).or_default().insert((*start, *end, text));
    }
    for (file, edits) in edits {
        println!("     arms are added in {file}: {}", edits.len());
        let mut text = fs::read_to_string(copy.join(file))?;
        edits.iter().rev().for_each(|(start, end, arm)| text.replace_range(start..end, arm));
        fs::write(copy.join(file), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message_line(code: &str) -> String {
        let span = |arm: Option<&str>| {
            json!({"file_name": "web/src/a.rs", "line_start": 4, "byte_start": 7, "byte_end": 7,
                "is_primary": true, "suggested_replacement": arm})
        };
        json!({"reason": "compiler-message", "message": {"level": "error", "code": {"code": code},
            "message": "non-exhaustive patterns", "spans": [span(None)],
            "children": [{"spans": []}, {"spans": [span(Some(", b => 1"))]}]}})
        .to_string()
    }

    #[test]
    fn errors_are_read_with_what_is_suggested() {
        let error = compile_error(&message_line(NON_EXHAUSTIVE)).expect("an error");
        assert_eq!(
            (error.code.as_str(), error.file.as_str(), error.line),
            (NON_EXHAUSTIVE, "web/src/a.rs", 4)
        );
        let edit = Edit { file: "web/src/a.rs".into(), start: 7, end: 7, text: ", b => 1".into() };
        assert_eq!(error.edits, [edit]);
        assert_eq!(compile_error("{\"reason\": \"build-finished\"}"), None);
    }

    #[test]
    fn arms_name_the_value_as_their_files_do() {
        assert_eq!(named_as_in_scope(",\n  some::plan::Action::Pause => 1"), ",\n  Action::Pause => 1");
        assert_eq!(named_as_in_scope("(Action::Pause, _) => 1"), "(Action::Pause, _) => 1");
    }

    #[test]
    fn only_matches_that_lack_the_value_count() {
        let error = |code: &str| compile_error(&message_line(code)).expect("an error");
        let web = &HOSTS[2];
        assert!(web.verdict(&[error(NON_EXHAUSTIVE)]));
        assert!(!web.verdict(&[error(NON_EXHAUSTIVE), error("E0308")]));
        assert!(!web.verdict(&[]));
    }
}

//! Shows that a capability which is loaded on demand needs a crate and a row in the table of parts: that of `tests/toy` in
//! the command line, the npm package and the app, of which no line knows it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result};
use serde_json::Value as Json;

use crate::{
    chromium, npm,
    shell::{cargo, command, program, run as carry_out, target},
    site::development::{self, Development},
    test::{Count, counted},
    tools, wasm,
};

/// The feature with which hosts are built; all of them depend on `capabilities`.
const FEATURE: &str = "capabilities/toy";

/// The arguments of the command line, each with the place of the native answer in a case.
const QUESTIONS: [(&[&str], &str); 2] =
    [(&["check", "--format", "json"], "check"), (&["merge", "--origins", "--format", "json"], "merged")];

/// `toy`: the last line is `N passed, N failed`.
pub(crate) fn run() -> Result<ExitCode> {
    let checks = [native, command_line, npm_package, app];
    let count =
        checks.into_iter().try_fold(Count::default(), |count, check| anyhow::Ok(count.and(check()?)))?;
    println!("{} passed, {} failed", count.passed, count.failed);
    Ok(if count.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The page as the suite runs it; its test writes the answers that hosts are held to.
fn native() -> Result<Count> {
    counted(cargo().args(["test", "--locked", "--quiet", "--package", "planloom-toy", "--test", "page"]))
}

/// The file with the native answers.
fn cases() -> PathBuf {
    target().join("toy-cases.json")
}

/// The program; who builds it next has the ordinary one again.
fn command_line() -> Result<Count> {
    carry_out(cargo().args(["build", "--locked", "--package", "planloom-cli", "--features", FEATURE]))?;
    let program = program();
    let cases: Vec<Json> = serde_json::from_str(&fs::read_to_string(cases())?)?;
    cases.iter().try_fold(Count::default(), |count, case| Ok(count.and(answers(&program, case)?)))
}

/// The counts of the answers of the program to a case that are, or are not, the same as those of the engine by itself.
fn answers(program: &Path, case: &Json) -> Result<Count> {
    let folder = target().join("toy/files");
    let names = write_files(case, &folder)?;
    QUESTIONS.iter().try_fold(Count::default(), |count, (question, answer)| {
        let mut command_line = command(program);
        let said = command_line.current_dir(&folder).args(*question).args(&names).output()?;
        let is_same = is_same(&said.stdout, &case["outputs"][answer]);
        let verdict = if is_same { "ok  " } else { "FAIL" };
        println!("{verdict} planloom {} {}", question.join(" "), names.join(" "));
        Ok(count.and(if is_same { Count::ONE } else { Count::failed(1) }))
    })
}

/// True if what was said is the JSON that a case has as text.
fn is_same(said: &[u8], answer: &Json) -> bool {
    let answer = answer.as_str().and_then(|it| serde_json::from_str::<Json>(it).ok());
    answer.is_some() && serde_json::from_slice(said).ok() == answer
}

/// Writes the files of a case into a folder; gives their names.
fn write_files(case: &Json, folder: &Path) -> Result<Vec<String>> {
    fs::create_dir_all(folder)?;
    let files = case["files"].as_array().context("a case without files")?;
    let write = |file: &Json| {
        let text = |key: &str| file[key].as_str().context("a file without name or text");
        fs::write(folder.join(text("name")?), text("text")?)?;
        Ok(text("name")?.to_owned())
    };
    files.iter().map(write).collect()
}

/// The page through the npm package, which is built beside the ordinary one.
fn npm_package() -> Result<Count> {
    let package = npm::build_with(Some(FEATURE), &target().join("toy/npm"))?;
    tools::node_modules("tests/npm")?;
    let mut suite = command("node");
    suite.arg("tests/npm/suite.mjs").arg(cases()).env("PLANLOOM_PACKAGE", package);
    counted(&mut suite)
}

/// Two lists of hosts, opened in the app.
fn app() -> Result<Count> {
    let dist = target().join("toy/site");
    carry_out(wasm::compile(&wasm::PACKAGES).args(["--features", FEATURE]))?;
    development::bundle_editor()?;
    Development::new(dist.clone(), false).assemble()?;
    tools::node_modules("tests/browser")?;
    let mut journeys = command("node");
    journeys.arg("tests/browser/toy.mjs").env("CHROME", chromium::find()?);
    counted(journeys.env("PLANLOOM_SITE", dist).env("PLANLOOM_CASES", cases()))
}

//! Everything that must pass: one step after the other, or side by side where one waits and the other computes. A failed
//! step does not keep the others from running.

use std::{
    collections::BTreeSet,
    env, fs,
    io::{BufRead, BufReader, Read},
    path::PathBuf,
    process::{Command, ExitCode, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Instant,
};

use anyhow::{Context, Result, anyhow, bail};

use crate::{
    ahead, chromium, docs, embed, npm, schemathesis,
    shell::{build_golem_network, build_programs, cargo, command, shown, target, which},
    site, tidy,
    tools::{self, WASM_BINDGEN},
    torture as faults,
};

/// Crates that are not compiled to wasm.
const NATIVE: [&str; 9] = [
    "planloom-adapter-container",
    "planloom-adapter-golem",
    "planloom-adapter-native",
    "planloom-adapter-process",
    "planloom-cli",
    "planloom-golem-network",
    "planloom-host",
    "planloom-tests",
    "planloom-xtask",
];

struct Step {
    name: &'static str,
    what: &'static str,
    run: fn() -> Result<Count>,
    /// It runs beside the step before it.
    beside: bool,
}

impl Step {
    const fn new(name: &'static str, what: &'static str, run: fn() -> Result<Count>) -> Self {
        Self { name, what, run, beside: false }
    }

    const fn beside(self) -> Self {
        Self { beside: true, ..self }
    }
}

const STEPS: [Step; 15] = [
    Step::new("setup", "tools, npm packages, Chromium", setup),
    Step::new("fmt", "formatting", fmt),
    Step::new("tidy", "what the compiler does not check", tidied).beside(),
    Step::new("clippy", "clippy natively", clippy),
    Step::new("clippy-wasm", "clippy for wasm32", clippy_wasm),
    Step::new("unit", "unit, property and suite tests natively", unit),
    Step::new(
        "wasm",
        "the tests of the store, the runtime and adapters in wasm, in Node; of the browser's database there",
        wasm,
    ),
    Step::new("torture", "a minute of random faults against the built program", torture).beside(),
    Step::new("openapi", "served APIs against their OpenAPI documents, with Schemathesis", served_api)
        .beside(),
    Step::new("suite", "the suite through the npm package in Node", suite),
    Step::new("package", "the npm package in Node, bundlers and a bare page", package),
    Step::new("editor", "the code editor: types, and checks in headless Chromium", editor).beside(),
    Step::new("browser", "the app in headless Chromium", browser),
    Step::new("embed", "the elements on bare pages and on the sites of four generators", embed::test),
    Step::new("docs", "the documentation: its links and its live examples", docs::test),
];

/// Checks that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
}

struct Outcome {
    name: &'static str,
    count: Count,
    seconds: f32,
}

/// Runs the steps named, or all; the last line is `N passed, N failed`.
pub(crate) fn run(names: &[String]) -> Result<ExitCode> {
    if names.first().is_some_and(|name| name == "--list") {
        STEPS.iter().for_each(|step| println!("{:<12} {}", step.name, step.what));
        return Ok(ExitCode::SUCCESS);
    }
    let known: BTreeSet<&str> = STEPS.iter().map(|step| step.name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name.as_str())) {
        bail!("no such step: {name}; `cargo xtask test --list` lists them");
    }
    let wanted = STEPS.iter().filter(|step| names.is_empty() || names.iter().any(|name| name == step.name));
    let wanted: Vec<&Step> = wanted.collect();
    let mut outcomes = Vec::new();
    for steps in wanted.chunk_by(|_, next| next.beside) {
        outcomes.extend(side_by_side(steps));
        let is_set_up = outcomes.len() == 1 && outcomes.iter().all(|it| it.count.failed == 0);
        if names.is_empty() && is_set_up {
            ahead::begin().unwrap_or_else(|error| println!("warning: {error:#}"));
        }
    }
    Ok(summary(&outcomes))
}

/// Carries out steps at the same time. Their lines mix; each step says its own counts.
fn side_by_side(steps: &[&Step]) -> Vec<Outcome> {
    thread::scope(|scope| {
        let begun: Vec<_> = steps.iter().map(|step| (step.name, scope.spawn(|| step.carry_out()))).collect();
        let ended = begun.into_iter().map(|(name, step)| {
            let failed = Outcome { name, count: Count { passed: 0, failed: 1 }, seconds: 0.0 };
            step.join().unwrap_or(failed)
        });
        ended.collect()
    })
}

fn summary(outcomes: &[Outcome]) -> ExitCode {
    println!();
    let mut total = Count::default();
    for Outcome { name, count, seconds } in outcomes {
        let verdict = if count.failed == 0 { "ok" } else { "FAILED" };
        println!(
            "{name:<12} {verdict:<7} {seconds:>7.1} s {:>6} passed, {} failed",
            count.passed, count.failed
        );
        total = total.and(*count);
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Step {
    fn carry_out(&self) -> Outcome {
        println!("\n== {}: {}", self.name, self.what);
        let start = Instant::now();
        let count = (self.run)().unwrap_or_else(|error| {
            println!("error: {error:#}");
            Count { passed: 0, failed: 1 }
        });
        let seconds = start.elapsed().as_secs_f32();
        println!("== {}: {} passed, {} failed, {seconds:.1} s", self.name, count.passed, count.failed);
        Outcome { name: self.name, count, seconds }
    }
}

fn setup() -> Result<Count> {
    tools::everything()?;
    Ok(Count::ONE)
}

fn fmt() -> Result<Count> {
    whole(cargo().args(["fmt", "--all", "--check"]))
}

fn clippy() -> Result<Count> {
    whole(cargo().args(["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn clippy_wasm() -> Result<Count> {
    tools::wasm_target()?;
    let mut clippy = cargo();
    clippy.args(["clippy", "--locked", "--workspace", "--target", "wasm32-unknown-unknown"]);
    clippy.args(NATIVE.iter().flat_map(|package| ["--exclude", package]));
    whole(clippy.args(["--", "-D", "warnings"]))
}

/// The suite's tests wrote the engine's answers in this run.
static HAS_ANSWERS: AtomicBool = AtomicBool::new(false);

/// Property tests draw the same values in each run, unless `PROPTEST_RNG_SEED` says another seed.
fn unit() -> Result<Count> {
    forget_answers()?;
    HAS_ANSWERS.store(true, Ordering::Relaxed);
    let mut test = cargo();
    if env::var_os("PROPTEST_RNG_SEED").is_none() {
        test.env("PROPTEST_RNG_SEED", "1");
    }
    // Tests often wait for containers, servers and timers, and not for a processor.
    if env::var_os("RUST_TEST_THREADS").is_none() {
        let threads = thread::available_parallelism().map_or(2, |it| it.get() + 1);
        test.env("RUST_TEST_THREADS", threads.to_string());
    }
    counted(test.args(["test", "--locked", "--workspace", "--no-fail-fast", "--quiet"]))
}

/// The browser's database is tried in a browser, the others in Node: each test says so itself.
fn wasm() -> Result<Count> {
    tools::wasm_target()?;
    let mut test = cargo();
    test.args(["test", "--locked", "--no-fail-fast", "--target", "wasm32-unknown-unknown", "--tests"]);
    test.args(["planloom-store", "planloom-runtime", "planloom-adapter"].map(|it| format!("--package={it}")));
    match which("chromedriver") {
        Some(driver) => drop(test.arg("--package=planloom-browser-state").env("CHROMEDRIVER", driver)),
        None => {
            println!("skipped: without chromedriver the browser's database is not held to what backends do")
        }
    }
    let runner = WASM_BINDGEN.folder()?.join("wasm-bindgen-test-runner");
    test.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner).env("WASM_BINDGEN_TEST_TIMEOUT", "120");
    counted(&mut test)
}

fn suite() -> Result<Count> {
    ahead::finish_package();
    npm::build()?;
    let pages = counted(command("node").arg("tests/npm/suite.mjs").arg(native_answers()?))?;
    let real = counted(command("node").arg("tests/npm/bosh.mjs"))?;
    let versions = counted(command("node").arg("tests/npm/versions.mjs"))?;
    Ok(pages.and(real).and(versions))
}

/// Where the native suite writes what the engine answers.
fn answers() -> PathBuf {
    target().join("suite-cases.json")
}

/// A file of an earlier build says nothing.
fn forget_answers() -> Result<()> {
    let cases = answers();
    if cases.exists() { Ok(fs::remove_file(&cases)?) } else { Ok(()) }
}

/// The answers of the native suite; it is run again where no step before did.
fn native_answers() -> Result<PathBuf> {
    let cases = answers();
    if HAS_ANSWERS.load(Ordering::Relaxed) && cases.is_file() {
        return Ok(cases);
    }
    forget_answers()?;
    // Whether the pages say the same is the business of the step `unit`.
    let ran = whole(cargo().args(["test", "--locked", "--quiet", "--workspace", "--test", "suite"]));
    if cases.is_file() {
        Ok(cases)
    } else {
        Err(ran.err().unwrap_or_else(|| anyhow!("the suite wrote no answers")))
    }
}

fn package() -> Result<Count> {
    npm::build()?;
    tools::node_modules("tests/npm")?;
    build_programs()?;
    let mut check = command("node");
    check.arg("tests/npm/run.mjs").env("CHROME", chromium::find()?).env("PLANLOOM_TARGET", target());
    check.env("PLANLOOM_BINARY", target().join("debug/planloom"));
    Ok(counted(&mut check)?.and(generated()?))
}

/// What is generated from service specifications, with the tools of those who use it.
fn generated() -> Result<Count> {
    let written = ["test", "--locked", "--quiet", "-p", "planloom-generate", "--test", "generate", "written"];
    whole(cargo().args(written))?;
    counted(command("node").arg("tests/npm/generated.mjs").env("PLANLOOM_TARGET", target()))
}

fn editor() -> Result<Count> {
    tools::node_modules("web/editor")?;
    let npm = |script: &str| {
        let mut npm = command("npm");
        npm.args(["--prefix", "web/editor", "run", "--silent", script]);
        npm
    };
    let types = whole(&mut npm("check"))?;
    Ok(types.and(counted(npm("test").env("CHROME", chromium::find()?))?))
}

fn browser() -> Result<Count> {
    // Trunk optimises the app anew each time, which takes minutes.
    if !ahead::finish_app() {
        site::build()?;
    }
    tools::node_modules("tests/browser")?;
    build_programs()?;
    build_golem_network()?;
    let chrome = chromium::find()?;
    let lane = |name: &str| {
        let mut lane = command("node");
        lane.arg("tests/browser/run.mjs").env("PLANLOOM_LANE", name).env("CHROME", &chrome);
        lane.env("PLANLOOM_SITE", target().join("site"));
        lane.env("PLANLOOM_BINARY", target().join("debug/planloom"));
        lane
    };
    both(lane("pages"), lane("servers"))
}

/// Two commands side by side that count their checks.
fn both(mut one: Command, mut other: Command) -> Result<Count> {
    thread::scope(|scope| {
        let other = scope.spawn(move || counted(&mut other));
        let one = counted(&mut one);
        let other = other.join().map_err(|_| anyhow!("a command could not be watched"))?;
        Ok(one?.and(other?))
    })
}

/// The seed is the same in each run, so that what fails once fails again.
fn torture() -> Result<Count> {
    counted(faults::harness()?.args(["60", "--seed", "1"]))
}

fn served_api() -> Result<Count> {
    let Some((program, phases)) = schemathesis::program()? else { return Ok(Count::default()) };
    build_programs()?;
    let mut check = command("node");
    check.arg("tests/served-api/run.mjs").arg(program).arg(target().join("debug/planloom")).arg(phases);
    counted(&mut check)
}

fn tidied() -> Result<Count> {
    let problems = tidy::problems()?;
    problems.iter().for_each(|problem| println!("{problem}"));
    Ok(Count { passed: u32::from(problems.is_empty()), failed: problems.len() as u32 })
}

/// A command that is one check.
fn whole(command: &mut Command) -> Result<Count> {
    crate::shell::run(command)?;
    Ok(Count::ONE)
}

/// A command that counts its checks in what it prints.
pub(crate) fn counted(command: &mut Command) -> Result<Count> {
    println!("  $ {}", shown(command));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let errors = child.stderr.take().context("no standard error")?;
    let errors = thread::spawn(move || echo(errors));
    let count = echo(child.stdout.take().context("no standard output")?);
    let count = count.and(errors.join().unwrap_or_default());
    let succeeded = child.wait()?.success();
    match (succeeded, count) {
        (true, Count { passed: 0, .. }) => bail!("{} checked nothing", shown(command)),
        (false, Count { failed: 0, .. }) => Ok(count.and(Count { passed: 0, failed: 1 })),
        (_, count) => Ok(count),
    }
}

/// Prints what comes and counts what it says.
fn echo(stream: impl Read) -> Count {
    let lines = BufReader::new(stream).split(b'\n').map_while(Result::ok);
    lines.fold(Count::default(), |count, line| {
        let line = String::from_utf8_lossy(&line).into_owned();
        println!("{line}");
        count.and(Count::of(&line))
    })
}

impl Count {
    const ONE: Self = Self { passed: 1, failed: 0 };

    /// These and others.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }

    /// What a summary line says: libtest's `test result: ok. 5 passed; 0 failed; …`, or our `5 passed, 0 failed`.
    fn of(line: &str) -> Self {
        let line = line
            .strip_prefix("test result: ")
            .and_then(|rest| Some(rest.split_once(". ")?.1))
            .unwrap_or(line);
        let mut parts = line.split([',', ';']).map(str::trim);
        let mut number = |word| parts.next()?.strip_suffix(word)?.trim().parse().ok();
        match (number("passed"), number("failed")) {
            (Some(passed), Some(failed)) => Self { passed, failed },
            _ => Self::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_summary_lines_count() {
        let of = |line| (Count::of(line).passed, Count::of(line).failed);
        assert_eq!(
            of("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out"),
            (12, 0)
        );
        assert_eq!(of("test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured"), (3, 2));
        assert_eq!(of("31 passed, 1 failed"), (31, 1));
        assert_eq!(of("test passed, 1 failed"), (0, 0));
        assert_eq!(of("running 3 tests"), (0, 0));
    }
}

//! The steps, and in which order they run.

use std::process::Command;

use anyhow::{Result, anyhow};

use super::{
    artifact::{MODULES, NATIVE, PACKAGE, SITE},
    count::{Count, counted, whole},
    shipped,
};
use crate::{
    chromium,
    output::{self, say},
    schemathesis,
    shell::{cargo, command, program, which},
    tidy,
    tools::{self, WASM_BINDGEN},
    torture as faults,
};

pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    pub(super) run: fn() -> Result<Count>,
}

/// Steps that run one after the other.
type Lane = &'static [Step];

const fn step(name: &'static str, what: &'static str, run: fn() -> Result<Count>) -> Step {
    Step { name, what, run }
}

/// The lanes of a phase run side by side; a phase begins when the one before it has ended.
///
/// The first two keep both processors busy with compiling while downloads, servers and timers are waited for; what ships is built
/// from the middle of the second on. Browsers run in a phase without the containers of unit tests, whose networks come and go:
/// Chromium ends all requests then.
pub(super) const PHASES: [&[Lane]; 3] = [
    &[
        &[
            step("fmt", "formatting", fmt),
            step("tidy", "what the compiler does not check", tidied),
            step("clippy", "everything compiles natively, and no lint is found", clippy),
        ],
        &[step("setup", "tools, packages of npm, PyPI and Debian, Chromium", setup)],
    ],
    &[
        &[step("unit", "unit, property and suite tests natively", unit)],
        &[
            step(
                "clippy-wasm",
                "what runs in browsers and Node compiles to wasm, and no lint is found",
                clippy_wasm,
            ),
            step("wasm", "store, runtime, adapters and the browser's database, tested in wasm", wasm),
            step("openapi", "served APIs against their OpenAPI documents, with Schemathesis", served_api),
            step("torture", "a minute of random faults against the built program", torture),
        ],
    ],
    &[
        &[
            step("browser", "the app in headless Chromium", browser),
            step("shipped", "the app as it ships: sizes, policy, parts, use without a network", shipped::app),
        ],
        &[
            step("editor", "the code editor: types, and checks in headless Chromium", editor),
            step("suite", "the suite through the npm package as it ships, in Node", shipped::suite),
            step(
                "embed",
                "the elements on bare pages and on the sites of four generators",
                shipped::elements,
            ),
            step("docs", "the documentation: its links and its live examples", shipped::documentation),
            step(
                "package",
                "the npm package as it ships, in Node, bundlers and a bare page",
                shipped::package,
            ),
        ],
    ],
];

/// All steps.
pub(super) fn all() -> impl Iterator<Item = &'static Step> {
    PHASES.iter().flat_map(|lanes| lanes.iter()).flat_map(|lane| lane.iter())
}

fn setup() -> Result<Count> {
    tools::everything()?;
    Ok(Count::ONE)
}

fn fmt() -> Result<Count> {
    whole(cargo().args(["fmt", "--all", "--check"]))
}

fn tidied() -> Result<Count> {
    let problems = tidy::problems()?;
    problems.iter().for_each(|problem| say(problem));
    Ok(Count { passed: u32::from(problems.is_empty()), failed: problems.len() as u32 })
}

fn clippy() -> Result<Count> {
    Ok(linted(NATIVE.get()?.warnings))
}

fn clippy_wasm() -> Result<Count> {
    let count = linted(*MODULES.get()?);
    crate::ahead::begin().unwrap_or_else(|error| note!("warning: {error:#}"));
    Ok(count)
}

fn linted(warnings: u32) -> Count {
    Count { passed: u32::from(warnings == 0), failed: warnings }
}

fn unit() -> Result<Count> {
    NATIVE.get()?.run()
}

/// The browser's database is tried in a browser, the others in Node: each test says so itself.
fn wasm() -> Result<Count> {
    tools::wasm_target()?;
    let mut test = cargo();
    test.args(["test", "--locked", "--no-fail-fast", "--target", "wasm32-unknown-unknown", "--tests"]);
    test.args(["planloom-store", "planloom-runtime", "planloom-adapter"].map(|it| format!("--package={it}")));
    match which("chromedriver") {
        Some(driver) => drop(test.arg("--package=planloom-browser-state").env("CHROMEDRIVER", driver)),
        None => say("skipped: without chromedriver the browser's database is not held to what backends do"),
    }
    let runner = WASM_BINDGEN.folder()?.join("wasm-bindgen-test-runner");
    test.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner).env("WASM_BINDGEN_TEST_TIMEOUT", "120");
    counted(&mut test)
}

/// The seed is the same in each run, so that what fails once fails again.
fn torture() -> Result<Count> {
    NATIVE.get()?;
    counted(faults::harness().args(["60", "--seed", "1"]))
}

fn served_api() -> Result<Count> {
    let Some((schemathesis, phases)) = schemathesis::program()? else { return Ok(Count::default()) };
    NATIVE.get()?;
    counted(command("node").arg("tests/served-api/run.mjs").arg(schemathesis).arg(program()).arg(phases))
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
    NATIVE.get()?;
    let (site, package) = (SITE.get()?, PACKAGE.get()?);
    journeys(&["pages", "views", "servers"], |journeys| {
        journeys.env("PLANLOOM_SITE", site).env("PLANLOOM_PACKAGE", package);
    })
}

/// Journeys through the app, the lanes side by side.
pub(super) fn journeys(lanes: &[&str], prepare: impl Fn(&mut Command)) -> Result<Count> {
    tools::node_modules("tests/browser")?;
    let chrome = chromium::find()?;
    let begun: Vec<_> = lanes
        .iter()
        .map(|lane| {
            let mut journeys = command("node");
            journeys.arg("tests/browser/run.mjs").env("PLANLOOM_LANE", lane).env("CHROME", &chrome);
            prepare(journeys.env("PLANLOOM_BINARY", program()));
            output::spawn(move || counted(&mut journeys))
        })
        .collect();
    begun.into_iter().try_fold(Count::default(), |count, lane| {
        Ok(count.and(lane.join().map_err(|_| anyhow!("journeys could not be watched"))??))
    })
}

//! The steps, and in which order they run.

use std::process::Command;

use anyhow::{Result, anyhow};

use super::{
    artifact::{MODULES, NATIVE, PACKAGE, SITE, modules},
    count::{Count, counted, whole},
    lint, shipped,
    unchanged::{Inputs, unless_unchanged},
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
            step(
                "torture",
                "a minute of random faults against the built program, and 10,000 plans with moves",
                torture,
            ),
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
    Ok(found(problems.len() as u32))
}

fn clippy() -> Result<Count> {
    Ok(found(NATIVE.get()?.warnings))
}

fn clippy_wasm() -> Result<Count> {
    let count = found(*MODULES.get()?);
    crate::ahead::begin().unwrap_or_else(|error| note!("warning: {error:#}"));
    Ok(count)
}

/// One check that passed, or so many that failed.
fn found(problems: u32) -> Count {
    if problems == 0 { Count::ONE } else { Count::failed(problems) }
}

fn unit() -> Result<Count> {
    NATIVE.get()?.run()
}

/// The browser's database is tried in a browser, the others in Node: each test says so itself. The packages of the modules are
/// named as well, so that what all depend on has the same features and is compiled once.
fn wasm() -> Result<Count> {
    tools::wasm_target()?;
    MODULES.get()?;
    let mut tests =
        vec![("planloom-store", "store"), ("planloom-runtime", "runtime"), ("planloom-adapter", "adapter")];
    let driver = which("chromedriver");
    match driver {
        Some(_) => tests.push(("planloom-browser-state", "conformance")),
        None => say("skipped: without chromedriver the browser's database is not held to what backends do"),
    }
    let test = || {
        let mut test = cargo();
        test.args(["test", "--locked", "--target", "wasm32-unknown-unknown"]);
        let packages = tests.iter().map(|it| it.0).chain(modules());
        test.args(packages.map(|it| format!("--package={it}")));
        test.args(tests.iter().map(|it| format!("--test={}", it.1)));
        test
    };
    let mut compile = test();
    compile.arg("--no-run");
    let compiled = lint::compile(compile)?.executables;
    let inputs = Inputs::common()?.files(compiled.iter().map(|it| it.path.as_path()))?;
    let mut run = test();
    let runner = WASM_BINDGEN.folder()?.join("wasm-bindgen-test-runner");
    run.arg("--no-fail-fast").env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner);
    run.env("WASM_BINDGEN_TEST_TIMEOUT", "120").envs(driver.map(|it| ("CHROMEDRIVER", it)));
    unless_unchanged("wasm", inputs, || counted(&mut run))
}

/// The seed is the same in each run, so that what fails once fails again.
fn torture() -> Result<Count> {
    let native = NATIVE.get()?;
    let inputs = Inputs::common()?.file(&program())?.file(faults::harness().get_program().as_ref())?;
    let broken =
        unless_unchanged("torture", inputs, || counted(faults::harness().args(["60", "--seed", "1"])))?;
    let planned = "workspace apply";
    let moved = unless_unchanged("moves", native.inputs(planned)?, || native.run_ignored(planned))?;
    Ok(broken.and(moved))
}

fn served_api() -> Result<Count> {
    let Some((schemathesis, phases)) = schemathesis::program()? else { return Ok(Count::default()) };
    NATIVE.get()?;
    let mut check = command("node");
    check.arg("tests/served-api/run.mjs").arg(schemathesis).arg(program()).arg(phases);
    unless_unchanged("openapi", Inputs::common()?.file(&program())?, || counted(&mut check))
}

fn editor() -> Result<Count> {
    tools::node_modules("web/editor")?;
    let npm = |script: &str| {
        let mut npm = command("npm");
        npm.args(["--prefix", "web/editor", "run", "--silent", script]);
        npm
    };
    let chrome = chromium::find()?;
    unless_unchanged("editor", Inputs::common()?, || {
        let types = whole(&mut npm("check"))?;
        Ok(types.and(counted(npm("test").env("CHROME", chrome))?))
    })
}

fn browser() -> Result<Count> {
    NATIVE.get()?;
    let (site, package) = (SITE.get()?, PACKAGE.get()?);
    journeys(
        &["pages", "views", "servers"],
        |lane| {
            let inputs = Inputs::common()?.built(site)?;
            // What is served comes from the program and the package's command.
            if lane == "servers" { inputs.built(&package.join("dist"))?.file(&program()) } else { Ok(inputs) }
        },
        |journeys| {
            journeys.env("PLANLOOM_SITE", site).env("PLANLOOM_PACKAGE", package);
        },
    )
}

/// Journeys through the app, the lanes side by side.
pub(super) fn journeys(
    lanes: &[&'static str],
    inputs: impl Fn(&str) -> Result<Inputs>,
    prepare: impl Fn(&mut Command),
) -> Result<Count> {
    tools::node_modules("tests/browser")?;
    let chrome = chromium::find()?;
    let begun = lanes.iter().map(|lane| {
        let mut journeys = command("node");
        journeys.arg("tests/browser/run.mjs").env("PLANLOOM_LANE", lane).env("CHROME", &chrome);
        prepare(journeys.env("PLANLOOM_BINARY", program()));
        let inputs = inputs(lane)?;
        let name = format!("journeys {lane}");
        Ok(output::spawn(move || unless_unchanged(&name, inputs, || counted(&mut journeys))))
    });
    let begun: Vec<_> = begun.collect::<Result<_>>()?;
    begun.into_iter().try_fold(Count::default(), |count, lane| {
        Ok(count.and(lane.join().map_err(|_| anyhow!("journeys could not be watched"))??))
    })
}

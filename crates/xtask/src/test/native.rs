//! The tests that run natively: compiled all at once, run several programs at a time.

use std::{
    collections::VecDeque,
    env,
    process::Command,
    sync::{Mutex, PoisonError},
    thread,
    time::{Instant, SystemTime},
};

use anyhow::{Context, Result, anyhow, bail};

use super::{
    checks,
    count::{Count, counted, tally},
    lint::{self, Compiled, Executable},
    unchanged::{Inputs, unless_unchanged},
};
use crate::{
    output::{self, say},
    shell::{cargo, root},
};

/// Programs that take long, the longest first: what is begun last should be short. The others follow by name.
const LONG: [&str; 9] = [
    "cli tests",
    "adapter-golem network",
    "adapter-container containers",
    "host tests",
    "adapter-process processes",
    "tests suite",
    "workspace apply",
    "golem",
    "access tests",
];

/// The number of programs that run at a time. Tests often wait for containers, servers and timers, and not for a processor.
const AT_A_TIME: usize = 3;

/// Everything native, compiled.
pub(crate) struct Native {
    pub(crate) warnings: u32,
    pub(crate) compiled_at: SystemTime,
    executables: Vec<Executable>,
    programs: Vec<Executable>,
}

/// Compiles tests, examples, and the programs of packages that have tests of their own, with the features that all need.
pub(crate) fn compile() -> Result<Native> {
    let mut tests = cargo();
    tests.args(["test", "--locked", "--workspace", "--no-run"]);
    let Compiled { warnings, mut executables, programs } = lint::compile(tests)?;
    if executables.is_empty() {
        bail!("cargo named no tests");
    }
    // It has no tests, so that cargo leaves it out above.
    let mut untested = cargo();
    untested.args(["build", "--locked", "--package", "planloom-splitter"]);
    let warnings = warnings + lint::compile(untested)?.warnings;
    let place = |it: &Executable| LONG.iter().position(|name| *name == it.name).unwrap_or(LONG.len());
    executables.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.name.cmp(&b.name)));
    Ok(Native { warnings, compiled_at: SystemTime::now(), executables, programs })
}

impl Native {
    /// Runs all tests, and those in documentation.
    pub(crate) fn run(&self) -> Result<Count> {
        let queue = Mutex::new(self.executables.iter().collect::<VecDeque<_>>());
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let output = output::current();
        let counts: Result<Vec<Count>> = thread::scope(|scope| {
            let lane = || {
                output::within(output.clone(), || {
                    let mut count = Count::default();
                    while let Some(executable) = next() {
                        count = count.and(self.run_changed(executable)?);
                    }
                    anyhow::Ok(count)
                })
            };
            let lanes: Vec<_> = (0..AT_A_TIME).map(|_| scope.spawn(lane)).collect();
            lanes
                .into_iter()
                .map(|it| it.join().map_err(|_| anyhow!("tests could not be watched"))?)
                .collect()
        });
        let count = counts?.into_iter().fold(Count::default(), Count::and);
        let mut documentation = cargo();
        documentation.args(["test", "--locked", "--workspace", "--doc", "--quiet"]);
        let examples =
            unless_unchanged("documentation", Inputs::common()?.sources()?, || counted(&mut documentation));
        Ok(count.and(examples?))
    }

    /// Runs the tests of a program, if something has changed that they read: among it, programs of their package. The tests of the
    /// repository itself read the sources.
    fn run_changed(&self, executable: &Executable) -> Result<Count> {
        let of_package = self.programs.iter().filter(|it| it.folder == executable.folder);
        let mut inputs =
            Inputs::common()?.files(of_package.chain([executable]).map(|it| it.path.as_path()))?;
        if executable.folder == root().join("tests") {
            inputs = inputs.sources()?;
        }
        unless_unchanged(&executable.name, inputs, || executable.run(&[]))
    }

    /// The inputs that the tests of a program read.
    pub(crate) fn inputs(&self, name: &str) -> Result<Inputs> {
        Inputs::common()?.file(&self.executable(name)?.path)
    }

    /// Runs the tests of a program whose names contain a word.
    pub(crate) fn run_some(&self, name: &str, word: &str) -> Result<Count> {
        let count = self.executable(name)?.run(&[word])?;
        if count == Count::default() { bail!("`{name}` has no test called `{word}`") } else { Ok(count) }
    }

    /// Runs the tests of a program that take too long to be among the others.
    pub(crate) fn run_ignored(&self, name: &str) -> Result<Count> {
        let count = self.executable(name)?.run(&["--ignored"])?;
        if count == Count::default() { bail!("`{name}` has no test that is ignored") } else { Ok(count) }
    }

    fn executable(&self, name: &str) -> Result<&Executable> {
        let found = self.executables.iter().find(|it| it.name == name);
        found.with_context(|| format!("no tests are called `{name}`"))
    }
}

impl Executable {
    /// Runs it as `cargo test` does. Its output is shown at its end, because others run beside it.
    fn run(&self, arguments: &[&str]) -> Result<Count> {
        let began = Instant::now();
        let mut test = Command::new(&self.path);
        test.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder).args(arguments);
        // Tests that pass say nothing otherwise, also those that were skipped.
        test.arg("--show-output");
        if env::var_os("PROPTEST_RNG_SEED").is_none() {
            // Property tests draw the same values in each run.
            test.env("PROPTEST_RNG_SEED", "1");
        }
        checks::ask_for_times(&mut test);
        let ran = test.output().with_context(|| format!("cannot run {}", self.path.display()))?;
        let text = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
        let mut count = text.lines().fold(Count::default(), |count, line| count.and(tally(line)));
        // libtest knows no other way to skip a test while it runs than to pass.
        let skipped = skipped(&text);
        count.passed = count.passed.saturating_sub(skipped);
        let failed = Count::failed(u32::from(!ran.status.success() && count.failed == 0));
        let count = count.and(failed);
        let without = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
        say(&format!("{}: {count}{without}, {:.1} s", self.name, began.elapsed().as_secs_f32()));
        let mut has_passed = false;
        for line in text.lines() {
            match line {
                "successes:" => has_passed = true,
                "failures:" => has_passed = false,
                _ => {}
            }
            if line.contains("skipped") || count.failed > 0 && !has_passed {
                say(line);
            }
        }
        Ok(count)
    }
}

/// The number of tests that say that they, or a part of them, were skipped.
fn skipped(text: &str) -> u32 {
    let (mut skipped, mut is_told) = (0, true);
    for line in text.lines() {
        if line.starts_with("---- ") {
            is_told = false;
        } else if !is_told && line.starts_with("skipped") {
            (skipped, is_told) = (skipped + 1, true);
        }
    }
    skipped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::root;

    #[test]
    fn tests_that_were_skipped_have_not_passed() {
        let text = "test a ... ok\ntest b ... ok\n\nsuccesses:\n\n---- a stdout ----\nskipped: no etcd\nskipped: no redis\n\n\
                    ---- b stdout ----\nit takes a while\n\nsuccesses:\n    a\n    b\n\ntest result: ok. 2 passed; 0 failed\n";
        assert_eq!(skipped(text), 1);
    }

    #[test]
    fn what_takes_long_exists() {
        for name in LONG {
            let package = name.split(' ').next().unwrap_or_default();
            let folders = ["crates", "tests"].map(|it| root().join(it).join(package));
            assert!(package == "tests" || folders.iter().any(|it| it.join("Cargo.toml").is_file()), "{name}");
        }
    }
}

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Stop, Verdict};

/// The result of a test, as JSON or, by [`Display`](fmt::Display), as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// `planloom.adapter-test/1`.
    pub format: String,
    /// The base URL of the adapter.
    pub base: String,
    /// The reported name and version of the adapter; empty if there was no description.
    pub adapter: String,
    /// The kind of the created resources.
    pub kind: String,
    /// The number of checks that passed.
    pub passed: usize,
    /// The number of checks that failed.
    pub failed: usize,
    /// The number of checks that could not be done.
    pub skipped: usize,
    /// The number of checks that were not begun because there was no adapter to test.
    #[serde(default)]
    pub not_run: usize,
    /// The checks, in the order in which they were done.
    pub checks: Vec<Checked>,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// The id of the check, e.g. `create-again`.
    pub id: String,
    /// The requirement that is checked.
    pub title: String,
    /// The outcome.
    pub outcome: Outcome,
    /// The reason of a failure, or further findings.
    pub detail: String,
    /// The requests and responses, one a line: `PUT … → 201 …`.
    pub lines: Vec<String>,
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The requirement is met.
    Passed,
    /// The requirement is not met.
    Failed,
    /// It could not be tested.
    Skipped,
    /// There was no adapter to test.
    NotRun,
}

impl Checked {
    pub(super) fn new(id: &str, title: &str, verdict: Verdict, lines: Vec<String>) -> Self {
        let (outcome, detail) = match verdict {
            Ok(detail) => (Outcome::Passed, detail),
            Err(Stop::Failed(why)) => (Outcome::Failed, why),
            Err(Stop::Skipped(why)) => (Outcome::Skipped, why),
            Err(Stop::NotRun(why)) => (Outcome::NotRun, why),
        };
        Self { id: id.into(), title: title.into(), outcome, detail, lines }
    }
}

impl Report {
    pub(super) fn new(base: &str, adapter: String, kind: &str, checks: Vec<Checked>) -> Self {
        let count = |outcome| checks.iter().filter(|check| check.outcome == outcome).count();
        Self {
            format: "planloom.adapter-test/1".into(),
            base: base.into(),
            adapter,
            kind: kind.into(),
            passed: count(Outcome::Passed),
            failed: count(Outcome::Failed),
            skipped: count(Outcome::Skipped),
            not_run: count(Outcome::NotRun),
            checks,
        }
    }

    /// True if no check failed, and none was left out because there was no adapter.
    pub const fn is_ok(&self) -> bool {
        self.failed == 0 && self.not_run == 0
    }

    /// The check of that id.
    pub fn check(&self, id: &str) -> Option<&Checked> {
        self.checks.iter().find(|check| check.id == id)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let adapter = if self.adapter.is_empty() { "an adapter" } else { &self.adapter };
        writeln!(f, "{adapter} at {}, kind `{}`\n", self.base, self.kind)?;
        let widest = self.checks.iter().map(|check| check.id.len()).max().unwrap_or_default();
        for check in &self.checks {
            let mark = match check.outcome {
                Outcome::Passed => "passed ",
                Outcome::Failed => "FAILED ",
                Outcome::Skipped => "skipped",
                Outcome::NotRun => "not run",
            };
            writeln!(f, "  {mark}  {:widest$}  {}", check.id, check.title)?;
            // The detail of checks that were not run is the same for all, and is written once, below.
            if !check.detail.is_empty() && check.outcome != Outcome::NotRun {
                writeln!(f, "           {:widest$}  {}", "", check.detail)?;
            }
            let shown = check.lines.iter().filter(|_| check.outcome == Outcome::Failed);
            shown.into_iter().try_for_each(|line| writeln!(f, "           {:widest$}  | {line}", ""))?;
        }
        write!(f, "\n{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)?;
        if self.not_run > 0 {
            let why = self.checks.iter().find(|it| it.outcome == Outcome::NotRun).map(|it| &it.detail);
            write!(f, ", {} not run: {}", self.not_run, why.map_or("", |it| it))?;
        }
        Ok(())
    }
}

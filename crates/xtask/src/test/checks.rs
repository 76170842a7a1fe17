//! Single checks, as the lines of test programs report them: which of them failed, and how long they took.

use std::{
    process::Command,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// The number of checks of a step that are listed with `--times`.
const LISTED: usize = 10;

static IS_TIMED: AtomicBool = AtomicBool::new(false);
static CHECKS: Mutex<Vec<Check>> = Mutex::new(Vec::new());

struct Check {
    step: &'static str,
    name: String,
    outcome: Outcome,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    Passed { seconds: f32 },
    Failed,
}

/// From now on, the times of checks are noted.
pub(crate) fn note_times() {
    IS_TIMED.store(true, Ordering::Relaxed);
}

/// Makes a program of tests report their times. The stable toolchain has that behind a variable.
pub(crate) fn ask_for_times(test: &mut Command) {
    if IS_TIMED.load(Ordering::Relaxed) {
        test.args(["-Zunstable-options", "--report-time"]).env("RUSTC_BOOTSTRAP", "1");
    }
}

/// Records the check that a line reports.
pub(crate) fn read(step: &'static str, line: &str) {
    if let Some((name, outcome)) = check(line) {
        let check = Check { step, name: name.to_owned(), outcome };
        CHECKS.lock().unwrap_or_else(PoisonError::into_inner).push(check);
    }
}

/// The checks of a step that failed, and with `--times` its slowest ones: a line each.
pub(crate) fn listed(step: &str) -> Vec<String> {
    let checks = CHECKS.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut failed, mut timed) = (Vec::new(), Vec::new());
    for check in checks.iter().filter(|it| it.step == step) {
        match check.outcome {
            Outcome::Failed => failed.push(format!("{:>13} failed  {}", "", check.name)),
            Outcome::Passed { seconds } => timed.push((seconds, &check.name)),
        }
    }
    let is_timed = IS_TIMED.load(Ordering::Relaxed);
    timed.sort_by(|a, b| b.0.total_cmp(&a.0));
    let slowest = timed.iter().take(if is_timed { LISTED } else { 0 });
    failed.extend(slowest.map(|(seconds, name)| format!("{:>11} {seconds:>7.1} s  {name}", "")));
    failed
}

/// The check of a line: `test NAME ... ok <1.2s>` or `test NAME ... FAILED` of libtest, `ok   NAME (1234 ms)` or `FAIL NAME`
/// of ours.
fn check(line: &str) -> Option<(&str, Outcome)> {
    if let Some(rest) = line.strip_prefix("test ") {
        let (name, rest) = rest.split_once(" ... ")?;
        if rest.starts_with("FAILED") {
            return Some((name, Outcome::Failed));
        }
        let seconds = rest.split_once('<')?.1.strip_suffix("s>")?;
        return Some((name, Outcome::Passed { seconds: seconds.parse().ok()? }));
    }
    if let Some(name) = line.strip_prefix("FAIL ") {
        return Some((name, Outcome::Failed));
    }
    let (name, rest) = line.strip_prefix("ok   ")?.rsplit_once(" (")?;
    let milliseconds: f32 = rest.strip_suffix(" ms)")?.parse().ok()?;
    Some((name, Outcome::Passed { seconds: milliseconds / 1000.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let passed = |seconds| Outcome::Passed { seconds };
        assert_eq!(check("test a::b ... ok <0.123s>"), Some(("a::b", passed(0.123))));
        assert_eq!(check("test a::b ... FAILED <0.123s>"), Some(("a::b", Outcome::Failed)));
        assert_eq!(check("test a::b ... FAILED"), Some(("a::b", Outcome::Failed)));
        assert_eq!(check("ok   a page (of 3) opens (1500 ms)"), Some(("a page (of 3) opens", passed(1.5))));
        assert_eq!(check("FAIL a page (of 3) opens"), Some(("a page (of 3) opens", Outcome::Failed)));
        assert_eq!(check("test a::b ... ok"), None);
        assert_eq!(check("ok   no time"), None);
    }
}

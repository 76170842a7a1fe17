//! Checks that are counted, in what commands print.

use std::{
    fmt,
    process::Command,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::{Result, bail};

use super::checks;
use crate::{
    output::{self, Output, follow, say},
    shell::shown,
};

/// Checks that passed and failed, and those that did not run because nothing that they read has changed since they passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
    pub(crate) unchanged: u32,
    /// Something was skipped.
    pub(crate) is_partial: bool,
}

/// A command that is one check.
pub(crate) fn whole(command: &mut Command) -> Result<Count> {
    crate::shell::run(command)?;
    Ok(Count::ONE)
}

/// A command that counts its checks in what it prints.
pub(crate) fn counted(command: &mut Command) -> Result<Count> {
    note!("  $ {}", shown(command));
    let total = Arc::new(Mutex::new(Count::default()));
    let sum = total.clone();
    let status = follow(command, move |line| {
        say(line);
        let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
        *sum = sum.and(tally(line));
    })?;
    let count = *total.lock().unwrap_or_else(PoisonError::into_inner);
    match (status.success(), count) {
        (true, Count { passed: 0, .. }) => bail!("{} checked nothing", shown(command)),
        (false, Count { failed: 0, .. }) => Ok(count.and(Count::failed(1))),
        (_, count) => Ok(count),
    }
}

/// The counts that a line reports for the checks of this step.
pub(crate) fn tally(line: &str) -> Count {
    if let Output::Step(step) = output::current() {
        checks::read(step, line);
    }
    Count::of(line)
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.unchanged > 0 { write!(f, ", {} unchanged", self.unchanged) } else { Ok(()) }
    }
}

impl Count {
    pub(crate) const ONE: Self = Self { passed: 1, failed: 0, unchanged: 0, is_partial: false };

    pub(crate) fn failed(failed: u32) -> Self {
        Self { failed, ..Self::default() }
    }

    /// These and others.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            unchanged: self.unchanged + other.unchanged,
            is_partial: self.is_partial || other.is_partial,
        }
    }

    /// The counts that a line reports: libtest's `test result: ok. 5 passed; 0 failed; …`, our `5 passed, 0 failed`, or that
    /// something was skipped.
    pub(crate) fn of(line: &str) -> Self {
        let is_partial = line.trim_start().starts_with("skipped");
        let line = line
            .strip_prefix("test result: ")
            .and_then(|rest| Some(rest.split_once(". ")?.1))
            .unwrap_or(line);
        let mut parts = line.split([',', ';']).map(str::trim);
        let mut number = |word| parts.next()?.strip_suffix(word)?.trim().parse().ok();
        match (number("passed"), number("failed")) {
            (Some(passed), Some(failed)) => Self { passed, failed, is_partial, ..Self::default() },
            _ => Self { is_partial, ..Self::default() },
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
        assert!(Count::of("skipped: without podman").is_partial);
        assert!(!Count::of("31 passed, 1 failed").is_partial);
    }
}

//! How long checks take, for `cargo xtask test --times`.

use std::{
    process::Command,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// How many checks of a step are listed.
const LISTED: usize = 10;

static IS_ON: AtomicBool = AtomicBool::new(false);
static CHECKS: Mutex<Vec<Check>> = Mutex::new(Vec::new());

struct Check {
    step: &'static str,
    name: String,
    seconds: f32,
}

/// From now on, checks are noted.
pub(crate) fn note_all() {
    IS_ON.store(true, Ordering::Relaxed);
}

/// Makes a program of tests report their times. The stable toolchain has that behind a variable.
pub(crate) fn ask(test: &mut Command) {
    if IS_ON.load(Ordering::Relaxed) {
        test.args(["-Zunstable-options", "--report-time"]).env("RUSTC_BOOTSTRAP", "1");
    }
}

/// Notes what a line says of a check.
pub(crate) fn read(step: &'static str, line: &str) {
    if !IS_ON.load(Ordering::Relaxed) {
        return;
    }
    if let Some((name, seconds)) = check(line) {
        let check = Check { step, name: name.to_owned(), seconds };
        CHECKS.lock().unwrap_or_else(PoisonError::into_inner).push(check);
    }
}

/// The slowest checks of a step, a line each.
pub(crate) fn slowest(step: &str) -> Vec<String> {
    let checks = CHECKS.lock().unwrap_or_else(PoisonError::into_inner);
    let mut own: Vec<&Check> = checks.iter().filter(|it| it.step == step).collect();
    own.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    own.iter().take(LISTED).map(|it| format!("{:>11} {:>7.1} s  {}", "", it.seconds, it.name)).collect()
}

/// The check of a line: `test NAME ... ok <1.2s>` of libtest, `ok   NAME (1234 ms)` of ours.
fn check(line: &str) -> Option<(&str, f32)> {
    if let Some(rest) = line.strip_prefix("test ") {
        let (name, rest) = rest.split_once(" ... ")?;
        let seconds = rest.split_once('<')?.1.strip_suffix("s>")?;
        return Some((name, seconds.parse().ok()?));
    }
    let (name, rest) = line.strip_prefix("ok   ")?.rsplit_once(" (")?;
    let milliseconds: f32 = rest.strip_suffix(" ms)")?.parse().ok()?;
    Some((name, milliseconds / 1000.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        assert_eq!(check("test a::b ... ok <0.123s>"), Some(("a::b", 0.123)));
        assert_eq!(check("ok   a page (of 3) opens (1500 ms)"), Some(("a page (of 3) opens", 1.5)));
        assert_eq!(check("test a::b ... ok"), None);
        assert_eq!(check("ok   no time"), None);
    }
}

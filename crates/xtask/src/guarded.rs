//! Programs that end with this one, in whatever way it ends.

use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};

use anyhow::{Context, Result};

use crate::shell::{command, prefixed, shown, which};

/// Runs its arguments until that program ends, or until the process that started this is gone: then no process holds its input
/// open. What reads that holds none of its outputs, which would seem to go on after the program.
const GUARD: &str = r#"exec 3<&0; "$@" </dev/null & child=$!; (cat <&3 >/dev/null 2>&1; kill "$child" 2>/dev/null) & watcher=$!
wait "$child"; code=$?; kill "$watcher" 2>/dev/null; exit "$code""#;

/// The same for a program with all that it starts: it leads a process group. Where the input ends at once, the group is not
/// there yet; then the process that would have led it is ended, and what it may have started since.
const GROUP_GUARD: &str = r#"exec 3<&0; setsid "$@" </dev/null & child=$!
(cat <&3 >/dev/null 2>&1; kill -- -"$child" || { kill "$child"; kill -- -"$child"; }) 2>/dev/null & watcher=$!
wait "$child"; code=$?; kill "$watcher" 2>/dev/null; exit "$code""#;

/// A program that ends when this value does, and when this program does.
pub(crate) struct Guarded {
    guard: Child,
    /// Held open for as long as the program is wanted.
    wanted: Option<ChildStdin>,
}

impl Guarded {
    pub(crate) fn start(program: &Command) -> Result<Self> {
        println!("  $ {}", shown(program));
        let started = guard(GUARD, program).stdin(Stdio::piped()).spawn();
        let mut guard = started.with_context(|| format!("cannot run {}", shown(program)))?;
        Ok(Self { wanted: guard.stdin.take(), guard })
    }

    /// The exit status of the program, if it has ended.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.guard.try_wait()?)
    }

    /// Ends the program, and waits until it has ended.
    pub(crate) fn end(mut self) -> Result<ExitStatus> {
        drop(self.wanted.take());
        Ok(self.guard.wait()?)
    }
}

/// A command that runs a program with all that it starts for as long as its own input is open.
pub(crate) fn guard_group(program: &Command) -> Command {
    guard(if which("setsid").is_some() { GROUP_GUARD } else { GUARD }, program)
}

fn guard(script: &str, program: &Command) -> Command {
    let mut guard = command("sh");
    guard.args(["-c", script, "guard"]);
    prefixed(guard, program)
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        io::{BufRead, BufReader},
        thread,
        time::Duration,
    };

    use super::*;

    #[test]
    fn guarded_processes_end_with_their_parent() {
        let mut sleep = Command::new("sleep");
        sleep.arg("600");
        let mut guarded = Guarded::start(&sleep).expect("sh");
        thread::sleep(Duration::from_millis(200));
        assert!(guarded.ended().expect("its state").is_none(), "it ends while it is still in use");
        assert!(!guarded.end().expect("its end").success());
    }

    #[test]
    fn a_group_ends_with_its_input() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "sleep 600 & echo $!; wait"]);
        let mut guard = guard_group(&shell).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("sh");
        let mut pid = String::new();
        BufReader::new(guard.stdout.take().expect("its output")).read_line(&mut pid).expect("a process");
        drop(guard.stdin.take());
        assert!(!guard.wait().expect("its end").success());
        let is_there =
            || Command::new("kill").args(["-0", pid.trim()]).output().is_ok_and(|it| it.status.success());
        for _ in 0..100 {
            if !is_there() {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("process {} goes on", pid.trim());
    }

    #[test]
    fn a_guard_ends_with_what_it_guards() {
        let mut exit = Command::new("sh");
        exit.args(["-c", "exit 7"]);
        let mut guarded = Guarded::start(&exit).expect("sh");
        // Waiting for it would close its input first.
        let status = loop {
            match guarded.ended().expect("its state") {
                Some(status) => break status,
                None => thread::sleep(Duration::from_millis(20)),
            }
        };
        assert_eq!(status.code(), Some(7));
    }
}

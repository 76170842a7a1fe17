//! The steps of a long task while they run, a line for each: its name, the time that it has taken and usually takes, and the
//! last line that its programs printed. Their whole output is shown if they fail.

use std::{
    collections::BTreeMap,
    error::Error,
    fmt, fs,
    io::{IsTerminal, stderr},
    path::PathBuf,
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::{
    output::{self, Output},
    shell::shown,
    tools,
};

const TICK: Duration = Duration::from_millis(200);
/// The interval at which a step says what it does where lines are not redrawn.
const SAID_EVERY: Duration = Duration::from_mins(1);
/// Lines of a program's output that are kept for the case that it fails.
const KEPT: usize = 400;

/// The exit code of a guard whose program was ended by it: that of the signal `TERM`.
const ENDED: i32 = 128 + 15;

/// Seconds below which a step that was never measured had nothing to do.
const NOTHING_DONE: f32 = 3.0;

/// The steps of a task.
pub(crate) struct Progress {
    bars: MultiProgress,
    /// Seconds that steps take on two processors.
    usual: BTreeMap<String, f32>,
    /// Seconds that they took when they were last done on this machine.
    measured: Mutex<BTreeMap<String, f32>>,
}

/// The error of a program that was ended because its result is not needed any more.
#[derive(Debug)]
struct Stopped(String);

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was stopped", self.0)
    }
}

impl Error for Stopped {}

/// The line of a step.
#[derive(Clone)]
pub(crate) struct Line {
    name: String,
    bar: ProgressBar,
    bars: MultiProgress,
    /// The time at which the step last said what it does.
    said: Arc<Mutex<Instant>>,
}

impl Progress {
    /// No steps yet; `usual` are the seconds that steps take where this machine has not done them before.
    pub(crate) fn new(usual: &[(&str, f32)]) -> Self {
        let usual = usual.iter().map(|(name, it)| ((*name).into(), *it)).collect();
        let text = file().and_then(|it| Ok(fs::read_to_string(it)?)).unwrap_or_default();
        let measured = text.lines().filter_map(|line| line.rsplit_once(' '));
        let measured = measured.filter_map(|(name, it)| Some((name.to_owned(), it.parse().ok()?))).collect();
        Self { bars: MultiProgress::new(), usual, measured: Mutex::new(measured) }
    }

    /// Does a step. Everything that is run with `shell::run` in it is shown in its line.
    pub(crate) fn step<T>(&self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let measured = self.measured.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied();
        let usual = measured.or_else(|| self.usual.get(name).copied());
        let line = Line {
            name: name.to_owned(),
            bar: self.bars.add(bar(name, usual)),
            bars: self.bars.clone(),
            said: Arc::new(Mutex::new(Instant::now())),
        };
        line.say(&format!("{name}{}", usual.map_or(String::new(), |it| format!(" (usually {})", time(it)))));
        line.bar.enable_steady_tick(TICK);
        let began = Instant::now();
        let result = output::within(Output::Line(line.clone()), work);
        let seconds = began.elapsed().as_secs_f32();
        line.bar.finish_and_clear();
        let end = match &result {
            Ok(_) => "done in",
            Err(error) if error.is::<Stopped>() => "stopped after",
            Err(_) => "FAILED after",
        };
        self.say(&format!("  {name}: {end} {}", time(seconds)));
        if result.is_ok() {
            self.remember(name, seconds);
        }
        result
    }

    /// Prints a line above those of the steps.
    pub(crate) fn say(&self, text: &str) {
        say(&self.bars, text);
    }

    /// A step that found nothing to do says nothing of how long it takes.
    fn remember(&self, name: &str, seconds: f32) {
        let mut measured = self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        let last = measured.get(name).copied();
        if seconds < last.map_or(NOTHING_DONE, |it| it / 4.0) {
            return;
        }
        measured.insert(name.to_owned(), seconds);
        let lines = measured.iter().map(|(name, it)| format!("{name} {it:.0}\n"));
        drop(file().map(|path| fs::write(path, lines.collect::<String>())));
    }
}

impl Line {
    /// Runs a program; its output is shown only as the last line, and whole if it fails.
    pub(crate) fn run(&self, command: &mut Command) -> Result<()> {
        let name = shown(command);
        self.follow(command.stdin(Stdio::null()), &name)
    }

    /// The same with the command's own input, and with another name for it.
    pub(crate) fn follow(&self, command: &mut Command, name: &str) -> Result<()> {
        let (line, kept) = (self.clone(), Arc::new(Mutex::new(Vec::new())));
        let keep = kept.clone();
        let status = output::follow(command, move |text| {
            line.show(text);
            keep.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
        })?;
        if status.success() {
            return Ok(());
        }
        if status.code() == Some(ENDED) {
            return Err(Stopped(name.to_owned()).into());
        }
        let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let first = kept.len().saturating_sub(KEPT);
        kept.iter().skip(first).for_each(|it: &String| say(&self.bars, it));
        bail!("{name} failed ({status})")
    }

    /// Shows what the step does.
    pub(crate) fn show(&self, text: &str) {
        self.bar.set_message(text.trim().to_owned());
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.elapsed() >= SAID_EVERY {
            *said = Instant::now();
            let took = time(self.bar.elapsed().as_secs_f32());
            self.say(&format!("{}: {took}, {}", self.name, text.trim()));
        }
    }

    /// Prints a line where lines are not redrawn.
    fn say(&self, text: &str) {
        if !stderr().is_terminal() {
            println!("  {text}");
        }
    }
}

fn say(bars: &MultiProgress, text: &str) {
    if !stderr().is_terminal() || bars.println(text).is_err() {
        println!("{text}");
    }
}

fn bar(name: &str, usual: Option<f32>) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{spinner} {prefix}  {wide_msg:.dim}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()).with_key("prefix", {
        let name = name.to_owned();
        move |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
            let of = usual.map_or(String::new(), |it| format!(" of about {}", time(it)));
            let _ = write!(out, "{name}: {}{of}", time(state.elapsed().as_secs_f32()));
        }
    }));
    bar
}

/// Seconds as `1:05`, or `12 s`.
fn time(seconds: f32) -> String {
    let whole = seconds.round() as u32;
    if whole < 60 { format!("{whole} s") } else { format!("{}:{:02} min", whole / 60, whole % 60) }
}

/// The file in which this machine's times are kept.
fn file() -> Result<PathBuf> {
    Ok(tools::cache()?.join("times.txt"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_at_a_glance() {
        assert_eq!([4.4, 59.6, 61.0, 600.0].map(time), ["4 s", "1:00 min", "1:01 min", "10:00 min"]);
    }

    #[test]
    fn what_failed_is_an_error_with_its_command() {
        let progress = Progress::new(&[]);
        let mut fails = Command::new("sh");
        fails.args(["-c", "echo no; exit 3"]);
        let result = progress.step("a step that fails", || crate::shell::run(&mut fails));
        assert!(result.is_err_and(|it| it.to_string().contains("sh -c")));
    }

    #[test]
    fn a_program_ends_when_it_is_not_wanted_any_more() {
        let (input, wanted) = std::io::pipe().expect("a pipe");
        let mut sleep = Command::new("sleep");
        drop(wanted);
        let result = Progress::new(&[])
            .step("a step that is stopped", || crate::shell::run_while(input, sleep.arg("600")));
        assert!(result.is_err_and(|it| it.is::<Stopped>() && it.to_string() == "sleep 600 was stopped"));
    }
}

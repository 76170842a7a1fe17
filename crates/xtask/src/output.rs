//! The output of each thread: at the terminal as it comes, in the line of a step that is under way, or after the name of one of
//! several steps that run side by side.

use std::{
    cell::RefCell,
    io::{BufRead, BufReader, Read},
    process::{Command, ExitStatus, Stdio},
    thread::{self, JoinHandle},
};

use anyhow::{Context, Result};

use crate::{progress::Line, shell::shown};

/// The destination of a thread's output.
#[derive(Clone, Default)]
pub(crate) enum Output {
    #[default]
    Terminal,
    Line(Line),
    Step(&'static str),
}

/// Shows a formatted line.
macro_rules! note {
    ($($text:tt)*) => { $crate::output::say(&format!($($text)*)) };
}

thread_local! {
    static CURRENT: RefCell<Output> = RefCell::default();
}

/// The output of this thread.
pub(crate) fn current() -> Output {
    CURRENT.with_borrow(Clone::clone)
}

/// Does something with another output. Threads begin with the terminal, so those that a step begins are given its output.
pub(crate) fn within<T>(output: Output, work: impl FnOnce() -> T) -> T {
    let before = CURRENT.replace(output);
    let result = work();
    CURRENT.set(before);
    result
}

/// Begins a thread that has the output of this one.
pub(crate) fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    let output = current();
    thread::spawn(move || within(output, work))
}

/// Shows a line.
pub(crate) fn say(text: &str) {
    match current() {
        Output::Terminal => println!("{text}"),
        Output::Line(line) => line.show(text),
        Output::Step(name) => println!("{name:>11} | {text}"),
    }
}

/// Runs a program, and gives each line that it prints to a function, which has the output of this thread.
pub(crate) fn follow(
    command: &mut Command,
    each: impl Fn(&str) + Clone + Send + 'static,
) -> Result<ExitStatus> {
    let name = shown(command);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot run {name}"))?;
    let readers = [child.stdout.take().map(boxed), child.stderr.take().map(boxed)].into_iter().flatten();
    let readers: Vec<_> = readers
        .map(|it| {
            let each = each.clone();
            spawn(move || lines(it).for_each(|line| each(&line)))
        })
        .collect();
    readers.into_iter().for_each(|it| drop(it.join()));
    child.wait().with_context(|| format!("{name} cannot be waited for"))
}

fn boxed(stream: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(stream)
}

/// The lines of a stream as text, without their ends.
fn lines(stream: impl Read) -> impl Iterator<Item = String> {
    let lines = BufReader::new(stream).split(b'\n').map_while(Result::ok);
    lines.map(|it| String::from_utf8_lossy(&it).trim_end_matches('\r').to_owned())
}

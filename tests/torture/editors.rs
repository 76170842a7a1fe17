use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write as _,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use fastrand::Rng;

use crate::program::find_program;

/// The programs that save a file while servers write it, each in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Editor {
    /// Writes a new file, and gives it the name of the old one.
    Sed,
    /// The same, with an unfinished file that stays there for a while.
    SwapFile,
    /// Renames the old file to its backup, and writes a new one.
    Vim,
    /// Truncates the file, and writes it again.
    Ed,
}

impl Editor {
    const ALL: [Self; 4] = [Self::Sed, Self::SwapFile, Self::Vim, Self::Ed];

    /// The ones that are installed here.
    fn installed() -> Vec<Self> {
        let is_there = |it: &Self| match it {
            Self::Sed | Self::SwapFile => true,
            Self::Vim => find_program("vim").is_some(),
            Self::Ed => find_program("ed").is_some(),
        };
        Self::ALL.into_iter().filter(is_there).collect()
    }

    /// Saves the file with another line at its end; false if the editor refuses, because the file is another one by then.
    fn add(self, path: &Path, line: &str) -> Result<bool> {
        match self {
            Self::Sed => must(Command::new("sed").args(["-i", &format!("$a {line}")]).arg(path), ""),
            Self::SwapFile => {
                let text = fs::read_to_string(path).context("the editor reads")?;
                let new = path.with_file_name(".app.yaml.swp");
                fs::write(&new, format!("{text}{line}\n"))?;
                fs::rename(&new, path)?;
                Ok(true)
            }
            Self::Vim => {
                let keys = format!("normal Go{line}");
                let arguments = ["-es", "-u", "NONE", "-n", "-c", &keys, "-c", "wq!"];
                // It asks whether to write a file that has changed since it was read, and refuses some.
                Ok(run(Command::new("vim").args(arguments).arg(path), "y")?.success())
            }
            Self::Ed => must(Command::new("ed").arg("-s").arg(path), &format!("$a\n{line}\n.\nw\nq\n")),
        }
    }
}

/// The lines that each editor saved.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    saved: BTreeMap<Editor, Vec<String>>,
}

impl Edits {
    /// The number of lines that each editor saved.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (Editor, usize)> {
        self.saved.iter().map(|(editor, lines)| (*editor, lines.len()))
    }

    /// Compares them with the file: only the editors themselves could take their lines out, and they do not.
    ///
    /// # Errors
    /// Edits that are lost, with their number.
    pub(crate) fn check(&self, text: &str) -> Result<()> {
        ensure!(!self.saved.is_empty(), "no editor saved anything");
        let lines: BTreeSet<&str> = text.lines().collect();
        for (editor, saved) in &self.saved {
            let lost: Vec<_> = saved.iter().filter(|it| !lines.contains(it.as_str())).collect();
            ensure!(
                lost.is_empty(),
                "{} of {} edits of {editor:?} were written over: {lost:?}",
                lost.len(),
                saved.len()
            );
        }
        Ok(())
    }
}

/// Saves the file with another line again and again, with one of the editors each time.
pub(crate) fn edit(path: &Path, random: &mut Rng, is_over: &AtomicBool) -> Result<Edits> {
    let (editors, mut edits) = (Editor::installed(), Edits::default());
    for number in 0.. {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        let editor = random.choice(&editors).copied().unwrap_or(Editor::Sed);
        let line = format!("# editor {number}");
        if editor.add(path, &line).with_context(|| format!("{editor:?}"))? {
            edits.saved.entry(editor).or_default().push(line);
        }
        thread::sleep(Duration::from_millis(random.u64(..30)));
    }
    Ok(edits)
}

/// Runs an editor that always saves.
fn must(command: &mut Command, input: &str) -> Result<bool> {
    let status = run(command, input)?;
    ensure!(status.success(), "it failed: {status}");
    Ok(true)
}

fn run(command: &mut Command, input: &str) -> Result<ExitStatus> {
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // Who does not ask does not read.
        drop(stdin.write_all(input.as_bytes()));
    }
    Ok(child.wait()?)
}

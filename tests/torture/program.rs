use std::{
    env,
    ffi::OsString,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

/// The path of a program of this machine, if it is installed.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|it| it.join(name)).find(|it| it.is_file())
}

/// The program as it is run in a round.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    pub(crate) folder: PathBuf,
    pub(crate) variables: Vec<(&'static str, String)>,
    /// The folder in which all output is kept, to be searched for secrets.
    pub(crate) outputs: PathBuf,
}

/// The outcome of a run.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// `None` where it was killed.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A run that has not ended.
pub(crate) struct Running {
    child: Child,
    out: PathBuf,
    err: PathBuf,
}

/// Longer than anything takes on a busy machine; a run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

impl Program {
    pub(crate) fn run(&self, words: &[OsString]) -> Result<Outcome> {
        self.start(words)?.wait()
    }

    pub(crate) fn start(&self, words: &[OsString]) -> Result<Running> {
        let number = fs::read_dir(&self.outputs).context("outputs")?.count();
        let file = |kind: &str| self.outputs.join(format!("{number:04}.{kind}"));
        let (out, err) = (file("out"), file("err"));
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder).args(words).env_clear().envs(self.variables.iter().cloned());
        command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&err)?);
        Ok(Running { child: command.spawn().context("planloom cannot be started")?, out, err })
    }
}

impl Running {
    /// Kills it, as a power cut would, once that much time has passed; it may have ended before.
    pub(crate) fn kill_after(mut self, time: Duration) -> Result<Outcome> {
        thread::sleep(time);
        // One that has ended is as good.
        drop(self.child.kill());
        self.wait()
    }

    /// Lets it run that long, unless it ends before.
    pub(crate) fn until(mut self, time: Duration) -> Result<Self> {
        let start = Instant::now();
        while start.elapsed() < time && self.child.try_wait()?.is_none() {
            thread::sleep(Duration::from_millis(5));
        }
        Ok(self)
    }

    pub(crate) fn wait(mut self) -> Result<Outcome> {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            if start.elapsed() > PATIENCE {
                drop(self.child.kill());
                self.child.wait()?;
                bail!("it hangs: no end after {} s\n{}", PATIENCE.as_secs(), text(&self.err)?);
            }
            thread::sleep(Duration::from_millis(5));
        };
        Ok(Outcome { code: status.code(), out: text(&self.out)?, err: text(&self.err)? })
    }
}

impl Outcome {
    pub(crate) fn is_fine(&self) -> bool {
        self.code == Some(0)
    }

    /// True if it reports that another process holds the state.
    pub(crate) fn is_locked(&self) -> bool {
        self.err.contains("state/locked") || self.out.contains("state/locked")
    }

    /// All that was said, for a report.
    pub(crate) fn summary(&self) -> String {
        format!("exit code {:?}\n{}{}", self.code, self.out, self.err)
    }
}

fn text(path: &Path) -> Result<String> {
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}

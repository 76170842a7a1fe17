//! A Podman for the tests.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

/// A Podman that runs as long as this program does.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) folder: PathBuf,
    /// Podman ends when this pipe is closed, with the end of this program.
    _guardian: Child,
}

/// The engine; `None` if there is none, which is printed once for each test.
pub(crate) fn engine(test: &str) -> Option<&'static Engine> {
    static ENGINE: OnceLock<Result<Engine, String>> = OnceLock::new();
    match ENGINE.get_or_init(Engine::start) {
        Ok(engine) => Some(engine),
        Err(why) => {
            // Written past the captured output of passing tests, so that this is not mistaken for a success.
            _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
            None
        }
    }
}

/// The script that starts a Podman, and removes it.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/containers/podman.sh");

impl Engine {
    fn start() -> Result<Self, String> {
        let io = |error: std::io::Error| format!("cannot set up a Podman: {error}");
        let folder = std::env::temp_dir().join(format!("planloom-container-{}", std::process::id()));
        let mut command = Command::new("/bin/sh");
        // A process group of its own, so that a signal to the tests does not end it too early.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.arg(SCRIPT).arg(&folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut guardian = command.spawn().map_err(io)?;
        let mut said = String::new();
        if let Some(out) = guardian.stdout.take() {
            BufReader::new(out).read_line(&mut said).map_err(io)?;
        }
        match said.trim() {
            "ready" => Ok(Self { folder, _guardian: guardian }),
            "" => Err("what sets up a Podman said nothing".into()),
            why => Err(why.to_owned()),
        }
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join("podman.sock")
    }

    /// The output of Podman for these arguments.
    pub(crate) fn podman(&self, words: &[&str]) -> Result<String, String> {
        let output = Command::new("podman").args(words).envs(environment(&self.folder)).output();
        let output = output.map_err(|error| error.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }
}

fn environment(folder: &Path) -> [(&'static str, PathBuf); 2] {
    [
        ("CONTAINERS_CONF", folder.join("containers.conf")),
        ("CONTAINERS_STORAGE_CONF", folder.join("storage.conf")),
    ]
}

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, channel},
    },
    thread,
    time::Duration,
};

use expect_test::Expect;
use serde_json::Value as Json;

/// A folder with files, in which `planloom` is run.
pub(crate) struct Folder {
    path: PathBuf,
    stdin: Vec<u8>,
    variables: Vec<(&'static str, &'static str)>,
}

/// The output of a run.
pub(crate) struct RunOutput {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("a new folder");
        let folder = Self { path, stdin: Vec::new(), variables: vec![("COLUMNS", "100")] };
        for (name, text) in files {
            folder.write(name, text.as_bytes());
        }
        folder
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder of the file");
        fs::write(path, bytes).expect("a file");
    }

    pub(crate) fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path.join(name)).ok()
    }

    /// The names in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).expect("the folder").map(|it| it.expect("an entry"));
        let mut names: Vec<String> =
            entries.map(|it| it.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(crate) fn stdin(mut self, bytes: &[u8]) -> Self {
        self.stdin = bytes.to_vec();
        self
    }

    pub(crate) fn variable(mut self, name: &'static str, value: &'static str) -> Self {
        self.variables.push((name, value));
        self
    }

    /// Another value for a variable, from now on.
    pub(crate) fn set(&mut self, name: &'static str, value: &'static str) {
        self.variables.retain(|(known, _)| *known != name);
        self.variables.push((name, value));
    }

    /// Runs `planloom` with words that have no blanks in them.
    pub(crate) fn run(&self, words: &str) -> RunOutput {
        let mut child = self.command(words).stdin(Stdio::piped()).spawn().expect("the binary");
        let mut stdin = child.stdin.take().expect("its input");
        let bytes = self.stdin.clone();
        // It may end before it has read all.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
        let Output { status, stdout, stderr } = child.wait_with_output().expect("its end");
        writer.join().expect("all is written");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        RunOutput { out: text(stdout), err: text(stderr), code: status.code().expect("an exit code") }
    }

    pub(crate) fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_planloom"));
        command.current_dir(&self.path).args(words.split_whitespace());
        command.env_clear().envs(self.variables.iter().copied());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Compares the output, the messages and the exit code of a command with those expected.
    #[track_caller]
    pub(crate) fn check(&self, words: &str, expected: &Expect) {
        let RunOutput { out, err, code } = self.run(words);
        let mut shown = out;
        if !err.is_empty() {
            shown.push_str(&format!("--- standard error\n{}", without_times(&err)));
        }
        shown.push_str(&format!("--- exit code {code}\n"));
        expected.assert_eq(&shown);
    }
}

/// A text with `…` for how long steps took.
fn without_times(text: &str) -> String {
    let line = |line: &str| match line.rsplit_once(" in ") {
        Some((before, time)) if time.ends_with(" s") && time.starts_with(|it: char| it.is_ascii_digit()) => {
            format!("{before} in … s\n")
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Removes a folder. Supervisors and agents are processes of their own, and may write a file while it is being removed.
#[track_caller]
pub(crate) fn remove_folder(path: &Path) {
    for _ in 0..100 {
        if fs::remove_dir_all(path).is_ok() {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("{} is not there, or cannot be removed", path.display());
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left over lies in the build folder and does no harm.
        drop(fs::remove_dir_all(&self.path));
    }
}

impl RunOutput {
    /// Standard output as one JSON object, and nothing on standard error.
    #[track_caller]
    pub(crate) fn json(&self) -> Json {
        assert_eq!(self.err, "", "diagnostics are in the object");
        let json: Json = serde_json::from_str(&self.out).expect("one JSON object");
        assert!(json.is_object());
        json
    }
}

/// The codes of the diagnostics of a view.
pub(crate) fn codes(view: &Json) -> Vec<&str> {
    let diagnostics = view["diagnostics"].as_array().expect("diagnostics");
    diagnostics.iter().map(|it| it["code"].as_str().expect("a code")).collect()
}

/// A `watch` that goes on until it is dropped, and what it tells.
pub(crate) struct Watch {
    child: Child,
    events: Receiver<Json>,
}

impl Watch {
    /// The longest silence, for who shares this machine with much else; what is waited for comes much sooner.
    const PATIENCE: Duration = Duration::from_secs(300);

    pub(crate) fn start(folder: &Folder, words: &str) -> Self {
        let mut command = folder.command(&format!("watch {words} --every 1 --format json"));
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("planloom");
        let (tell, events) = channel();
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        thread::spawn(move || {
            let mut reported = lines.map_while(Result::ok).filter_map(|it| serde_json::from_str(&it).ok());
            // Nobody listens any more once the test has ended.
            reported.try_for_each(|it| tell.send(it)).ok();
        });
        Self { child, events }
    }

    /// Waits for an event of that type.
    #[track_caller]
    pub(crate) fn until(&self, kind: &str) -> Json {
        loop {
            let event = self.events.recv_timeout(Self::PATIENCE).expect("it goes on telling");
            if event["type"] == kind {
                return event;
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // One that has ended already is fine.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

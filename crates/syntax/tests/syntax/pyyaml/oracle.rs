//! PyYAML, in one process for all documents.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

/// The answer of PyYAML about one document.
#[derive(Debug)]
pub(crate) enum Answer {
    Refused,
    /// The tree, as `readers/compose.py` writes it.
    Read(Json),
}

/// The first is what the user means by `python3`, the second what the system's packages are for.
const PYTHONS: [&str; 2] = ["python3", "/usr/bin/python3"];

/// The answer of PyYAML about each document, or the reason why it cannot be asked.
pub(crate) fn ask(documents: &[String]) -> Result<Vec<Answer>, String> {
    let [first, second] = PYTHONS;
    run(first, documents).or_else(|why| run(second, documents).map_err(|_| why))
}

fn run(python: &str, documents: &[String]) -> Result<Vec<Answer>, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syntax/readers/compose.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("python3 cannot be run: {error}"))?;
    let mut input = child.stdin.take().ok_or("python3 has no standard input")?;
    let text = documents.join("\0");
    // A closed pipe means that the process has ended; its exit status says why.
    let writer = std::thread::spawn(move || _ = input.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    _ = writer.join();
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let last = errors.lines().last().unwrap_or("it says nothing");
        return Err(format!("python3 with PyYAML is not there ({last})"));
    }
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    Ok(text.lines().skip(1).map(answer).collect())
}

fn answer(line: &str) -> Answer {
    let read: Json = serde_json::from_str(line).expect("JSON");
    if read[0] == "error" { Answer::Refused } else { Answer::Read(read) }
}

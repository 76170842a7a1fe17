//! The local home: adapters on loopback, for who has the token.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use serde_json::Value as Json;

use crate::run::{Folder, Said};

const TOKEN: &str = "0123456789abcdef0123";

struct Served {
    folder: Folder,
    child: Child,
    adapters: Vec<String>,
}

impl Served {
    fn start(words: &[&str]) -> Self {
        let folder = Folder::new(&[]);
        let mut command = Command::new(env!("CARGO_BIN_EXE_planloom"));
        command.current_dir(folder.path("")).env("PLANLOOM_TOKEN", TOKEN).stdin(Stdio::null());
        command.args(["serve", "--format", "json", "--process-folder", "processes"]).args(words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("planloom");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let said: Json = serde_json::from_str(&line).expect("JSON");
        let adapters = said["adapters"].as_array().expect("adapters").iter();
        let adapters = adapters.map(|it| it.as_str().expect("an address").to_owned()).collect();
        Self { folder, child, adapters }
    }

    fn test(&self, adapter: usize, words: &str, token: &'static str) -> Said {
        let folder = Folder::new(&[
            (
                "spec.json",
                r#"{"payload": {"runtime": "process", "params": {"command": ["/bin/sleep", "600"]}}, "labels": {"n": "a"}}"#,
            ),
            (
                "changed.json",
                r#"{"payload": {"runtime": "process", "params": {"command": ["/bin/sleep", "600"]}}, "labels": {"n": "b"}}"#,
            ),
            (
                "rebuild.json",
                r#"{"payload": {"runtime": "process", "params": {"command": ["/bin/sleep", "601"]}}, "labels": {"n": "a"}}"#,
            ),
        ]);
        let folder = folder.variable("PLANLOOM_ADAPTER_TOKEN", token);
        folder.run(&format!("adapter-test {} {words}", self.adapters[adapter]))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
        drop(std::fs::remove_dir_all(self.folder.path("processes")));
    }
}

#[test]
fn the_adapters_keep_the_protocol() {
    let served = Served::start(&["--allow", "/bin/sleep"]);
    let specs = "--kind service --spec spec.json --changed changed.json --rebuild rebuild.json";
    let said = served.test(0, specs, TOKEN);
    assert!(said.code == 0 && said.out.contains("0 failed"), "{}", said.out);
    let said = served.test(1, "--kind network", TOKEN);
    assert!(said.code == 0 && said.out.contains("0 failed"), "{}", said.out);
}

#[test]
fn a_stranger_is_told_what_is_missing() {
    let served = Served::start(&["--adapter", "simulator"]);
    let said = served.test(0, "", "wrong");
    assert!(said.code == 1 && said.err.contains("wants a token"), "{}", said.err);
}

#[test]
fn it_says_why_it_does_not_start() {
    let folder = Folder::new(&[]);
    for (words, expected) in [
        ("serve --adapter other", "`other` is no adapter of this program"),
        ("serve --allow-origin docs.example/x --adapter simulator", "is no origin"),
        ("serve --app nowhere --adapter simulator", "`nowhere` holds no app"),
        ("serve --allow sleep --adapter process", "cannot be allowed"),
    ] {
        let said = folder.run(words);
        assert!(said.code == 1 && said.err.contains(expected), "{words}: {}", said.err);
    }
}

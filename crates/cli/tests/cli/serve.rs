//! The local home: adapters on loopback, for who has the token.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use serde_json::Value as Json;

use crate::run::{Folder, RunOutput};

pub(crate) const TOKEN: &str = "0123456789abcdef0123";

pub(crate) struct Served {
    folder: Folder,
    child: Child,
    pub(crate) adapters: Vec<String>,
    state: String,
}

impl Served {
    pub(crate) fn start(words: &[&str]) -> Self {
        Self::start_in(Folder::new(&[]), words)
    }

    fn start_in(folder: Folder, words: &[&str]) -> Self {
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
        let state = said["state"].as_str().expect("where the states are").to_owned();
        Self { folder, child, adapters, state }
    }

    fn test(&self, adapter: usize, words: &str, token: &'static str) -> RunOutput {
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

impl Served {
    /// Ends it as a power cut would, and starts it again in the same folder, on the same port.
    fn again(mut self, words: &[&str]) -> Self {
        self.child.kill().expect("it is ours");
        self.child.wait().expect("it is ours");
        let port = self.port().to_owned();
        let folder = std::mem::replace(&mut self.folder, Folder::new(&[]));
        Self::start_in(folder, &[words, &["--port", &port]].concat())
    }

    fn port(&self) -> &str {
        self.state.trim_end_matches("/state").rsplit(':').next().expect("a port")
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
fn the_answer_to_a_request_without_a_token_says_what_is_missing() {
    let served = Served::start(&["--adapter", "simulator"]);
    let said = served.test(0, "", "wrong");
    assert!(said.code == 1 && said.err.contains("requires a token"), "{}", said.err);
}

#[test]
fn it_says_why_it_does_not_start() {
    let folder = Folder::new(&[]);
    for (words, expected) in [
        ("serve --adapter other", "`other` is not an adapter of this program"),
        ("serve --allow-origin docs.example/x --adapter simulator", "is not an origin"),
        ("serve --app nowhere --adapter simulator", "`nowhere` does not contain the app"),
        ("serve --allow sleep --adapter process", "cannot be allowed"),
        (
            "serve --adapter simulator --state-folder /dev/null/states",
            "states cannot be kept in `/dev/null/states`",
        ),
    ] {
        let said = folder.run(words);
        assert!(said.code == 1 && said.err.contains(expected), "{words}: {}", said.err);
    }
}

const WORDS: &[&str] = &["--adapter", "simulator"];
const APP: &str =
    "payloads: {any: {runtime: vm, params: {image_hash: demo}}}\nservices: {one: {payload: any}}\n";

/// A process that a killed server was just starting holds its port for a moment.
#[test]
fn a_port_that_becomes_free_is_waited_for() {
    let before = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = before.local_addr().expect("its address").port().to_string();
    let held = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(600));
        drop(before);
    });
    let served = Served::start(&["--adapter", "simulator", "--port", &port]);
    assert_eq!(served.port(), port);
    held.join().expect("it ends");
}

#[test]
fn states_are_kept_for_others_and_outlive_it() {
    let served = Served::start(WORDS);
    let port = served.port().to_owned();
    let one = Folder::new(&[("app.yaml", APP)]).variable("PLANLOOM_STATE_TOKEN", TOKEN);
    let other = Folder::new(&[]).variable("PLANLOOM_STATE_TOKEN", TOKEN);
    let state = format!("--state {}/app", served.state);
    let said = one.run(&format!("apply app.yaml {state} --adapter simulator --auto-approve"));
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let shown = other.run(&format!("state show {state}"));
    assert!(shown.code == 0 && shown.out.contains("services.one  active"), "{}{}", shown.out, shown.err);
    assert!(served.folder.path("states/app.state").exists(), "{:?}", served.folder.names());

    let served = served.again(WORDS);
    assert_eq!(served.port(), port);
    assert_eq!(other.run(&format!("state show {state}")).out, shown.out);
    let history = other.run(&format!("state history {state}"));
    assert!(history.code == 0 && history.out.contains("1 resource"), "{}{}", history.out, history.err);
    let missing = other.run(&format!("state show --state {}/nothing", served.state));
    assert!(missing.code == 1 && missing.err.contains("there is no state"), "{}", missing.err);
    let stranger = Folder::new(&[]).run(&format!("state show {state}"));
    assert!(stranger.code == 1 && stranger.err.contains("PLANLOOM_STATE_TOKEN"), "{}", stranger.err);
}

#[test]
fn a_lock_outlives_it_and_can_be_taken_away() {
    let served = Served::start(WORDS);
    let folder = Folder::new(&[("app.yaml", APP)]).variable("PLANLOOM_STATE_TOKEN", TOKEN);
    let state = format!("--state {}/app", served.state);
    let unlock = |words: &str| folder.run(&format!("state unlock {words} {state}"));
    let said = unlock("");
    assert_eq!((said.code, said.out.as_str()), (0, "Nobody holds the state.\n"), "{}", said.err);

    // Who watches holds it, and dies here without a word.
    let words = format!("watch app.yaml {state} --adapter simulator --every 1 --create");
    let mut watch =
        folder.command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("planloom");
    let lock = served.folder.path("states/app.lock");
    while !lock.exists() {
        assert!(watch.try_wait().expect("its state").is_none(), "it ended");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    watch.kill().expect("it is ours");
    watch.wait().expect("it is ours");

    let served = served.again(WORDS);
    let refused = folder.run(&format!("apply app.yaml {state} --adapter simulator --auto-approve"));
    assert!(
        refused.code == 1 && refused.err.contains("the state is held by"),
        "{}{}",
        refused.out,
        refused.err
    );
    let said = unlock("");
    assert!(said.code == 1 && said.out.contains("holds the state for `watch`"), "{}{}", said.out, said.err);
    let said = unlock("another");
    assert!(said.code == 1 && said.err.contains("the state is held by"), "{}{}", said.out, said.err);
    let holder = unlock("--format json").json()["holder"]["id"].as_str().expect("a lock").to_owned();
    let said = unlock(&holder);
    assert!(said.code == 0 && said.out.starts_with("Removed the lock of "), "{}{}", said.out, said.err);
    assert!(!served.folder.path("states/app.lock").exists());
    let applied = folder.run(&format!("apply app.yaml {state} --adapter simulator --auto-approve"));
    assert_eq!(applied.code, 0, "{}{}", applied.out, applied.err);
}

//! Names and messages from outside reach a terminal only as what they are, and JSON only spelled out.

use std::{fs, path::Path};

use serde_json::{Value as Json, json};

use crate::run::{Folder, RunOutput, codes};

/// Characters that a terminal obeys, that turn the direction of text, or that are invisible.
const HOSTILE: [&str; 9] = [
    "\u{1b}[2J",
    "\u{7f}",
    "\u{9b}31m",
    "\u{202e}",
    "\u{2066}",
    "\u{200f}",
    "\u{2028}",
    "\u{200b}",
    "\u{61c}",
];

/// Everything but line feeds, tabs and our own colours.
fn odd(text: &str, colour: bool) -> Option<char> {
    let mut rest = text.to_owned();
    if colour {
        // What an attacker would write clears the screen; our own sets colours only.
        for style in 0..100 {
            for code in [format!("\u{1b}[{style}m"), format!("\u{1b}[38;5;{style}m")] {
                rest = rest.replace(&code, "");
            }
        }
    }
    rest.chars().find(|c| {
        !matches!(c, '\n' | '\t') && (c.is_control() || HOSTILE.iter().any(|it| it.starts_with(*c)))
    })
}

#[track_caller]
fn check(said: &RunOutput, words: &str, colour: bool) {
    for text in [&said.out, &said.err] {
        assert_eq!(odd(text, colour), None, "{words}: {text:?}");
    }
}

fn hostile() -> String {
    HOSTILE.concat()
}

/// JSON is YAML, where what YAML may not hold is spelled out.
fn spelled(json: &Json) -> String {
    let spelled = |c: char| match c {
        ' '..='~' => c.to_string(),
        _ => format!("\\u{:04x}", u32::from(c)),
    };
    json.to_string().chars().map(spelled).collect()
}

fn app() -> String {
    let text = hostile();
    let labels = json!({"tier": text});
    spelled(&json!({
        "meta": {"name": "shop", "description": text},
        "payloads": {"p": {"runtime": "vm", "params": {"image_tag": format!("me/web:{text}")}}},
        "services": {"web": {"payload": "p", "labels": labels, "init": [["go", text, "${services.db.network_node.ip}"]]},
            "db": {"payload": "p"}},
    }))
}

/// A state as an older version may have written it, with names that are not allowed any more.
fn state() -> String {
    let text = hostile();
    let entry = |id: &str| {
        json!({
            "kind": "service", "phase": "active", "id": id, "identity": {"id": id}, "spec": {"labels": {"a": text}},
            "outputs": {"network_node": {"ip": text}}, "depends_on": [format!("services.\"{text}\"")],
            "generation": 1, "protected": false,
        })
    };
    json!({
        "format": "planloom.state/1", "deployment": "shop", "lineage": "one", "serial": 3,
        "resources": {format!("services.\"a{text}\""): entry("a"), "services.\"b\\nc\"": entry("b")}, "journal": [],
    })
    .to_string()
}

#[test]
fn values_cannot_send_escapes_to_the_terminal() {
    let folder = Folder::new(&[("app.yaml", &app()), ("state.json", &state())]);
    for words in [
        "check app.yaml",
        "merge app.yaml",
        "merge app.yaml --origins",
        "graph app.yaml",
        "graph app.yaml --format dot",
        "graph app.yaml --format mermaid",
        "graph app.yaml --format svg",
        "links app.yaml",
        "plan app.yaml --all",
        "plan app.yaml --state state.json",
        "explain services.web app.yaml",
        "explain services.web.labels.tier app.yaml",
        "state show --state state.json",
        "state history --state state.json",
        "apply app.yaml --state other.json --adapter simulator --auto-approve",
        "state show --state other.json",
        "apply app.yaml --state state.json --adapter simulator --auto-approve",
        "destroy app.yaml --state other.json --adapter simulator --auto-approve",
        "resolve app.yaml",
    ] {
        check(&folder.run(words), words, false);
        let coloured = format!("--color always {words}");
        check(&folder.run(&coloured), &coloured, true);
    }
}

#[test]
fn diagnostics_contain_no_terminal_escapes() {
    let text = hostile();
    let bad = json!({"services": {format!("a{text}"): {"payload": format!("p{text}"), text.clone(): 1}}})
        .to_string();
    let folder = Folder::new(&[("bad.yaml", &bad)]);
    let name = format!("a{text}.yaml");
    folder.write(&name, bad.as_bytes());
    for file in ["bad.yaml", &name, &format!("none{text}.yaml")] {
        for verb in ["check", "merge", "plan", "graph", "links", "resolve", "explain services.x"] {
            for colour in [false, true] {
                let before = if colour { "--color always" } else { "--color never" };
                let mut command = folder.command(&format!("{before} {verb}"));
                let output = command.arg(file).output().expect("the binary");
                let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
                let said = RunOutput { out: text(&output.stdout), err: text(&output.stderr), code: 1 };
                check(&said, &format!("{before} {verb} {file:?}"), colour);
            }
        }
    }
    for word in [format!("--{text}"), text.clone(), format!("--color={text}")] {
        let output = folder.command("plan").args([&word, "app.yaml"]).output().expect("the binary");
        let said =
            RunOutput { out: String::new(), err: String::from_utf8(output.stderr).expect("text"), code: 1 };
        check(&said, &format!("{word:?}"), false);
        let output = folder.command(&text).output().expect("the binary");
        let said =
            RunOutput { out: String::new(), err: String::from_utf8(output.stderr).expect("text"), code: 1 };
        check(&said, &format!("{word:?}"), false);
    }
}

#[test]
fn json_is_spelled_out_and_says_the_same() {
    let folder = Folder::new(&[("app.yaml", &app())]);
    let said = folder.run("merge app.yaml --format json");
    check(&said, "merge", false);
    let view = said.json();
    assert_eq!(view["document"]["meta"]["description"], json!(hostile()));
    let shown = folder.run("plan app.yaml --format json");
    check(&shown, "plan", false);
    assert!(shown.json().to_string().contains("\u{202e}"), "read again, it is what was written");
    let yaml = folder.run("merge app.yaml").out;
    folder.write("again.yaml", yaml.as_bytes());
    assert_eq!(folder.run("merge again.yaml --format json").json()["document"], view["document"]);
}

#[test]
fn files_are_written_as_they_are() {
    let folder = Folder::new(&[("app.yaml", &app())]);
    assert_eq!(folder.run("merge app.yaml --format json --out out.json").code, 0);
    let written: Json = serde_json::from_str(&folder.read("out.json").expect("a file")).expect("JSON");
    assert_eq!(written["document"]["meta"]["description"], json!(hostile()));
    assert!(folder.read("out.json").is_some_and(|it| it.contains('\u{202e}')));
}

#[test]
fn names_that_cannot_be_seen_are_errors() {
    let yaml = "payloads: {p: {runtime: vm}}\nservices:\n  \"we\\u202eb\": {payload: p}\n  \"a\u{200b}b\": {payload: p}\n";
    let folder = Folder::new(&[("app.yaml", yaml)]);
    let view = folder.run("check app.yaml --format json").json();
    assert_eq!(codes(&view), ["syntax/invisible-character", "syntax/invisible-character"]);
    let [first, second] = [&view["diagnostics"][0], &view["diagnostics"][1]];
    assert_eq!(first["message"], "the key `we\\u202eb` has the character U+202E in it, which cannot be seen");
    assert_eq!(first["severity"], "error");
    assert_eq!(second["fixes"][0]["edits"][0]["new_text"], "ab");
    assert_eq!(folder.run("plan app.yaml --format json").json()["actions"], json!([]));
}

#[test]
fn names_in_manifests_of_bosh_are_warnings() {
    let yaml = "name: \"d\u{202e}\"\nreleases: []\nstemcells: []\ninstance_groups:\n- name: \"we\u{200b}b\"\n  jobs: []\n  networks: []\n";
    let folder = Folder::new(&[("manifest.yml", yaml)]);
    let view = folder.run("check manifest.yml --format json").json();
    let found = view["diagnostics"].as_array().expect("diagnostics");
    let names: Vec<&Json> = found.iter().filter(|it| it["code"] == "workspace/invisible-character").collect();
    assert_eq!(names.len(), 2, "{view}");
    assert!(names.iter().all(|it| it["severity"] == "warning"));
}

/// Only one module writes to the terminal: text that is written elsewhere would not be checked.
#[test]
fn one_writer_writes_all() {
    let mut found = Vec::new();
    search(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert_eq!(found, [""; 0], "write through `console::write_out` or `write_err`");
}

fn search(folder: &Path, found: &mut Vec<String>) {
    const WAYS: [&str; 10] = [
        "stdout()",
        "stderr()",
        "println!",
        "print!(",
        "eprint",
        "dbg!",
        ".print()",
        "/dev/tty",
        "Term::",
        "ProgressBar::println",
    ];
    for entry in fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry")) {
        let path = entry.path();
        if path.is_dir() {
            search(&path, found);
            continue;
        }
        let text = fs::read_to_string(&path).expect("text");
        let name = path.display().to_string();
        let ways = WAYS.iter().filter(|way| !name.ends_with("src/console.rs") && text.contains(**way));
        found.extend(ways.map(|way| format!("{name}: {way}")));
    }
}

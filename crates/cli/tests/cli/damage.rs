//! A state that is not what was written is not used and not written over.

use crate::run::Folder;

pub(crate) const APP: &str = "
meta: {name: one}
payloads: {p: {runtime: vm}}
networks: {lan: {ip: 10.0.0.0/24}}
services: {a: {payload: p, network: lan}}
";

pub(crate) const APPLY: &str = "apply app.yaml --state s.json --auto-approve --adapter simulator";

/// An app that was applied: its folder and the state's text.
fn applied() -> (Folder, String) {
    let folder = Folder::new(&[("app.yaml", APP)]);
    let said = folder.run(APPLY);
    assert_eq!(said.code, 0, "{}", said.err);
    let text = folder.read("s.json").expect("a state");
    (folder, text)
}

#[test]
fn a_damaged_state_says_which_version_is_whole() {
    let (folder, text) = applied();
    let version =
        folder.run("state history --state s.json --format json").json()["versions"][0]["serial"].clone();
    let damaged = text.replacen("10.0.0.0/24", "10.0.0.0/25", 1);
    assert_ne!(damaged, text, "one bit is another");
    folder.write("s.json", damaged.as_bytes());
    for words in [
        "state show --state s.json",
        APPLY,
        "destroy app.yaml --state s.json --auto-approve --adapter simulator",
    ] {
        let said = folder.run(words);
        assert_eq!(said.code, 1, "{words}: {}", said.out);
        assert!(said.err.contains("its checksum does not match"), "{words}: {}", said.err);
        assert!(
            said.err.contains(&format!("version {version} of its history is intact")),
            "{words}: {}",
            said.err
        );
        assert_eq!(folder.read("s.json").as_ref(), Some(&damaged), "{words}: nothing is written over it");
    }
    for words in ["plan app.yaml --state s.json", "state show --state s.json", APPLY] {
        let said = folder.run(words);
        assert!(said.code == 1 && said.err.contains("remove the field `checksum`"), "{words}: {}", said.err);
        let command = format!("`planloom state restore {version} --state s.json`");
        let text = said.err.replace("\n          ", " ").replace("\n      ", " ");
        assert!(text.contains(&command), "{words}: {}", said.err);
    }
    let said = folder.run(&format!("state restore {version} --state s.json"));
    assert!(said.code == 0 && said.out.contains("s.json.unreadable"), "{}{}", said.out, said.err);
    assert_eq!(folder.read("s.json.unreadable"), Some(damaged), "nothing is lost");
    let said = folder.run("state show --state s.json");
    assert!(said.out.contains("services.a  active"), "{}", said.out);
}

#[test]
fn an_edited_state_is_accepted_without_its_checksum() {
    let (folder, text) = applied();
    let shown = folder.run("state show --state s.json --format json").out;
    folder.write("edited.json", shown.replace("10.0.0.0/24", "10.0.1.0/24").as_bytes());
    let said = folder.run("state restore --from edited.json --state s.json");
    assert!(
        said.code == 0 && said.out.contains("records what `edited.json` says"),
        "{}{}",
        said.out,
        said.err
    );
    let now = folder.read("s.json").expect("a state");
    assert!(now.contains("10.0.1.0/24") && now.starts_with("{\"checksum\":"), "{now}");
    // The same by hand, without the field.
    let (_, rest) = text.split_once(',').expect("the checksum comes first");
    folder.write("s.json", format!("{{{}", rest.replace("10.0.0.0/24", "10.0.2.0/24")).as_bytes());
    assert_eq!(folder.run("state show --state s.json").code, 0);
    assert_eq!(folder.run(APPLY).code, 0);
    assert!(
        folder.read("s.json").is_some_and(|it| it.starts_with("{\"checksum\":")),
        "the next write adds it"
    );
    assert_ne!(folder.run("state restore --state s.json").code, 0, "one of both has to be said");
}

/// A history without its state is one that was lost, not a deployment that never was.
#[test]
fn a_lost_state_says_how_to_get_it_back() {
    let (folder, _) = applied();
    std::fs::remove_file(folder.path("s.json")).expect("removed");
    for words in ["state show --state s.json", "plan app.yaml --state s.json", APPLY] {
        let said = folder.run(words);
        assert!(said.code == 1 && said.err.contains("state restore"), "{words}: {}", said.err);
    }
    let never = folder.run("state history --state other.json");
    assert!(never.code == 1 && never.err.contains("there is no state at `other.json`"), "{}", never.err);
}

#[test]
fn the_history_marks_what_is_damaged() {
    let (folder, _) = applied();
    folder.write("app.yaml", APP.replace("10.0.0.0/24", "10.0.9.0/24").as_bytes());
    assert_eq!(folder.run(APPLY).code, 0);
    let history = || folder.run("state history --state s.json");
    let versions = history().out;
    let serial = |line: usize| -> String {
        let line = versions.lines().nth(line).expect("two versions");
        line.split_whitespace().next().expect("a serial").to_owned()
    };
    let (latest, before) = (serial(0), serial(1));
    let name = format!("s.json.history/{before}.json");
    let text = folder.read(&name).expect("a version").replacen("10.0.0.0/24", "10.0.0.0/25", 1);
    folder.write(&name, text.as_bytes());
    let said = history();
    let lines: Vec<&str> = said.out.lines().map(str::trim).collect();
    assert!(lines[0].starts_with(&latest) && lines[0].ends_with(" resources"), "{}", said.out);
    assert!(lines[1].starts_with(&before) && lines[1].ends_with("  damaged"), "{}", said.out);
    let json = folder.run("state history --state s.json --format json").json();
    assert!(json["versions"][0]["problem"].is_null() && json["versions"][1]["resources"].is_null());
    assert!(json["versions"][1]["problem"].as_str().is_some_and(|it| it.contains("checksum")), "{json}");
}

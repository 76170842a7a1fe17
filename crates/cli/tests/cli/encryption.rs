//! A state that was kept in clear text and is encrypted from now on.

use serde_json::json;

use crate::{
    damage::{APP, APPLY},
    run::Folder,
};

const PASSPHRASE: &str = "PLANLOOM_STATE_PASSPHRASE";

#[test]
fn a_plain_state_is_encrypted_on_request() {
    let mut folder = Folder::new(&[("app.yaml", APP)]);
    assert_eq!(folder.run(APPLY).code, 0);
    let plain = folder.read("s.json").expect("a state");
    let before = folder.run("state history --state s.json --format json").json();
    folder.set(PASSPHRASE, "opensesame");
    for words in ["state show --state s.json", "plan app.yaml --state s.json", APPLY] {
        let refused = folder.run(words);
        assert_eq!(refused.code, 1, "{words}: {}", refused.out);
        for said in ["the state is not encrypted", "`planloom state encrypt --state s.json`", PASSPHRASE] {
            assert!(refused.err.contains(said), "{words}: {}", refused.err);
        }
        assert_eq!(folder.read("s.json").as_ref(), Some(&plain), "{words}: nothing is written over it");
    }
    let done = folder.run("state encrypt --state s.json");
    assert!(done.code == 0 && done.out.starts_with("The state is encrypted from version "), "{}", done.err);
    assert!(done.out.contains("Note: 1 version of its history"), "{}", done.out);
    let text = folder.read("s.json").expect("a state");
    assert!(text.contains("planloom.sealed/1") && !text.contains("services"), "{text}");
    assert!(!folder.read("s.json.journal").is_some_and(|it| it.contains("services")));
    let shown = folder.run("state show --state s.json");
    assert!(shown.out.contains("services.a  active"), "{}{}", shown.out, shown.err);
    let again = folder.run("state encrypt --state s.json --format json").json();
    let serial = &before["versions"][0]["serial"];
    assert_eq!((&again["serial"], &again["not_encrypted"]), (&json!(null), &json!([serial])));
    let history = folder.run("state history --state s.json").out;
    assert!(history.lines().next().is_some_and(|it| it.ends_with("2 resources")), "{history}");
    assert!(history.contains("cannot be decrypted with this passphrase"), "{history}");
    folder.set(PASSPHRASE, "");
    let refused = folder.run("state show --state s.json");
    assert!(refused.code == 1 && refused.err.contains("the state is encrypted"), "{}", refused.err);
}

#[test]
fn encrypt_needs_a_passphrase_and_a_state() {
    let mut folder = Folder::new(&[("app.yaml", APP)]);
    assert_eq!(folder.run(APPLY).code, 0);
    let plain = folder.read("s.json");
    let refused = folder.run("state encrypt --state s.json");
    assert!(refused.code == 1 && refused.err.contains("host/no-passphrase"), "{}", refused.err);
    assert_eq!(folder.read("s.json"), plain);
    folder.set(PASSPHRASE, "opensesame");
    let refused = folder.run("state encrypt --state typo.json");
    assert!(refused.code == 1 && refused.err.contains("host/no-state"), "{}", refused.err);
    folder.write("s.json", plain.expect("a state").replacen("10.0.0.0/24", "10.0.0.0/25", 1).as_bytes());
    let refused = folder.run("state encrypt --state s.json");
    assert!(refused.code == 1 && refused.err.contains("its checksum does not match"), "{}", refused.err);
}

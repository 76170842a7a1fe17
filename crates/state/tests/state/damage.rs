//! The effect of one wrong bit in recorded data: it is refused, or changes nothing.

use std::rc::Rc;

use planloom_state::{
    Change, Commit, Encryption, Entry, SealedPart, Snapshot, checksum::CHECKSUM, testing::SeededRandom,
};
use serde_json::{Value as Json, json};

fn small() -> Snapshot {
    let mut snapshot = Snapshot::new("shop", "l");
    snapshot.take(&commit());
    snapshot.rest.insert("later".into(), json!({"kept": [1.5, null]}));
    snapshot
}

fn commit() -> Commit {
    let spec = json!({"port": 8080, "path": "a\\"}).as_object().cloned().unwrap_or_default();
    let entry =
        Entry { kind: "service".into(), phase: "active".into(), spec, generation: 1, ..Entry::default() };
    Commit { serial: 1, changes: vec![Change::Put("services.a".into(), Box::new(entry))] }
}

/// Every text that differs in one bit, except invalid UTF-8, which every reader refuses.
fn damaged(text: &str) -> impl Iterator<Item = String> {
    (0..text.len() * 8).filter_map(move |bit| {
        let mut bytes = text.as_bytes().to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        String::from_utf8(bytes).ok()
    })
}

#[test]
fn a_wrong_bit_of_a_state_is_detected() {
    let snapshot = small();
    let line = snapshot.to_text();
    let json: Json = serde_json::from_str(&line).expect("it is JSON");
    for text in [line, format!("{json:#}\n")] {
        assert_eq!(Snapshot::read(&text).as_ref(), Ok(&snapshot));
        for text in damaged(&text) {
            assert!(
                Snapshot::read(&text).is_ok_and(|it| it == snapshot) || Snapshot::read(&text).is_err(),
                "{text}"
            );
        }
    }
}

#[test]
fn a_wrong_bit_of_a_commit_is_detected() {
    let commit = commit();
    for text in [commit.to_line(), commit.to_line_of("l")] {
        assert_eq!(Commit::read(&text).as_ref(), Ok(&commit));
        for text in damaged(&text) {
            assert!(
                Commit::read(&text).is_ok_and(|it| it == commit) || Commit::read(&text).is_err(),
                "{text}"
            );
        }
    }
}

#[test]
fn a_wrong_bit_of_an_encrypted_state_is_detected() {
    let encryption = Encryption::key([7; 32], Rc::new(SeededRandom::new(1)));
    let clear = small().to_text().into_bytes();
    let kept = encryption.close(SealedPart::Snapshot, clear.clone()).expect("it is short");
    for bit in 0..kept.len() * 8 {
        let mut damaged = kept.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        if let Ok(opened) = encryption.open(SealedPart::Snapshot, &damaged) {
            assert_eq!(*opened, clear, "{}", String::from_utf8_lossy(&damaged));
        }
    }
}

#[test]
fn an_edited_state_is_read_without_its_checksum() {
    let text = small().to_text();
    let edited = text.replace("8080", "8081");
    let refused = Snapshot::read(&edited).expect_err("it is not what was written");
    assert!(refused.why.contains("remove the field `checksum`"), "{refused}");
    let mut json: Json = serde_json::from_str(&edited).expect("it is JSON");
    json.as_object_mut().expect("an object").remove(CHECKSUM);
    let read = Snapshot::read(&json.to_string()).expect("a state without a checksum is taken as it is");
    assert_eq!(read.rest, small().rest, "what is not known survives");
    let written = read.to_text();
    assert!(written.starts_with("{\"checksum\":\"sha256:"), "the next write adds one: {written}");
    assert_eq!(Snapshot::read(&written), Ok(read));
}

//! Encrypted bytes.

use std::rc::Rc;

use planloom_state::{BackendError, Encryption, Random, SealedPart, testing::SeededRandom};

fn random() -> Rc<dyn Random> {
    Rc::new(SeededRandom::new(7))
}

fn refused(opened: Result<impl std::fmt::Debug, BackendError>) -> String {
    match opened {
        Err(BackendError::Sealed(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_key_decrypts() {
    let encryption = Encryption::key([1; 32], random());
    for clear in [&b"{\"secret\": 1}"[..], b"", &[0xff; 100_000]] {
        let kept = encryption.close(SealedPart::Snapshot, clear.to_vec()).expect("it is short enough");
        assert!(kept.starts_with(b"{\"format\":\"planloom.sealed/1\""));
        assert!(!kept.contains(&b'\n') && !kept.windows(6).any(|it| it == b"secret"));
        let other = Encryption::key([1; 32], random());
        assert_eq!(other.open(SealedPart::Snapshot, &kept).as_deref(), Ok(clear));
    }
    let twice = [(); 2].map(|()| encryption.close(SealedPart::Commit, b"same".to_vec()));
    assert_ne!(twice[0], twice[1], "it is not visible that they are the same");
}

#[test]
fn a_wrong_or_missing_key_is_explained() {
    let encryption = Encryption::key([1; 32], random());
    let kept = encryption.close(SealedPart::Snapshot, b"state".to_vec()).expect("it is short enough");
    assert!(refused(Encryption::none().open(SealedPart::Snapshot, &kept)).contains("is encrypted"));
    let other = Encryption::key([2; 32], random());
    assert!(refused(other.open(SealedPart::Snapshot, &kept)).contains("this key does not decrypt"));
    let phrase = Encryption::passphrase("a", random());
    assert!(refused(phrase.open(SealedPart::Snapshot, &kept)).contains("with a key, not with a passphrase"));
    assert!(
        refused(encryption.open(SealedPart::Commit, &kept)).contains("does not decrypt"),
        "each in its place"
    );
    assert!(
        refused(encryption.open(SealedPart::Snapshot, b"{\"format\":\"planloom.state/1\"}"))
            .contains("not encrypted")
    );
    assert_eq!(format!("{encryption:?} {:?}", Encryption::none()), "Encryption(..) Encryption(none)");
}

#[test]
fn tampered_envelopes_do_not_open() {
    let encryption = Encryption::key([1; 32], random());
    let kept = encryption
        .close(SealedPart::Snapshot, b"the state of the shop".to_vec())
        .expect("it is short enough");
    for at in 0..kept.len() {
        let mut tampered = kept.clone();
        tampered[at] ^= 1;
        refused(encryption.open(SealedPart::Snapshot, &tampered));
    }
    for length in 0..kept.len() {
        refused(encryption.open(SealedPart::Snapshot, &kept[..length]));
    }
}

#[test]
fn a_passphrase_opens_it_and_makes_its_key_once() {
    let encryption = Encryption::passphrase("correct horse", random());
    let kept: Vec<_> = (0..200).map(|_| encryption.close(SealedPart::Commit, b"state".to_vec())).collect();
    let first = kept[0].as_ref().expect("it is short enough");
    let text = String::from_utf8_lossy(first);
    assert!(text.contains("PBKDF2-HMAC-SHA256") && text.contains("600000"), "{text}");
    let other = Encryption::passphrase("correct horse", Rc::new(SeededRandom::new(8)));
    for it in &kept {
        assert_eq!(other.open(SealedPart::Commit, it.as_ref().expect("it is")).as_deref(), Ok(&b"state"[..]));
    }
    let again = other.close(SealedPart::Commit, b"state".to_vec()).expect("it is short enough");
    let salt =
        |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).expect("JSON")["key"].clone();
    assert_eq!(salt(&again), salt(first), "with what was there, so nothing new is derived");
    let wrong = Encryption::passphrase("wrong horse", random());
    assert!(refused(wrong.open(SealedPart::Commit, first)).contains("this passphrase does not decrypt"));
}

#[test]
fn a_key_that_is_cheap_to_guess_is_not_taken() {
    let encryption = Encryption::passphrase("x", random());
    for rounds in ["1", "599999", "4294967295"] {
        let envelope = format!(
            "{{\"format\":\"planloom.sealed/1\",\"cipher\":\"AES-256-GCM\",\"key\":{{\"by\":\"PBKDF2-HMAC-SHA256\",\
             \"rounds\":{rounds},\"salt\":\"AAAAAAAAAAAAAAAAAAAAAA==\"}},\"nonce\":\"AAAAAAAAAAAAAAAA\",\"data\":\"\"}}"
        );
        assert!(refused(encryption.open(SealedPart::Commit, envelope.as_bytes())).contains("rounds"));
        let other = envelope.replace("PBKDF2-HMAC-SHA256", "scrypt");
        assert!(refused(encryption.open(SealedPart::Commit, other.as_bytes())).contains("damaged"));
    }
}

#[test]
fn clear_text_states_are_read_only_to_migrate() {
    let encryption = Encryption::key([1; 32], random()).migrating();
    assert_eq!(encryption.open(SealedPart::Snapshot, b"{}").as_deref(), Ok(&b"{}"[..]));
    let kept = encryption.close(SealedPart::Snapshot, b"{}".to_vec()).expect("it is short enough");
    assert_eq!(encryption.open(SealedPart::Snapshot, &kept).as_deref(), Ok(&b"{}"[..]));
}

#[test]
fn texts_that_mention_the_format_are_no_envelopes() {
    let none = Encryption::none();
    for clear in [
        "{\"deployment\":\"planloom.sealed/1\",\"format\":\"planloom.state/1\"}".to_owned(),
        // Envelopes begin with their format.
        format!("{{\"a\":\"{}\",\"format\":\"planloom.sealed/1\"}}", "x".repeat(300)),
        "planloom.sealed/1".to_owned(),
    ] {
        let opened = none.open(SealedPart::Snapshot, clear.as_bytes());
        assert_eq!(opened.as_deref(), Ok(clear.as_bytes()));
    }
}

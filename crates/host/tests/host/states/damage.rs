//! A single wrong bit in the files of a state: it is refused and not overwritten, or changes nothing.

use std::{fs, rc::Rc};

use planloom_host::{FileBackend, FileOptions, run};
use state::{
    Backend, BackendError, Change, Commit, Encryption, Entry, Snapshot,
    testing::{claim, commits},
};

use super::place::{Folder, encrypted, open};

/// As short as a resource can be: each bit is tried.
fn small(serial: u64) -> Commit {
    let spec = serde_json::json!({"a b@": serial}).as_object().cloned().unwrap_or_default();
    let entry = Entry { kind: "s".into(), phase: "active".into(), spec, generation: 1, ..Entry::default() };
    Commit { serial, changes: vec![Change::Put("a.b".into(), Box::new(entry))] }
}

fn with(folder: &Folder, encryption: &Encryption) -> FileBackend {
    let options =
        FileOptions { encryption: encryption.clone(), ..FileOptions::at(folder.file("state.json")) };
    FileBackend::new(options)
}

/// A state with one commit in its file and two in its journal.
async fn kept(folder: &Folder, encryption: &Encryption) -> Snapshot {
    let backend = with(folder, encryption);
    let lease = backend.acquire(claim("ada", 1_700_000_000_000, 60_000)).await.expect("nobody holds it");
    let mut snapshot = Snapshot::new("shop", "l");
    for serial in 1..=3 {
        let commit = small(serial);
        snapshot.take(&commit);
        let after = Rc::new(snapshot.clone());
        backend.commit(&lease, Rc::new(commit), after).await.expect("it is kept");
    }
    snapshot
}

async fn tried(name: &str, encryption: Encryption, bits: impl Fn(usize) -> bool) {
    let folder = Folder::new(name);
    let snapshot = kept(&folder, &encryption).await;
    for file in ["state.json", "state.json.journal"] {
        let path = folder.file(file);
        let whole = fs::read(&path).expect("it is there");
        for bit in (0..whole.len() * 8).filter(|it| bits(*it)) {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &damaged).expect("it can be written");
            match with(&folder, &encryption).load().await {
                Err(BackendError::Corrupt(_) | BackendError::Sealed(_)) => {}
                Ok(Some(read)) => assert_eq!(read, snapshot, "bit {bit} of {file}"),
                other => panic!("bit {bit} of {file}: {other:?}"),
            }
        }
        fs::write(&path, &whole).expect("it can be written");
    }
    assert_eq!(with(&folder, &encryption).load().await, Ok(Some(snapshot)));
}

#[test]
fn each_wrong_bit_of_a_state_or_its_journal_is_noticed() {
    run(tried("bits", Encryption::none(), |_| true)).expect("it runs");
}

#[test]
fn each_wrong_bit_of_an_encrypted_state_or_its_journal_is_noticed() {
    run(tried("sealed-bits", encrypted(), |_| true)).expect("it runs");
}

#[test]
fn a_damaged_state_says_which_version_is_whole_and_is_not_written_over() {
    run(async {
        let folder = Folder::new("damaged");
        let path = folder.file("state.json");
        let backend = open(&path);
        let lease = backend.acquire(claim("ada", 1_700_000_000_000, 60_000)).await.expect("nobody holds it");
        let mut all = commits(&Snapshot::new("shop", "l"), 4, 3);
        let (next, after_next) = all.pop().expect("there are four");
        for (commit, after) in all {
            backend.commit(&lease, commit, after.clone()).await.expect("it is kept");
            backend.checkpoint(&lease, after).await.expect("it is kept");
        }
        let flip = |path: &std::path::Path| {
            let mut bytes = fs::read(path).expect("it is there");
            let at = bytes.windows(4).position(|it| it == b"shop").expect("it is named");
            bytes[at] ^= 1;
            fs::write(path, &bytes).expect("it can be written");
            bytes
        };
        let damaged = flip(&path);
        flip(&folder.file("state.json.history/3.json"));
        let other = open(&path);
        let Err(BackendError::Corrupt(why)) = other.load().await else { panic!("it is damaged") };
        assert!(why.contains("its checksum does not match"), "{why}");
        assert!(why.ends_with("version 2 of its history is intact"), "{why}");
        let listed = other.versions().await.expect("damaged ones are listed, too");
        assert_eq!(listed.iter().map(|it| it.serial).collect::<Vec<_>>(), [3, 2, 1]);
        let refused = other.commit(&lease, next, after_next).await;
        assert!(matches!(refused, Err(BackendError::Corrupt(_))), "{refused:?}");
        assert_eq!(fs::read(&path).expect("it is there"), damaged, "nothing is written over it");
    })
    .expect("it runs");
}

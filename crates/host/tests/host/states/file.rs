//! States in files: the conformance of their backend, and damaged files.

use std::{fs, path::Path, rc::Rc};

use planloom_host::{FileBackend, FileOptions, run};
use state::{
    Backend, BackendError, Encryption, HISTORY, Lease, Snapshot,
    testing::{BackendFeatures, Bench, LeapingTimer, claim, commits, conform},
};

use super::place::{Folder, encrypted, fresh_file, open};

fn conforms(encryption: fn() -> Encryption) {
    let can = BackendFeatures { expire: true, name_holder: true, history: Some(HISTORY) };
    let fresh = move |name: &str| fresh_file(name, encryption());
    let timer = Rc::new(LeapingTimer::at(1_700_000_000_000));
    run(conform(Bench { fresh: Rc::new(fresh), timer, ttl: 1000, can })).expect("it runs");
}

#[test]
fn files_conform() {
    conforms(Encryption::none);
}

#[test]
fn encrypted_files_conform() {
    conforms(encrypted);
}

/// A state with some commits: a folded part, and some lines in the journal.
struct Kept {
    folder: Folder,
    snapshots: Vec<Rc<Snapshot>>,
}

const LINES: usize = 6;

impl Kept {
    async fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        let backend = open(folder.file("state.json"));
        let lease = hold(&backend, "ada").await;
        let mut snapshots = Vec::new();
        for (commit, after) in commits(&Snapshot::new("shop", "l"), 4 + LINES, 2) {
            backend.commit(&lease, commit, after.clone()).await.expect("it is kept");
            if after.serial == 4 {
                backend.checkpoint(&lease, after.clone()).await.expect("it is kept");
            }
            snapshots.push(after);
        }
        Self { folder, snapshots }
    }

    fn path(&self, ending: &str) -> std::path::PathBuf {
        self.folder.file(&format!("state.json{ending}"))
    }

    fn open(&self) -> FileBackend {
        open(self.path(""))
    }

    fn last(&self) -> &Rc<Snapshot> {
        self.snapshots.last().expect("there are some")
    }
}

async fn hold(backend: &FileBackend, who: &str) -> Lease {
    backend.acquire(claim(who, 1_700_000_000_000, 60_000)).await.expect("nobody holds it")
}

#[test]
fn a_commit_is_a_line() {
    run(async {
        let kept = Kept::new("lines").await;
        let journal = fs::read_to_string(kept.path(".journal")).expect("it is text");
        assert_eq!(journal.lines().count(), LINES);
        let snapshot = fs::read_to_string(kept.path("")).expect("it is text");
        assert_eq!(Snapshot::read(&snapshot).as_ref(), Ok(&*kept.snapshots[3]));
        let version = fs::read_to_string(kept.path(".history/4.json")).expect("it is text");
        assert_eq!(version, snapshot);
    })
    .expect("it runs");
}

#[test]
fn a_journal_that_was_torn_anywhere_has_what_was_whole() {
    run(async {
        let kept = Kept::new("torn").await;
        let journal = fs::read(kept.path(".journal")).expect("it is there");
        for length in 0..journal.len() {
            let whole = journal[..length].iter().filter(|it| **it == b'\n').count();
            for rest in [&[][..], &[0; 3], &vec![0; journal.len() - length]] {
                fs::write(kept.path(".journal"), [&journal[..length], rest].concat())
                    .expect("it can be written");
                let loaded = kept.open().load().await;
                assert_eq!(loaded.as_ref(), Ok(&Some((*kept.snapshots[3 + whole]).clone())), "{length}");
            }
        }
    })
    .expect("it runs");
}

#[test]
fn after_a_torn_line_it_goes_on() {
    run(async {
        let kept = Kept::new("goes-on").await;
        let journal = fs::read(kept.path(".journal")).expect("it is there");
        for (cut, rest) in [(1, &b""[..]), (20, b""), (20, &[0; 500])] {
            fs::write(kept.path(".journal"), [&journal[..journal.len() - cut], rest].concat())
                .expect("written");
            let backend = kept.open();
            let lease = hold(&backend, "bob").await;
            let before = backend.load().await.expect("it is readable").expect("something is kept");
            assert_eq!(before.serial, kept.last().serial - 1);
            for (commit, after) in commits(&before, 3, 5) {
                backend.commit(&lease, commit, after.clone()).await.expect("it is kept");
                assert_eq!(kept.open().load().await, Ok(Some((*after).clone())));
            }
            backend.release(&lease).await.expect("it is held");
        }
    })
    .expect("it runs");
}

/// The repair: a version replaces the files that cannot be read, which are kept aside.
#[test]
fn damaged_states_are_repaired_from_history_and_kept_aside() {
    run(async {
        let kept = Kept::new("repaired").await;
        let journal = fs::read(kept.path(".journal")).expect("there");
        let (backend, old) = (kept.open(), (*kept.snapshots[3]).clone());
        let lease = hold(&backend, "bob").await;
        let refused = backend.repair(&lease, old.clone()).await;
        assert!(matches!(refused, Err(BackendError::Invalid(_))), "it can be read: {refused:?}");
        for (round, aside) in ["unreadable", "unreadable-2"].into_iter().enumerate() {
            let broken = format!("broken {round}");
            fs::write(kept.path(""), &broken).expect("it can be written");
            let repaired = backend.repair(&lease, old.clone()).await.expect("it is repaired");
            assert!(repaired.serial > kept.last().serial + round as u64, "{repaired:?}");
            assert_eq!(fs::read_to_string(kept.path(&format!(".{aside}"))).expect("it is kept"), broken);
            let expected = Snapshot { serial: repaired.serial, ..old.clone() };
            assert_eq!(kept.open().load().await, Ok(Some(expected.clone())));
            assert_eq!(backend.version(repaired.serial).await, Ok(Some(expected.clone())));
            for (commit, after) in commits(&expected, 2, 5) {
                backend.commit(&lease, commit, after.clone()).await.expect("it goes on");
            }
        }
        assert_eq!(fs::read(kept.path(".journal.unreadable")).expect("it is kept"), journal);
        backend.release(&lease).await.expect("it is held");
    })
    .expect("it runs");
}

/// Damage is reported with its place, by the reader and by the writer, and no byte is changed.
async fn check_corrupt(kept: &Kept, words: &str) {
    let files = || ["", ".journal"].map(|it| fs::read(kept.path(it)).ok());
    let before = files();
    let backend = kept.open();
    let Err(BackendError::Corrupt(why)) = backend.load().await else { panic!("it must be refused: {words}") };
    assert!(why.contains(words), "{why}");
    let lease = hold(&backend, "bob").await;
    for (commit, after) in commits(kept.last(), 1, 9) {
        let refused = backend.commit(&lease, commit, after.clone()).await;
        assert!(matches!(refused, Err(BackendError::Corrupt(_))), "{refused:?}");
        let refused = backend.checkpoint(&lease, after).await;
        assert!(matches!(refused, Err(BackendError::Corrupt(_))), "{refused:?}");
    }
    backend.release(&lease).await.expect("it is held");
    assert_eq!(files(), before, "nothing is overwritten");
}

#[test]
fn damaged_states_are_located_and_left_alone() {
    run(async {
        let kept = Kept::new("broken").await;
        let (state, journal) =
            (fs::read(kept.path("")).expect("there"), fs::read(kept.path(".journal")).expect("there"));
        let restore = || {
            fs::write(kept.path(""), &state).expect("it can be written");
            fs::write(kept.path(".journal"), &journal).expect("it can be written");
        };
        let lines: Vec<&[u8]> = journal.split_inclusive(|it| *it == b'\n').collect();
        let with =
            |lines: &[&[u8]]| fs::write(kept.path(".journal"), lines.concat()).expect("it can be written");

        with(&[lines[0], b"{\"serial\": 6}\n", lines[2]]);
        check_corrupt(&kept, "state.json.journal, line 2: column 1").await;
        with(&[lines[0], lines[2]]);
        check_corrupt(&kept, "line 2: commit 7 follows version 5").await;
        with(&[lines[0], lines[1], lines[1]]);
        check_corrupt(&kept, "line 3: commit 6 follows version 6").await;
        with(&[lines[1]]);
        check_corrupt(&kept, "line 1: commit 6 follows version 4").await;
        with(&[b"garbage\n", lines[0]]);
        check_corrupt(&kept, "line 1: column 1: it is not JSON").await;
        let other = String::from_utf8_lossy(lines[0]).replace("\"lineage\":\"l\"", "\"lineage\":\"m\"");
        with(&[other.as_bytes()]);
        check_corrupt(&kept, "line 1: column 13: its checksum does not match").await;
        let (_, without_checksum) = other.split_once("\"changes\"").expect("it has changes");
        with(&[format!("{{\"changes\"{without_checksum}").as_bytes()]);
        check_corrupt(&kept, "line 1: it is a commit of another deployment").await;

        restore();
        fs::write(kept.path(""), &state[..state.len() / 2]).expect("it can be written");
        check_corrupt(&kept, "state.json, line 1, column").await;
        fs::write(kept.path(""), "{\"format\": \"planloom.state/9\", \"serial\": 1}")
            .expect("it can be written");
        check_corrupt(&kept, "planloom.state/9").await;
        fs::remove_file(kept.path("")).expect("it is there");
        check_corrupt(&kept, "state.json is missing").await;

        restore();
        assert_eq!(kept.open().load().await, Ok(Some((**kept.last()).clone())));
    })
    .expect("it runs");
}

#[test]
fn a_fold_that_was_broken_off_loses_nothing() {
    run(async {
        let kept = Kept::new("fold").await;
        let journal = fs::read(kept.path(".journal")).expect("it is there");
        let backend = kept.open();
        let lease = hold(&backend, "bob").await;
        backend.checkpoint(&lease, kept.last().clone()).await.expect("it is kept");
        // As if the process had died before the journal was emptied.
        fs::write(kept.path(".journal"), &journal).expect("it can be written");
        assert_eq!(kept.open().load().await, Ok(Some((**kept.last()).clone())));
        let again = kept.open();
        backend.release(&lease).await.expect("it is held");
        let lease = hold(&again, "eve").await;
        for (commit, after) in commits(kept.last(), 3, 9) {
            again.commit(&lease, commit, after.clone()).await.expect("it is kept");
            assert_eq!(kept.open().load().await, Ok(Some((*after).clone())));
        }
    })
    .expect("it runs");
}

#[test]
fn many_commits_are_folded_by_themselves() {
    run(async {
        let folder = Folder::new("folding");
        let backend = open(folder.file("state.json"));
        let lease = hold(&backend, "ada").await;
        let mut snapshot = Snapshot::new("shop", "l");
        for serial in 1..=60 {
            let entry = state::testing::entry(&"x".repeat(100_000));
            let changes = vec![state::Change::Put("services.web".into(), Box::new(entry))];
            let commit = state::Commit { serial, changes };
            snapshot.take(&commit);
            backend.commit(&lease, Rc::new(commit), Rc::new(snapshot.clone())).await.expect("it is kept");
        }
        let length = fs::metadata(folder.file("state.json.journal")).expect("it is there").len();
        assert!(length < 6 << 20, "12 MB were written, {length} bytes are in the journal");
        assert_eq!(open(folder.file("state.json")).load().await, Ok(Some(snapshot)));
    })
    .expect("it runs");
}

#[test]
fn no_secret_and_no_name_is_in_the_bytes_of_an_encrypted_state() {
    run(async {
        let folder = Folder::new("sealed");
        let options = FileOptions { encryption: encrypted(), ..FileOptions::at(folder.file("state.json")) };
        let backend = FileBackend::new(options.clone());
        let lease = hold(&backend, "ada").await;
        for (commit, after) in commits(&Snapshot::new("shop", "l"), 8, 2) {
            backend.commit(&lease, commit, after.clone()).await.expect("it is kept");
            if after.serial == 4 {
                backend.checkpoint(&lease, after).await.expect("it is kept");
            }
        }
        for name in ["state.json", "state.json.journal", "state.json.history/4.json"] {
            let text = fs::read_to_string(folder.file(name)).expect("it is text");
            assert!(!text.contains("services") && !text.contains("activity"), "{name}");
        }
        let refused = open(folder.file("state.json")).load().await;
        assert!(matches!(refused, Err(BackendError::Sealed(_))), "{refused:?}");
        let plain = Kept::new("plain").await;
        let sealed = |encryption| FileOptions { encryption, ..FileOptions::at(plain.path("")) };
        let refused = FileBackend::new(sealed(encrypted())).load().await;
        assert!(matches!(refused, Err(BackendError::Sealed(_))), "{refused:?}");
        let migrating = FileBackend::new(sealed(encrypted().migrating()));
        assert_eq!(migrating.load().await, Ok(Some((**plain.last()).clone())));
        let lease = hold(&migrating, "bob").await;
        migrating.checkpoint(&lease, plain.last().clone()).await.expect("it is kept");
        assert_eq!(FileBackend::new(sealed(encrypted())).load().await, Ok(Some((**plain.last()).clone())));
    })
    .expect("it runs");
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_new_files_and_who_could_before_still_can() {
    use std::os::unix::fs::PermissionsExt;

    run(async {
        let kept = Kept::new("modes").await;
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        for ending in ["", ".journal", ".lock", ".history/4.json"] {
            let path = kept.path(ending);
            if ending != ".lock" || path.exists() {
                assert_eq!(mode(&path), 0o600, "{ending}");
            }
        }
        assert_eq!(mode(&kept.path(".history")), 0o700);
        fs::set_permissions(kept.path(""), fs::Permissions::from_mode(0o640)).expect("it is ours");
        let backend = kept.open();
        let lease = hold(&backend, "bob").await;
        backend.checkpoint(&lease, kept.last().clone()).await.expect("it is kept");
        assert_eq!(mode(&kept.path("")), 0o640);
        assert_eq!(mode(&kept.path(".lock")), 0o600);
    })
    .expect("it runs");
}

#[cfg(unix)]
#[test]
fn a_link_stays_one_and_both_ways_lead_to_the_same() {
    use std::os::unix::fs::symlink;

    run(async {
        let folder = Folder::new("links");
        fs::create_dir(folder.file("real")).expect("it can be made");
        symlink("middle.json", folder.file("link.json")).expect("it can be made");
        symlink("real/state.json", folder.file("middle.json")).expect("it can be made");
        let backend = open(folder.file("link.json"));
        let lease = hold(&backend, "ada").await;
        let mut last = None;
        for (commit, after) in commits(&Snapshot::new("shop", "l"), 5, 2) {
            backend.commit(&lease, commit, after.clone()).await.expect("it is kept");
            backend.checkpoint(&lease, after.clone()).await.expect("it is kept");
            last = Some((*after).clone());
        }
        let is_link = |name| fs::symlink_metadata(folder.file(name)).is_ok_and(|it| it.is_symlink());
        assert!(is_link("link.json") && is_link("middle.json") && !is_link("real/state.json"));
        let direct = open(folder.file("real/state.json"));
        assert_eq!(direct.load().await, Ok(last));
        assert!(matches!(
            direct.acquire(claim("bob", 1_700_000_000_000, 1000)).await,
            Err(BackendError::Locked(_))
        ));
    })
    .expect("it runs");
}

#[test]
fn the_lock_says_which_process_on_which_machine() {
    run(async {
        let folder = Folder::new("who");
        let backend = open(folder.file("state.json"));
        let lease = hold(&backend, "ada").await;
        let text = fs::read(folder.file("state.json.lock")).expect("it is there");
        let lock: serde_json::Value = serde_json::from_slice(&text).expect("it is JSON");
        assert_eq!(lock["pid"], std::process::id());
        assert_eq!((&lock["id"], &lock["who"]), (&"lease of ada".into(), &"ada@host (1)".into()));
        assert!(lock["host"].as_str().is_some_and(|it| !it.is_empty()), "{lock}");
        let renewed = backend.renew(&lease, 1_700_000_050_000, 1000).await.expect("it is held");
        assert_eq!(renewed.holder.until, 1_700_000_051_000);
        assert_eq!(open(folder.file("state.json")).holder().await, Ok(Some(renewed.holder)));
        backend.release(&lease).await.expect("it is held");
        assert!(!folder.file("state.json.lock").exists());
    })
    .expect("it runs");
}

#[test]
fn unwritable_folders_are_reported() {
    run(async {
        let folder = Folder::new("nowhere");
        let backend = open(folder.file("none/state.json"));
        assert_eq!(backend.load().await, Ok(None));
        let refused = backend.acquire(claim("ada", 0, 1000)).await;
        assert!(
            matches!(&refused, Err(BackendError::Unavailable(why)) if why.contains("none/state.json")),
            "{refused:?}"
        );
    })
    .expect("it runs");
}

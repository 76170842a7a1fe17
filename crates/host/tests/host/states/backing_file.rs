//! The resources of a store in a file: what was kept is there again, after crashes too, and damage is reported.

use std::{
    fs::{self, OpenOptions},
    os::unix::fs::{FileExt, symlink},
    path::Path,
    process::Command,
};

use planloom_host::FileBacking;
use proptest::prelude::*;
use store::{BackingStore, Change, Commit, Counters, Kind};

use super::{
    backing_support::{Content, Move, commits, content, histories, keep, put, states},
    place::Folder,
};

/// The variable with the file that a process under a limit writes to.
const LIMITED: &str = "PLANLOOM_TEST_LIMITED_FILE";

fn read(path: &Path) -> Result<Content, String> {
    content(&mut FileBacking::open(path)?)
}

/// A file with five transactions, and its lengths after each; the last one is longer than some sectors.
fn small(path: &Path) -> (Vec<Commit>, Vec<u64>) {
    let history = [
        vec![Move::Put(1, 3), Move::Put(2, 0)],
        vec![Move::Put(3, 700), Move::Label(2, "l".to_owned())],
        vec![Move::Delete(1)],
        vec![Move::Put(2, 40), Move::Delete(3)],
        vec![Move::Put(4, 1300), Move::Put(5, 9)],
    ];
    let commits = commits(&history);
    assert_eq!(commits.len(), history.len(), "none is refused");
    let mut backing = FileBacking::open(path).expect("it is new");
    let length = || fs::metadata(path).expect("it is there").len();
    let mut lengths = vec![length()];
    for Commit { changes, counters } in &commits {
        backing.commit(changes, *counters).expect("it is kept");
        lengths.push(length());
    }
    (commits, lengths)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_file_holds_what_memory_holds(
        history in histories(60),
        stops in prop::collection::vec(1..20_usize, 1..8),
        compact_from in prop_oneof![Just(0_u64), Just(6_000), Just(u64::MAX)],
    ) {
        let folder = Folder::new("backing-history");
        let path = folder.file("store.db");
        let commits = commits(&history);
        let states = states(&commits);
        let (mut at, mut stops) = (0, stops.into_iter().cycle());
        while at < commits.len() {
            let next = (at + stops.next().unwrap_or(1)).min(commits.len());
            let mut backing = FileBacking::open(&path).expect("it is a store").compact_from(compact_from);
            prop_assert_eq!(&content(&mut backing).expect("it is whole"), &states[at]);
            keep(&mut backing, &commits[at..next]).expect("it is kept");
            prop_assert_eq!(&content(&mut backing).expect("it is whole"), &states[next]);
            at = next;
        }
        prop_assert_eq!(&read(&path).expect("it is whole"), &states[commits.len()]);
    }
}

#[test]
fn a_file_cut_at_any_byte_has_what_was_kept_until_then_and_goes_on() {
    let folder = Folder::new("backing-cut");
    let path = folder.file("store.db");
    let (commits, lengths) = small(&path);
    let states = states(&commits);
    let whole = fs::read(&path).expect("it is there");
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).expect("it can be written");
        let kept = lengths.iter().filter(|it| **it <= cut as u64).count().saturating_sub(1);
        let mut backing = FileBacking::open(&path).expect("it is a store");
        assert_eq!(content(&mut backing).as_ref(), Ok(&states[kept]), "cut at {cut}");
        if !cut.is_multiple_of(7) {
            continue;
        }
        keep(&mut backing, &commits[kept..]).expect("it goes on");
        drop(backing);
        assert_eq!(read(&path).as_ref(), states.last().ok_or(&String::new()), "cut at {cut}");
    }
}

/// What a power failure leaves of a file whose length was written before its content.
#[test]
fn unwritten_sectors_of_the_last_record_are_a_crash() {
    let folder = Folder::new("backing-sectors");
    let path = folder.file("store.db");
    let (commits, lengths) = small(&path);
    let states = states(&commits);
    let whole = fs::read(&path).expect("it is there");
    let last = usize::try_from(lengths[4]).expect("it is short");
    let sectors: Vec<_> =
        (0..whole.len().div_ceil(512)).map(|it| it * 512..whole.len().min((it + 1) * 512)).collect();
    let of_last: Vec<_> = sectors.into_iter().filter(|it| it.end > last).collect();
    assert!(of_last.len() >= 3, "{of_last:?}");
    for unwritten in 1_u32..1 << of_last.len() {
        let mut torn = whole.clone();
        let chosen = of_last.iter().enumerate().filter(|(at, _)| unwritten & 1 << at != 0);
        for (_, sector) in chosen {
            torn[sector.start.max(last)..sector.end].fill(0);
        }
        fs::write(&path, &torn).expect("it can be written");
        assert_eq!(read(&path).as_ref(), Ok(&states[4]), "unwritten: {unwritten:b}");
    }
}

/// Also in the last record: it was acknowledged, so it is not taken for what a crash left.
#[test]
fn each_wrong_bit_is_an_error_that_names_its_place() {
    let folder = Folder::new("backing-bits");
    let path = folder.file("store.db");
    let (_, lengths) = small(&path);
    let whole = fs::read(&path).expect("it is there");
    let header = usize::try_from(lengths[0]).expect("it is short");
    let name = path.display().to_string();
    let file = OpenOptions::new().write(true).open(&path).expect("it is there");
    for bit in 0..whole.len() * 8 {
        let (byte, at) = (bit / 8, (bit / 8) as u64);
        file.write_all_at(&[whole[byte] ^ 1 << (bit % 8)], at).expect("it can be written");
        let why = read(&path).expect_err("it is damaged");
        let record = lengths.iter().rev().find(|it| **it <= at);
        let expected =
            record.map_or(name.clone(), |it| format!("`{name}` is damaged: the record at byte {it} "));
        assert!(why.contains(&expected), "bit {bit}: {why}");
        assert!(byte >= header || why.contains("store"), "bit {bit}: {why}");
        file.write_all_at(&[whole[byte]], at).expect("it can be written");
        if bit.is_multiple_of(1000) {
            assert_eq!(fs::read(&path).expect("it is there"), whole, "nothing else is written");
        }
    }
}

/// A record that something follows was acknowledged, whatever it and what follows look like.
#[test]
fn a_damaged_record_before_a_torn_one_is_an_error() {
    let folder = Folder::new("backing-both");
    let path = folder.file("store.db");
    let (_, lengths) = small(&path);
    let whole = fs::read(&path).expect("it is there");
    let [fourth, last] = [lengths[3], lengths[4]].map(|it| usize::try_from(it).expect("it is short"));
    for at in fourth..last {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        damaged[last + 12..].fill(0);
        fs::write(&path, &damaged).expect("it can be written");
        // A wrong frame in a sector that was never written would be a crash; these are written.
        let why = read(&path).expect_err("it is damaged");
        assert!(why.contains(&format!("the record at byte {fourth} ")), "byte {at}: {why}");
    }
}

#[test]
fn files_that_are_not_stores_of_this_version_are_refused() {
    let folder = Folder::new("backing-formats");
    let path = folder.file("store.db");
    for (text, expected) in [
        ("planloom.store/2\n\n\n\n", "has a format of another version of planloom"),
        ("planloom.store/12\n", "has a format of another version of planloom"),
        (
            "{\"lineage\": \"l\", \"serial\": 7}\n",
            "is not a store: it does not begin with `planloom.store/1`",
        ),
        ("x", "is not a store"),
    ] {
        fs::write(&path, text).expect("it can be written");
        let why = read(&path).expect_err("it is something else");
        assert!(why.contains(expected), "{why}");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), text);
    }
    let why = FileBacking::open(folder.file("none/store.db")).expect_err("there is no folder");
    assert!(why.starts_with("cannot open") && why.contains("No such file"), "{why}");
    let why = FileBacking::open(&folder.0).expect_err("it is a folder");
    assert!(why.starts_with("cannot open"), "{why}");
}

#[test]
fn a_file_is_open_once_also_by_another_name() {
    let folder = Folder::new("backing-lock");
    let path = folder.file("store.db");
    let first = FileBacking::open(&path).expect("it is new");
    symlink(&path, folder.file("link.db")).expect("a link can be made");
    for name in ["store.db", "link.db"] {
        let why = FileBacking::open(folder.file(name)).expect_err("it is open");
        assert!(why.contains(&format!("is in use by process {} on ", std::process::id())), "{why}");
        assert!(why.ends_with("end it first, or use another file"), "{why}");
    }
    drop(first);
    let mut second = FileBacking::open(folder.file("link.db")).expect("it is free");
    assert_eq!(second.path(), path);
    keep(&mut second, &[put("a", "b", 1)]).expect("it is kept");
    assert!(fs::symlink_metadata(folder.file("link.db")).expect("it is there").is_symlink());
}

/// The lock beside the file is no help then; that of the file itself is, also after a compaction has replaced it.
#[test]
fn a_file_is_open_once_also_by_a_hard_link_and_without_the_file_beside_it() {
    let folder = Folder::new("backing-inode");
    let (path, link) = (folder.file("store.db"), folder.file("hard.db"));
    let other = "is in use by another process, perhaps under another name";
    let mut first = FileBacking::open(&path).expect("it is new").compact_from(4000);
    fs::hard_link(&path, &link).expect("a link can be made");
    let why = FileBacking::open(&link).expect_err("it is open");
    assert!(why.contains(other), "{why}");
    fs::remove_file(&link).expect("it is there");
    let length = || fs::metadata(&path).expect("it is there").len();
    let (mut revision, mut before) = (0, 0);
    while before <= length() {
        (revision, before) = (revision + 1, length());
        keep(&mut first, &[put("one", &"x".repeat(1000), revision)]).expect("it is kept");
    }
    fs::hard_link(&path, &link).expect("a link can be made");
    fs::remove_file(folder.file("store.db.lock")).expect("it is there");
    for name in [&path, &link] {
        let why = FileBacking::open(name).expect_err("it is open");
        assert!(why.contains(other), "{why}");
    }
    keep(&mut first, &[put("two", "y", revision + 1)]).expect("it is kept");
    drop(first);
    assert_eq!(read(&link).expect("it is free").0.len(), 2);
}

#[test]
fn a_file_stays_as_short_as_its_content_and_survives_a_compaction_that_fails() {
    let folder = Folder::new("backing-compact");
    let path = folder.file("store.db");
    let mut backing = FileBacking::open(&path).expect("it is new").compact_from(10_000);
    keep(&mut backing, &[put("other", &"y".repeat(3000), 1)]).expect("it is kept");
    // The new file cannot be written: something is where it would be.
    let unfinished = folder.file(".store.db.unfinished");
    fs::create_dir(&unfinished).expect("it can be made");
    let length = || fs::metadata(&path).expect("it is there").len();
    for revision in 2..100 {
        keep(&mut backing, &[put("one", &"x".repeat(1000), revision)]).expect("it is kept");
    }
    assert!(length() > 98_000, "{}", length());
    fs::remove_dir(&unfinished).expect("it is empty");
    for revision in 100..400 {
        keep(&mut backing, &[put("one", &"x".repeat(1000), revision)]).expect("it is kept");
    }
    assert!(length() < 40_000, "{}", length());
    let (all, counters) = content(&mut backing).expect("it is whole");
    assert_eq!((all.len(), counters), (2, Counters::new(399, 399)));
    assert_eq!(all[0].metadata.version, 399);
    drop(backing);
    let last = Commit {
        changes: ["one", "other"].map(|id| Change::Delete(Kind::new("shop", "Item").key(id))).to_vec(),
        counters: Counters::new(400, 399),
    };
    let mut backing = FileBacking::open(&path).expect("it is a store").compact_from(0);
    content(&mut backing).expect("it is whole");
    keep(&mut backing, &[last]).expect("it is kept");
    drop(backing);
    assert_eq!(read(&path), Ok((Vec::new(), Counters::new(400, 399))), "counters outlive resources");
    assert!(length() < 100, "{}", length());
}

/// Damage behind its back: it is noticed, and the old file is not replaced by a copy without the record.
#[test]
fn a_compaction_does_not_copy_damage() {
    let folder = Folder::new("backing-damage");
    let path = folder.file("store.db");
    let mut backing = FileBacking::open(&path).expect("it is new").compact_from(4000);
    keep(&mut backing, &[put("other", "precious", 1), put("one", "x", 2)]).expect("it is kept");
    let bytes = fs::read(&path).expect("it is there");
    let at = bytes.windows(8).position(|it| it == b"precious").expect("it is there");
    let file = OpenOptions::new().write(true).open(&path).expect("it is there");
    file.write_all_at(b"q", at as u64).expect("it can be written");
    let refused = (3..20).find_map(|it| keep(&mut backing, &[put("one", &"x".repeat(1000), it)]).err());
    let why = refused.expect("it is compacted before");
    assert!(why.contains("is damaged: the record at byte 20 "), "{why}");
    assert!(fs::metadata(&path).expect("it is there").len() > 4000, "it is not replaced");
    assert!(!folder.file(".store.db.unfinished").exists());
}

/// A compaction is complete before its file is used: what is missing of it was not left by a crash.
#[test]
fn a_compaction_that_is_cut_is_damage() {
    let folder = Folder::new("backing-cut-compaction");
    let path = folder.file("store.db");
    let mut backing = FileBacking::open(&path).expect("it is new").compact_from(4000);
    keep(&mut backing, &[put("other", "precious", 1)]).expect("it is kept");
    let length = || fs::metadata(&path).expect("it is there").len();
    let (mut revision, mut before) = (1, 0);
    while before <= length() {
        (revision, before) = (revision + 1, length());
        keep(&mut backing, &[put("one", &"x".repeat(1000), revision)]).expect("it is kept");
    }
    drop(backing);
    let whole = fs::read(&path).expect("it is there");
    assert_eq!(read(&path).expect("it is whole").0.len(), 2);
    // Before its first record nothing says that it was a compaction: the file is as short as a new one.
    let marked = 20 + 16;
    let end = whole.windows(2).position(|it| it == b"={").expect("counters");
    assert!(end > 1000, "the resources come before");
    for length in marked..end {
        fs::write(&path, &whole[..length]).expect("it can be written");
        let why = read(&path).expect_err("something is missing");
        assert!(why.contains("is damaged: the record at byte "), "{length}: {why}");
    }
}

/// Writes as much as its process may, then something shorter; prints how much was kept.
#[expect(clippy::print_stdout, reason = "the other process reads it")]
#[test]
#[ignore = "run under a limit by the test of full disks"]
fn write_to_a_full_disk() {
    let path = std::env::var(LIMITED).expect("the file");
    let mut backing = FileBacking::open(path).expect("it is new");
    content(&mut backing).expect("it is empty");
    let mut revision = 0;
    let why = loop {
        match keep(&mut backing, &[put(&format!("r{revision}"), &"x".repeat(3000), revision + 1)]) {
            Ok(()) => revision += 1,
            Err(why) => break why,
        }
    };
    let again = keep(&mut backing, &[put("large", &"x".repeat(3000), revision + 1)]);
    assert_eq!(again, Err(why.clone()), "the next one fails alike");
    keep(&mut backing, &[put("last", "short", revision + 1)]).expect("there is room for a short one");
    println!("kept {revision}: {why}");
}

#[test]
fn a_full_disk_leaves_the_file_usable() {
    let folder = Folder::new("backing-full");
    let path = folder.file("store.db");
    let program = std::env::current_exe().expect("it runs");
    let limited = Command::new("/bin/sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 40; exec \"$0\" --exact \"$1\" --ignored --nocapture"])
        .arg(program)
        .arg("states::backing_file::write_to_a_full_disk")
        .env(LIMITED, &path)
        .output()
        .expect("there is a shell");
    let said = String::from_utf8_lossy(&limited.stdout);
    assert!(limited.status.success(), "{said}{}", String::from_utf8_lossy(&limited.stderr));
    let (_, said) = said.split_once("kept ").expect("it says how many");
    let (kept, why) = said.split_once(": ").expect("it says why");
    assert!(why.starts_with(&format!("cannot write `{}`: File too large", path.display())), "{why}");
    let kept: usize = kept.parse().expect("a number");
    assert!((4..8).contains(&kept), "{kept}");
    let (all, counters) = read(&path).expect("it is whole");
    assert_eq!((all.len(), counters.revision.get()), (kept + 1, kept as u64 + 1));
    assert_eq!(all[0].id().as_ref(), "last");
}

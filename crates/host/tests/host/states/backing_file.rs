//! The resources of a store in a file: all kept writes are there again, after crashes too, and damage is reported.

use std::{
    fs::{self, OpenOptions},
    os::unix::fs::{FileExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use planloom_host::{FileBacking, LostWrites, Recovery};
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

/// A file with five transactions, and its lengths after each; the last one is longer than some sectors. It has no seal.
fn small(path: &Path) -> (Vec<Commit>, Vec<u64>) {
    let (commits, lengths, _) = sealed(path);
    fs::remove_file(seal(path)).expect("it is there");
    (commits, lengths)
}

fn seal(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.seal", path.display()))
}

/// The same, with its seals at the start and after each.
fn sealed(path: &Path) -> (Vec<Commit>, Vec<u64>, Vec<Vec<u8>>) {
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
    content(&mut backing).expect("it is empty");
    let length = || fs::metadata(path).expect("it is there").len();
    let is_sealed = || fs::read(seal(path)).expect("it is there");
    let (mut lengths, mut seals) = (vec![length()], vec![is_sealed()]);
    for Commit { changes, counters } in &commits {
        backing.commit(changes, *counters).expect("it is kept");
        lengths.push(length());
        seals.push(is_sealed());
    }
    assert_eq!(backing.recovery().get(), None, "nothing was lost");
    (commits, lengths, seals)
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

/// The number of transactions that are complete in the first bytes of a file.
fn kept(lengths: &[u64], cut: usize) -> usize {
    lengths.iter().filter(|it| **it <= cut as u64).count().saturating_sub(1)
}

#[test]
fn a_file_without_a_seal_that_is_cut_at_any_byte_has_what_was_kept_until_then_and_goes_on() {
    let folder = Folder::new("backing-cut");
    let path = folder.file("store.db");
    let (commits, lengths) = small(&path);
    let states = states(&commits);
    let whole = fs::read(&path).expect("it is there");
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).expect("it can be written");
        drop(fs::remove_file(seal(&path)));
        let kept = kept(&lengths, cut);
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

/// The number of bytes of a cut file that are not a whole transaction.
fn incomplete(lengths: &[u64], cut: usize) -> u64 {
    let cut = cut as u64;
    cut - lengths.iter().rev().find(|it| **it <= cut).unwrap_or(&0)
}

/// Its seal says that they were acknowledged, so it is neither opened nor changed before that is accepted.
#[test]
fn a_sealed_file_that_is_cut_at_any_byte_is_refused_until_its_losses_are_accepted() {
    let folder = Folder::new("backing-seal");
    let path = folder.file("store.db");
    let (commits, lengths, seals) = sealed(&path);
    let states = states(&commits);
    let whole = fs::read(&path).expect("it is there");
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).expect("it can be written");
        fs::write(seal(&path), &seals[5]).expect("it can be written");
        let kept = kept(&lengths, cut);
        let (transactions, bytes) = (5 - kept as u64, lengths[5] - (cut as u64 - incomplete(&lengths, cut)));
        let lost = LostWrites::Missing { transactions, bytes };
        let expected = Recovery { incomplete: incomplete(&lengths, cut), lost };
        let mut backing = FileBacking::open(&path).expect("it is a store");
        let why = content(&mut backing).expect_err("something is missing");
        let said = format!("{transactions} acknowledged transactions, {bytes} bytes, are missing");
        assert!(why.contains(&said), "cut at {cut}: {why}");
        assert_eq!(backing.recovery().get(), Some(&expected), "cut at {cut}");
        drop(backing);
        assert_eq!(fs::read(&path).expect("it is there"), &whole[..cut], "it stays as it is");
        assert_eq!(fs::read(seal(&path)).expect("it is there"), seals[5], "its seal too");
        let mut backing = FileBacking::open(&path).expect("it is a store").accept_lost_writes(true);
        assert_eq!(content(&mut backing).as_ref(), Ok(&states[kept]), "cut at {cut}");
        assert_eq!(backing.recovery().get(), Some(&expected), "cut at {cut}");
        drop(backing);
        assert_eq!(read(&path).as_ref(), Ok(&states[kept]), "what is lost is accepted once");
    }
    fs::remove_file(&path).expect("it is there");
    fs::write(seal(&path), &seals[5]).expect("it can be written");
    assert!(read(&path).expect_err("it is gone").contains("5 acknowledged transactions"));
}

/// The seal is of the transaction before: the one that is incomplete was not acknowledged.
#[test]
fn what_a_crash_leaves_of_a_sealed_file_is_dropped_and_reported() {
    let folder = Folder::new("backing-seal-crash");
    let path = folder.file("store.db");
    let (commits, lengths, seals) = sealed(&path);
    let states = states(&commits);
    let whole = fs::read(&path).expect("it is there");
    let header = usize::try_from(lengths[0]).expect("it is short");
    for cut in header..=whole.len() {
        let kept = kept(&lengths, cut);
        // A process may also end after a transaction is in the file, and before it is in the seal.
        let least = if cut.is_multiple_of(7) { kept.saturating_sub(1) } else { kept };
        for sealed in least..=kept {
            fs::write(&path, &whole[..cut]).expect("it can be written");
            fs::write(seal(&path), &seals[sealed]).expect("it can be written");
            let mut backing = FileBacking::open(&path).expect("it is a store");
            assert_eq!(content(&mut backing).as_ref(), Ok(&states[kept]), "cut at {cut}");
            let incomplete = incomplete(&lengths, cut);
            let expected = (incomplete > 0).then_some(Recovery { incomplete, lost: LostWrites::Nothing });
            assert_eq!(backing.recovery().get(), expected.as_ref(), "cut at {cut}");
            drop(backing);
            assert_eq!(fs::read(seal(&path)).expect("it is there"), seals[kept], "cut at {cut}");
        }
    }
}

#[test]
fn files_without_a_usable_seal_are_read_and_sealed() {
    let folder = Folder::new("backing-no-seal");
    let path = folder.file("store.db");
    let (commits, lengths, seals) = sealed(&path);
    let last = states(&commits).pop().expect("there are some");
    let whole = fs::read(&path).expect("it is there");
    let mut damaged = seals[5].clone();
    damaged[30] ^= 1;
    for (text, lost) in [
        (&b""[..], None),
        (&damaged, Some(LostWrites::UnreadableSeal)),
        (&seals[5][..60], Some(LostWrites::UnreadableSeal)),
        (b"text", Some(LostWrites::UnreadableSeal)),
        (&[0; 1000], Some(LostWrites::UnreadableSeal)),
    ] {
        fs::write(seal(&path), text).expect("it can be written");
        let mut backing = FileBacking::open(&path).expect("it is a store");
        assert_eq!(content(&mut backing).as_ref(), Ok(&last));
        assert_eq!(backing.recovery().get().map(|it| it.lost), lost);
        assert_eq!(fs::read(seal(&path)).expect("it is there"), seals[5], "it is sealed");
    }
    fs::remove_file(seal(&path)).expect("it is there");
    fs::write(&path, &whole[..whole.len() - 1]).expect("it can be written");
    let mut backing = FileBacking::open(&path).expect("it is a store");
    content(&mut backing).expect("it is a store");
    let expected = Recovery { incomplete: lengths[5] - lengths[4] - 1, lost: LostWrites::NoSeal };
    assert_eq!(backing.recovery().get(), Some(&expected));
}

/// It is shorter than the file that was sealed, and holds the same.
#[test]
fn a_compaction_breaks_no_seal_and_what_is_missing_after_it_is_noticed() {
    let folder = Folder::new("backing-seal-compaction");
    let path = folder.file("store.db");
    let mut backing = FileBacking::open(&path).expect("it is new").compact_from(2000);
    content(&mut backing).expect("it is empty");
    let (mut revision, mut before) = (0, 0);
    let length = || fs::metadata(&path).expect("it is there").len();
    let mut former = Vec::new();
    while before <= length() {
        (revision, before) = (revision + 1, length());
        former = fs::read(seal(&path)).expect("it is there");
        keep(&mut backing, &[put("one", &"x".repeat(1000), revision)]).expect("it is kept");
    }
    drop(backing);
    let compacted = fs::read(&path).expect("it is there");
    let current = fs::read(seal(&path)).expect("it is there");
    // A crash can come before the seal is written.
    fs::write(seal(&path), &former).expect("it can be written");
    assert_eq!(read(&path).expect("it is whole").1, Counters::new(revision, revision));
    fs::write(seal(&path), &current).expect("it can be written");
    fs::write(&path, &compacted[..20]).expect("it can be written");
    let why = read(&path).expect_err("something is missing");
    assert!(why.contains(&format!("{revision} acknowledged transactions")), "{why}");
}

/// Writes to a file that no path leads to, or after a hole, could not be read again.
#[test]
fn a_file_that_is_moved_replaced_or_changed_while_it_is_open_is_not_written_to() {
    let folder = Folder::new("backing-moved");
    let (path, aside) = (folder.file("store.db"), folder.file("aside.db"));
    let mut backing = FileBacking::open(&path).expect("it is new").compact_from(0);
    content(&mut backing).expect("it is empty");
    keep(&mut backing, &[put("a", &"x".repeat(900), 1), put("b", "x", 2)]).expect("it is kept");
    let whole = fs::read(&path).expect("it is there");
    let refuses = |backing: &mut FileBacking, expected: &str| {
        let why = keep(backing, &[put("a", "y", 3)]).expect_err("it is not where it was");
        assert!(why.contains(expected), "{why}");
        assert_eq!(fs::read(&aside).unwrap_or_else(|_| whole.clone()), whole, "nothing is written");
    };
    let moved = "was moved away, deleted or replaced while it was open: nothing is written";
    fs::rename(&path, &aside).expect("it is there");
    refuses(&mut backing, moved);
    assert!(!path.exists(), "and nothing is created");
    fs::write(&path, &whole).expect("it can be written");
    refuses(&mut backing, moved);
    assert_eq!(fs::read(&path).expect("it is there"), whole, "nor is another file written to");
    fs::rename(&aside, &path).expect("it is there");
    let file = OpenOptions::new().write(true).open(&path).expect("it is there");
    for (length, expected) in [(20, "it has 20 bytes and was left with"), (5000, "it has 5000 bytes")] {
        file.set_len(length).expect("it can be cut");
        refuses(&mut backing, expected);
        assert_eq!(fs::metadata(&path).expect("it is there").len(), length);
    }
    fs::write(&path, &whole).expect("it can be written");
    keep(&mut backing, &[put("a", "y", 3)]).expect("it is as it was");
    drop(backing);
    assert_eq!(read(&path).expect("it is whole").1, Counters::new(3, 3));
}

/// The remains, after a power failure, of a file whose length was written before its content.
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

/// Also in the last record: it was acknowledged, so it is not taken for the remains of a crash.
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

/// A record that something follows was acknowledged, even if both are damaged.
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

/// A compaction is complete before its file is used: a missing part was not left by a crash.
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

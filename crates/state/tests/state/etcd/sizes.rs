//! The amount of data that is written and read at a time.

use futures::executor::block_on;
use planloom_state::{Backend, BackendError, Change, Commit, Entry, testing::entry};
use serde_json::json;

use super::{Rig, Writer};

/// The longest value, as etcd accepts requests of 1.5 MiB.
const LONGEST: usize = 768 << 10;

impl Writer {
    /// Puts a resource with a commit whose line has that many bytes.
    fn put_line(&mut self, address: &str, bytes: usize) {
        let put = |length: usize| {
            let spec = json!({"text": "x".repeat(length)}).as_object().cloned().unwrap_or_default();
            Change::Put(address.into(), Box::new(Entry { spec, ..entry("large") }))
        };
        let line = |length: usize| {
            Commit { serial: self.snapshot.serial + 1, changes: vec![put(length)] }.to_line().len()
        };
        let change = put(bytes - line(0));
        self.keep(vec![change]).expect("nothing is wrong");
    }
}

#[test]
fn a_commit_is_one_request_and_a_key() {
    let rig = Rig::new();
    let mut ada = rig.writer("ada");
    ada.put("services.a", "one").expect("nothing is wrong");
    rig.server.requests();
    ada.put("services.a", "two").expect("nothing is wrong");
    assert_eq!(rig.paths(), ["/kv/txn"]);
    let base = "shop/snapshot/0000000000000001/000000";
    assert_eq!(rig.server.keys(""), ["shop/head", "shop/journal/0000000000000002", "shop/lock", base]);
    ada.check(&rig);
}

#[test]
fn a_prefix_may_be_left_out_and_ends_with_one_slash() {
    for (prefix, head) in [("", "head"), ("shop", "shop/head"), ("shop//", "shop/head")] {
        let mut rig = Rig::new();
        rig.options.prefix = prefix.into();
        rig.writer("ada").put("services.a", "one").expect("nothing is wrong");
        assert_eq!(rig.server.keys(head), [head]);
    }
}

#[test]
fn commits_are_folded_once_they_outweigh_a_mebibyte_and_the_snapshot() {
    let rig = Rig::new();
    let mut ada = rig.writer("ada");
    let mut commits = |addresses: usize, count: usize| -> Vec<usize> {
        let mut put = |number: usize| {
            ada.put_line(&format!("services.s{}", number % addresses), 1 << 18);
            rig.server.keys("shop/journal/").len()
        };
        (0..count).map(&mut put).collect()
    };
    // Each has a quarter of a mebibyte.
    assert_eq!(commits(5, 6), [0, 1, 2, 3, 4, 0]);
    // The snapshot has two pieces now, which are a mebibyte and a half.
    assert_eq!(commits(5, 7), [1, 2, 3, 4, 5, 6, 0]);
    ada.check(&rig);
    assert_eq!(rig.server.keys("shop/snapshot/").len(), 2, "older pieces are taken away");
}

#[test]
fn a_long_commit_or_state_is_written_in_pieces() {
    let rig = Rig::new();
    let mut ada = rig.writer("ada");
    ada.put("services.a", "one").expect("nothing is wrong");
    for (address, bytes) in [
        ("services.b", 900_000),
        ("services.c", 1_300_000),
        ("services.d", 2_000_000),
        ("services.e", LONGEST),
    ] {
        ada.put_line(address, bytes);
        ada.check(&rig);
    }
    for key in rig.server.keys("") {
        assert!(rig.server.value(&key).len() <= LONGEST, "{key}");
    }
}

/// The ranges that were requested under a key: their limit, and whether only keys.
fn ranges(rig: &Rig, under: &str) -> Vec<(String, bool)> {
    use base64::{Engine, prelude::BASE64_STANDARD};
    let requested = |(to, body): (String, serde_json::Value)| {
        let key = BASE64_STANDARD.decode(body["key"].as_str()?).ok()?;
        let is_range = to.ends_with("/kv/range") && key.starts_with(under.as_bytes());
        let limit = body["limit"].as_str().unwrap_or_default().to_owned();
        is_range.then(|| (limit, body["keys_only"] == json!(true)))
    };
    rig.server.requests().into_iter().filter_map(requested).collect()
}

#[test]
fn a_too_long_answer_is_requested_in_shorter_pages() {
    let rig = Rig::new();
    let mut ada = rig.writer("ada");
    ada.put_line("services.a", 4 * LONGEST);
    assert_eq!(rig.server.keys("shop/snapshot/").len(), 5);
    for (longest, pages) in [(32 << 20, "4 4"), (3 << 20, "4 2 2 2"), (2 << 20, "4 2 1 1 1 1 1")] {
        rig.server.longest(longest);
        rig.server.requests();
        assert_eq!(block_on(rig.open().load()), Ok(Some(ada.snapshot.clone())));
        let requested: Vec<_> = ranges(&rig, "shop/snapshot/").into_iter().map(|it| it.0).collect();
        assert_eq!(requested.join(" "), pages, "{longest}");
    }
    rig.server.longest(100_000);
    rig.server.requests();
    let refused = block_on(rig.open().load());
    assert_eq!(refused, Err(BackendError::Unavailable("etcd's response is too long".into())));
    assert_eq!(ranges(&rig, "shop/snapshot/").len(), 3, "one key is not requested in parts");
}

#[test]
fn versions_are_listed_page_by_page_and_taken_away_by_their_keys() {
    let mut rig = Rig::new();
    rig.options.history = 2;
    let mut ada = rig.writer("ada");
    for word in ["one", "two", "three", "four"] {
        ada.put("services.a", word).expect("nothing is wrong");
        rig.server.requests();
        ada.checkpoint().expect("nothing is wrong");
        assert_eq!(ranges(&rig, "shop/"), [("512".to_owned(), true), ("512".to_owned(), true)]);
    }
    let versions = block_on(ada.backend.versions()).expect("nothing is wrong");
    assert_eq!(versions.iter().map(|it| it.serial).collect::<Vec<_>>(), [4, 3]);
    assert_eq!(ranges(&rig, "shop/history/"), [("512".to_owned(), false)]);
    assert_eq!(rig.server.keys("shop/snapshot/").len(), 2);
}

#[test]
fn compacted_states_are_read_without_commits() {
    let rig = Rig::new();
    let mut ada = rig.writer("ada");
    ada.put("services.a", "one").expect("nothing is wrong");
    for word in ["two", "three"] {
        ada.put("services.a", word).expect("nothing is wrong");
        rig.server.requests();
        ada.check(&rig);
        assert_eq!(rig.paths().len(), 2 * 3, "head, snapshot and commits");
        ada.checkpoint().expect("nothing is wrong");
        rig.server.requests();
        ada.check(&rig);
        assert_eq!(rig.paths().len(), 2 * 2, "head and snapshot");
    }
}

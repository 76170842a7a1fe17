//! Keys that another program wrote or removed are named in the error.

use futures::executor::block_on;
use planloom_state::{Backend, BackendError};
use serde_json::{Value as Json, json};

use super::{EtcdServer, Rig};

const THIRD: &str = "shop/journal/0000000000000003";
const FOURTH: &str = "shop/journal/0000000000000004";

/// The error for four commits, of which the first is folded, after that damage.
fn check(damage: impl FnOnce(&EtcdServer), reported: &str) {
    let rig = Rig::new();
    let mut ada = rig.writer("ada");
    for word in ["one", "two", "three", "four"] {
        ada.put("services.a", word).expect("nothing is wrong");
    }
    ada.check(&rig);
    damage(&rig.server);
    let refused = block_on(rig.open().load());
    assert!(matches!(&refused, Err(BackendError::Corrupt(why)) if why.contains(reported)), "{refused:?}");
}

#[test]
fn a_missing_or_moved_commit_is_reported() {
    let missing = &format!("`{THIRD}` in etcd: the commit is missing");
    check(|it| it.remove(THIRD), missing);
    check(|it| it.put(THIRD, it.value(FOURTH)), missing);
    check(
        |it| {
            it.put(&format!("{THIRD}0"), it.value(THIRD));
            it.remove(THIRD);
        },
        missing,
    );
    check(|it| it.put(THIRD, "{}"), &format!("`{THIRD}` in etcd: line 1"));
    check(|it| it.put(THIRD, [0xff]), &format!("`{THIRD}` in etcd: it is not text"));
}

#[test]
fn a_missing_chunk_is_reported() {
    let snapshot = "shop/snapshot/0000000000000001/";
    check(
        |it| it.remove(&format!("{snapshot}000000")),
        &format!("`{snapshot}` in etcd: it has 0 of 1 pieces"),
    );
}

#[test]
fn a_head_of_a_missing_version_is_reported() {
    let edit = |key: &'static str, value: Json| {
        move |server: &EtcdServer| {
            let mut head: Json = serde_json::from_slice(&server.value("shop/head")).expect("it is JSON");
            head.as_object_mut().expect("an object").remove("checksum");
            head[key] = value;
            server.put("shop/head", head.to_string());
        }
    };
    check(edit("serial", json!(9)), "`shop/head` in etcd: it has version 9, but 4 is expected");
    check(edit("lineage", json!("other")), "`shop/head` in etcd: it has version 4, but 4 is expected");
    check(
        edit("format", json!("planloom.etcd/2")),
        "`shop/head` in etcd: it has the format `planloom.etcd/2`",
    );
}

#[test]
fn leftovers_of_an_aborted_write_are_ignored() {
    let rig = Rig::new();
    let mut ada = rig.writer("ada");
    rig.server.put("shop/snapshot/0000000000000001/000001", "of a longer one");
    ada.put("services.a", "one").expect("nothing is wrong");
    assert_eq!(rig.server.keys("shop/snapshot/"), ["shop/snapshot/0000000000000001/000000"]);
    rig.server.put("shop/snapshot/0000000000000001/000001", "of another");
    ada.check(&rig);
}

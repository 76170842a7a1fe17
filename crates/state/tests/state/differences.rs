//! Differences between two snapshots.

use planloom_state::{DifferenceKind, Entry, Snapshot, diff, testing::entry};
use serde_json::json;

fn snapshot<const N: usize>(resources: [(&str, Entry); N]) -> Snapshot {
    let mut snapshot = Snapshot::new("shop", "l");
    snapshot.resources = resources.into_iter().map(|(address, it)| (address.into(), it)).collect();
    snapshot
}

fn with(word: &str, spec: serde_json::Value) -> Entry {
    let spec = spec.as_object().cloned().unwrap_or_default();
    Entry { spec, ..entry(word) }
}

#[test]
fn equal_snapshots_have_no_difference() {
    let one = snapshot([("services.web", entry("a")), ("services.db", entry("b"))]);
    assert_eq!(diff(&one, &one), []);
}

#[test]
fn each_place_is_named() {
    let before = snapshot([
        ("services.a", with("a", json!({"image": "1", "env": ["x", "y"], "gone": {"k": 1}}))),
        ("services.b", entry("b")),
    ]);
    let mut after = snapshot([
        ("services.a", with("a", json!({"image": "2", "env": ["x", "z", "w"]}))),
        ("services.c", with("c", json!({}))),
    ]);
    if let Some(it) = after.resources.get_mut("services.a") {
        it.protected = true;
    }
    let found = diff(&before, &after);
    let reported: Vec<_> = found.iter().map(|it| (&*it.address, it.change)).collect();
    assert_eq!(
        reported,
        [
            ("services.a", DifferenceKind::Changed),
            ("services.b", DifferenceKind::Removed),
            ("services.c", DifferenceKind::Added)
        ]
    );
    let places: Vec<_> = found[0].changes.iter().map(|it| (&*it.pointer, &it.before, &it.after)).collect();
    assert_eq!(
        places,
        [
            ("/protected", &Some(json!(false)), &Some(json!(true))),
            ("/spec/env/1", &Some(json!("y")), &Some(json!("z"))),
            ("/spec/env/2", &None, &Some(json!("w"))),
            ("/spec/gone/k", &Some(json!(1)), &None),
            ("/spec/image", &Some(json!("1")), &Some(json!("2"))),
        ]
    );
    assert!(found[1].changes.iter().all(|it| it.after.is_none()));
    assert!(found[2].changes.iter().any(|it| it.pointer == "/spec" && it.after == Some(json!({}))));
}

#[test]
fn no_secret_is_shown_nor_its_mark() {
    let mark = |digest: &str| json!({"password": {"$sensitive": format!("0123456789abcdef.{digest}")}});
    let before = snapshot([("services.web", with("a", mark("0001")))]);
    let after =
        snapshot([("services.web", with("a", mark("0002"))), ("services.new", with("b", mark("0003")))]);
    let found = diff(&before, &after);
    let text = serde_json::to_string(&found).expect("it is JSON");
    assert!(!text.contains("0123456789abcdef") && !text.contains("$sensitive"), "{text}");
    let secrets: Vec<_> = found.iter().flat_map(|it| &it.changes).filter(|it| it.sensitive).collect();
    assert_eq!(secrets.len(), 2);
    assert!(
        secrets.iter().all(|it| it.pointer == "/spec/password" && it.before.is_none() && it.after.is_none())
    );
}

#[test]
fn an_empty_list_or_map_is_something() {
    let before = snapshot([("services.web", with("a", json!({"list": [], "map": {}})))]);
    let after = snapshot([("services.web", with("a", json!({})))]);
    let found = diff(&before, &after);
    let places: Vec<_> = found[0].changes.iter().map(|it| (&*it.pointer, &it.before, &it.after)).collect();
    assert_eq!(
        places,
        [
            ("/spec", &None, &Some(json!({}))),
            ("/spec/list", &Some(json!([])), &None),
            ("/spec/map", &Some(json!({})), &None)
        ]
    );
}

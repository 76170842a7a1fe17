use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{
    MessageType,
    testing::{any_json, any_path, service},
};

fn path(text: &str) -> FieldPath {
    FieldPath::parse(text).unwrap()
}

#[test]
fn paths_are_read_with_the_place_of_the_mistake() {
    for (text, expected) in [
        ("name", Ok(vec!["name"])),
        ("spec.node_selector", Ok(vec!["spec", "node_selector"])),
        ("labels.`app.org/name`.x", Ok(vec!["labels", "app.org/name", "x"])),
        ("labels.``", Ok(vec!["labels", ""])),
        ("labels.`a``b`", Ok(vec!["labels", "a`b"])),
        ("", Err(("fields/path-syntax", 0))),
        (".a", Err(("fields/path-syntax", 0))),
        ("a..b", Err(("fields/path-syntax", 2))),
        ("a.", Err(("fields/path-syntax", 2))),
        ("a.b c", Err(("fields/path-syntax", 3))),
        ("a.é", Err(("fields/path-syntax", 2))),
        ("a.`b", Err(("fields/path-syntax", 2))),
        ("a.`b`c", Err(("fields/path-syntax", 5))),
        ("a[2]", Err(("fields/path-syntax", 1))),
    ] {
        let read = FieldPath::parse(text);
        let read =
            read.as_ref().map(|it| it.names().collect::<Vec<_>>()).map_err(|it| (it.code.as_str(), it.byte));
        assert_eq!(read, expected, "{text}");
    }
    assert_eq!(FieldPath::parse(&"a.".repeat(100_000)).unwrap_err().code.as_str(), "fields/path-limit");
}

#[test]
fn values_are_found_with_their_places() {
    let value = json!({"spec": {"containers": [{"name": "a"}, {}, {"name": "b"}], "nodeName": "n"},
        "labels": {"a/b": 1, "c~d": 2}, "lists": [[1, 2], [3]]});
    for (text, expected) in [
        (
            "spec.containers.name",
            vec![("/spec/containers/0/name", json!("a")), ("/spec/containers/2/name", json!("b"))],
        ),
        ("spec.node_name", vec![("/spec/nodeName", json!("n"))]),
        ("labels.*", vec![("/labels/a~1b", json!(1)), ("/labels/c~0d", json!(2))]),
        ("labels.`a/b`", vec![("/labels/a~1b", json!(1))]),
        ("lists.*.*", vec![("/lists/0/0", json!(1)), ("/lists/0/1", json!(2)), ("/lists/1/0", json!(3))]),
        ("lists", vec![("/lists", json!([[1, 2], [3]]))]),
        ("spec.node_name.x", vec![]),
        ("absent.x", vec![]),
    ] {
        let found = path(text).get_all(&value);
        let found: Vec<_> = found.iter().map(|it| (&*it.pointer, it.value.clone())).collect();
        assert_eq!(found, expected, "{text}");
        found.iter().for_each(|(pointer, it)| assert_eq!(value.pointer(pointer), Some(it)));
    }
}

#[test]
fn setting_allocates_and_changes_all_or_nothing() {
    for (before, text, expected) in [
        (json!({}), "spec.node_name", Ok(json!({"spec": {"nodeName": 1}}))),
        (json!({"spec": null}), "spec.node_name", Ok(json!({"spec": {"nodeName": 1}}))),
        (json!({"spec": {"node_name": 0}}), "spec.node_name", Ok(json!({"spec": {"node_name": 1}}))),
        (json!({"spec": 5}), "spec.node_name", Err("fields/no-object")),
        (json!({"a": {}}), "b.*", Err("fields/no-object")),
        (json!({"a": [{}]}), "a.b", Err("fields/no-object")),
    ] {
        let mut value = before.clone();
        let set = path(text).set(&mut value, json!(1));
        match expected {
            Ok(expected) => assert_eq!((set.is_ok(), value), (true, expected)),
            Err(code) => assert_eq!((set.unwrap_err().code.as_str(), value), (code, before)),
        }
    }
}

#[test]
fn types_decide_what_is_a_key() {
    let schema = service();
    let pod = MessageType::new(&schema, "Pod").unwrap();
    let mut value = json!({"labels": {"nodeName": "other"}});
    let resolved = path("labels.node_name").typed(pod).unwrap();
    assert_eq!(resolved.get(&value), None);
    resolved.set(&mut value, json!("n")).unwrap();
    assert_eq!(value, json!({"labels": {"nodeName": "other", "node_name": "n"}}));
    for (text, expected) in [
        ("spec.nodeName", Ok("spec.node_name")),
        ("spec.containers.name", Ok("spec.containers.name")),
        ("spec.containers.*.name", Ok("spec.containers.*.name")),
        ("ports.*.number", Ok("ports.*.number")),
        ("ports.http.number", Ok("ports.http.number")),
        ("ports.number", Ok("ports.number")),
        ("spec.nodes", Err(5)),
        ("name.x", Err(5)),
        ("labels.a.b", Err(9)),
    ] {
        let typed = path(text).typed(pod);
        let typed = typed.as_ref().map(ToString::to_string).map_err(|it| it.byte);
        assert_eq!(typed, expected.map(str::to_owned), "{text}");
    }
}

#[test]
fn defaults_and_order() {
    let value = json!({"a": 0, "b": {"c": ""}, "d": [{"e": 0}, {"e": 1}], "n": "x"});
    let defaults: Vec<bool> =
        ["a", "b.c", "b", "d", "d.e", "missing", "n"].iter().map(|it| path(it).is_default(&value)).collect();
    assert_eq!(defaults, [true, true, false, false, false, true, false]);
    assert_eq!(path("a").compare(&json!({"a": 2}), &json!({"a": 10})), Ordering::Less);
    assert_eq!(path("a").compare(&json!({}), &json!({"a": 10})), Ordering::Less);
    assert_eq!(path("a").compare(&json!({"a": "x"}), &json!({"a": 10})), Ordering::Greater);
    assert_eq!(
        path("a.b").compare(&json!({"a": [{"b": 1}, {"b": 2}]}), &json!({"a": [{"b": 1}]})),
        Ordering::Greater
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn paths_are_read_back(path in any_path()) {
        prop_assert_eq!(FieldPath::parse(&path.to_string()), Ok(path.clone()));
        prop_assert_eq!(FieldPath::parse_json(&path.to_json()), Ok(path));
    }

    #[test]
    fn reading_never_panics(text in "[a.`*é ]{0,12}") {
        if let Err(error) = FieldPath::parse(&text) {
            prop_assert!(error.byte <= text.len() && text.is_char_boundary(error.byte));
        }
    }

    #[test]
    fn what_is_set_is_found_and_what_is_cleared_is_not(value in any_json(), path in any_path(), new in any_json()) {
        let mut changed = value.clone();
        if path.set(&mut changed, new.clone()).is_ok() {
            prop_assert_eq!(path.get(&changed), Some(&new));
        } else {
            prop_assert_eq!(&changed, &value);
        }
        path.clear(&mut changed);
        prop_assert_eq!(path.get(&changed), None);
    }

    #[test]
    fn places_are_pointers_to_the_values(value in any_json(), path in any_path()) {
        for found in path.get_all(&value) {
            prop_assert_eq!(value.pointer(&found.pointer), Some(found.value));
        }
        prop_assert!(path.get(&value).is_none_or(|it| path.get_all(&value).iter().any(|found| found.value == it)));
    }
}

//! Places of references in values.

use planloom_integrity::FieldPath;
use proptest::prelude::*;
use serde_json::{Value, json};

fn value() -> Value {
    json!({
        "targetRef": "t",
        "refs": ["t", "u", "t", ""],
        "spec": {
            "imagePullSecrets": [{"name": "t", "key": "k"}, {"name": "u"}, {}, null, 7],
            "byRegion": {"eu": {"secret": "t"}, "us": {"secret": "u"}, "x": 1},
            "names": {"one": "t", "two": "u"},
            "nested": [["t"], ["u", "t"]],
        },
        "snake_case": "t",
    })
}

#[test]
fn texts_are_found_with_their_places() {
    let check = |path: &str, expected: &[(&str, &str)]| {
        let path: FieldPath = path.parse().unwrap();
        let value = value();
        let found: Vec<(String, &str)> = path.texts(&value);
        let found: Vec<(&str, &str)> = found.iter().map(|(place, text)| (place.as_str(), *text)).collect();
        assert_eq!(found, expected, "{path}");
    };
    check("target_ref", &[("target_ref", "t")]);
    check("snake_case", &[("snake_case", "t")]);
    check("refs[]", &[("refs[0]", "t"), ("refs[1]", "u"), ("refs[2]", "t")]);
    check("refs", &[("refs[0]", "t"), ("refs[1]", "u"), ("refs[2]", "t")]);
    check(
        "spec.image_pull_secrets[].name",
        &[("spec.image_pull_secrets[0].name", "t"), ("spec.image_pull_secrets[1].name", "u")],
    );
    check(
        "spec.image_pull_secrets.name",
        &[("spec.image_pull_secrets[0].name", "t"), ("spec.image_pull_secrets[1].name", "u")],
    );
    check(
        "spec.by_region{}.secret",
        &[("spec.by_region{eu}.secret", "t"), ("spec.by_region{us}.secret", "u")],
    );
    check("spec.names{}", &[("spec.names{one}", "t"), ("spec.names{two}", "u")]);
    check(
        "spec.nested[][]",
        &[("spec.nested[0][0]", "t"), ("spec.nested[1][0]", "u"), ("spec.nested[1][1]", "t")],
    );
    check("spec.none.name", &[]);
    check("target_ref.name", &[]);
    check("spec", &[]);
}

#[test]
fn clearing_removes_what_refers_to_one_target() {
    let check = |path: &str, place: &str, expected: Value| {
        let path: FieldPath = path.parse().unwrap();
        let mut cleared = value();
        assert!(path.clear(&mut cleared, "t"), "{path}");
        assert_eq!(cleared.pointer(place), Some(&expected), "{path}");
        assert!(path.texts(&cleared).iter().all(|(_, text)| *text != "t"));
        assert!(!path.clear(&mut cleared, "t"), "{path}");
        assert!(path.texts(&cleared).len() < path.texts(&value()).len());
    };
    check("refs[]", "/refs", json!(["u", ""]));
    check("refs", "/refs", json!(["u", ""]));
    check(
        "spec.image_pull_secrets[].name",
        "/spec/imagePullSecrets",
        json!([{"key": "k"}, {"name": "u"}, {}, null, 7]),
    );
    check("spec.by_region{}.secret", "/spec/byRegion", json!({"eu": {}, "us": {"secret": "u"}, "x": 1}));
    check("spec.names{}", "/spec/names", json!({"two": "u"}));
    check("spec.nested[][]", "/spec/nested", json!([[], ["u"]]));
    let mut cleared = value();
    assert!("target_ref".parse::<FieldPath>().unwrap().clear(&mut cleared, "t"));
    assert_eq!(cleared.get("targetRef"), None);
}

#[test]
fn texts_that_are_no_paths_are_refused() {
    for text in ["", ".", "a.", ".a", "a..b", "a[", "a[]b", "[]", "a b", "a{]", "a.[]", "a[0]"] {
        assert!(text.parse::<FieldPath>().is_err(), "{text}");
    }
    for text in ["a", "a_b.c", "a[]", "a{}", "a[].b{}", "a[][]"] {
        assert_eq!(text.parse::<FieldPath>().unwrap().to_string(), text);
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf =
        prop_oneof![Just(json!("t")), Just(json!("u")), Just(json!("")), Just(json!(1)), Just(Value::Null)];
    leaf.prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map("aB|aC|b|x", inner, 0..4).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn clearing_takes_exactly_one_target_away(
        value in any_value(),
        path in "(a_b|a_c|b)(\\[\\]|\\{\\})?(\\.(a_b|b|x)(\\[\\]|\\{\\})?){0,2}",
    ) {
        let path: FieldPath = path.parse().unwrap();
        let texts = |value: &Value| path.texts(value).into_iter().map(|(_, text)| text.to_owned()).collect::<Vec<_>>();
        let before = texts(&value);
        let mut cleared = value.clone();
        let any = path.clear(&mut cleared, "t");
        prop_assert_eq!(any, before.iter().any(|text| text == "t"));
        prop_assert_eq!(texts(&cleared), before.into_iter().filter(|text| text != "t").collect::<Vec<_>>());
        if !any {
            prop_assert_eq!(cleared, value);
        }
    }
}

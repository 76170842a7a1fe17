//! Places of references in values.

use planloom_integrity::FieldPath;
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

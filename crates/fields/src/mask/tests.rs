use proptest::{collection, prelude::*};
use serde_json::json;

use super::*;
use crate::testing::{any_json, any_message, any_path, message_path, service};

fn mask(text: &str) -> FieldMask {
    FieldMask::parse(text).unwrap()
}

fn any_mask() -> impl Strategy<Value = FieldMask> {
    prop_oneof![
        8 => collection::vec(any_path(), 0..4).prop_map(|it| FieldMask::new(it).unwrap()),
        1 => Just(FieldMask::full()),
    ]
}

#[test]
fn masks_are_read_and_printed() {
    for (text, printed, json) in [
        ("a,b.c", "a,b.c", "a,b.c"),
        ("b.c , a,b, a.x", "a,b", "a,b"),
        ("node_name.os_type", "node_name.os_type", "nodeName.osType"),
        ("labels.`a.b`,labels.`x,y`", "labels.`a.b`,labels.`x,y`", "labels.`a.b`,labels.`x,y`"),
        ("labels.Foo", "labels.Foo", "labels.`Foo`"),
        (" * ", "*", "*"),
        ("", "", ""),
    ] {
        assert_eq!((&*mask(text).to_string(), &*mask(text).to_json()), (printed, json), "{text}");
    }
    for (text, code, byte) in [
        ("a,", "fields/path-syntax", 2),
        ("a,,b", "fields/path-syntax", 2),
        ("a b", "fields/mask-syntax", 2),
        ("a, b.*", "fields/mask-wildcard", 3),
        ("*,a", "fields/mask-wildcard", 0),
    ] {
        let error = FieldMask::parse(text).unwrap_err();
        assert_eq!((error.code.as_str(), error.byte), (code, byte), "{text}");
    }
}

#[test]
fn subtraction_follows_the_laws_of_the_schema() {
    let schema = service();
    for (from, other, rest) in [
        ("display_name,size", "display_name,spec", "size"),
        ("spec", "spec.node_name", "spec.containers"),
        (
            "spec",
            "spec.containers.spec.node_name",
            "spec.containers.image,spec.containers.name,spec.containers.spec.containers,spec.node_name",
        ),
        ("spec.node_name", "spec", ""),
        ("labels", "labels.a", "labels"),
        ("ports.http", "ports.http.number", "ports.http.host_name"),
        ("ports", "ports.http.number", "ports"),
        ("*", "*", ""),
        ("*", "", "*"),
        ("target_port", "", "target_port"),
    ] {
        let rest_of = mask(from).subtract(&mask(other), MessageType::new(&schema, "Pod"));
        assert_eq!(rest_of, mask(rest), "{from} - {other}");
    }
    assert_eq!(mask("a").subtract(&mask("a.b"), None), mask("a"));
    let port = MessageType::new(&schema, "Port");
    assert_eq!(FieldMask::full().subtract(&mask("number"), port), mask("host_name"));
}

#[test]
fn projection_keeps_places_of_elements() {
    let value = json!({"spec": {"containers": [{"name": "a", "image": "i"}, {"image": "j"}], "nodeName": "n"}, "x": 1});
    for (text, expected) in [
        ("spec.containers.name", json!({"spec": {"containers": [{"name": "a"}, {}]}})),
        ("spec.node_name,x", json!({"spec": {"nodeName": "n"}, "x": 1})),
        ("spec.absent,absent", json!({})),
        ("*", value.clone()),
        ("", json!({})),
    ] {
        assert_eq!(mask(text).project(&value), expected, "{text}");
    }
}

#[test]
fn copying_allocates_clears_and_takes_whole_lists() {
    for (text, from, onto, expected) in [
        ("a.b", json!({"a": {"b": 1, "c": 2}}), json!({}), json!({"a": {"b": 1}})),
        ("a.b", json!({}), json!({"a": {"b": 1, "c": 2}}), json!({"a": {"c": 2}})),
        ("a.b", json!({"a": {}}), json!({}), json!({})),
        ("node_name", json!({"nodeName": 1}), json!({"node_name": 2}), json!({"nodeName": 1})),
        ("a.b", json!({"a": [{"b": 1, "c": 2}]}), json!({"a": [{"c": 3}]}), json!({"a": [{"b": 1, "c": 2}]})),
        ("*", json!({"a": 1}), json!({"b": 2}), json!({"a": 1})),
        ("", json!({"a": 1}), json!({"b": 2}), json!({"b": 2})),
    ] {
        let mut copied = onto;
        mask(text).copy(&from, &mut copied);
        assert_eq!(copied, expected, "{text}");
    }
}

#[test]
fn difference_masks_are_small_and_know_keys() {
    let schema = service();
    let pod = MessageType::new(&schema, "Pod");
    let old = json!({"name": "a", "labels": {"nodeName": "x", "node_name": "y"}, "spec": {"containers": [1], "nodeName": "n"}});
    let new = json!({"name": "a", "labels": {"nodeName": "z", "node_name": "y"}, "spec": {"containers": [2], "nodeName": "n"}, "size": "1"});
    assert_eq!(FieldMask::diff(&old, &new, pod).to_string(), "labels.nodeName,size,spec.containers");
    // Without a type, the two keys look like one field in two spellings.
    assert_eq!(FieldMask::diff(&old, &new, None).to_string(), "labels,size,spec.containers");
    assert_eq!(FieldMask::diff(&old, &old, None), FieldMask::default());
    assert_eq!(FieldMask::diff(&json!(1), &json!(2), None), FieldMask::full());
}

fn message_mask() -> impl Strategy<Value = FieldMask> {
    collection::vec(message_path(), 0..4).prop_map(|it| FieldMask::new(it).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn masks_are_read_back(mask in any_mask()) {
        prop_assert_eq!(FieldMask::parse(&mask.to_string()), Ok(mask.clone()));
        prop_assert_eq!(FieldMask::parse_json(&mask.to_json()), Ok(mask));
    }

    #[test]
    fn copying_the_difference_gives_the_new_value(old in any_json(), new in any_json()) {
        let mut copied = old.clone();
        FieldMask::diff(&old, &new, None).copy(&new, &mut copied);
        prop_assert_eq!(copied, new);
    }

    #[test]
    fn copying_the_difference_gives_the_new_message(old in any_json(), new in any_json()) {
        let schema = service();
        let mut copied = old.clone();
        FieldMask::diff(&old, &new, MessageType::new(&schema, "Pod")).copy(&new, &mut copied);
        prop_assert_eq!(copied, new);
    }

    #[test]
    fn projecting_twice_is_projecting_with_the_intersection(
        value in any_message(), one in message_mask(), other in message_mask(),
    ) {
        prop_assert_eq!(one.project(&one.project(&value)), one.project(&value));
        prop_assert_eq!(one.intersection(&other).project(&value), one.project(&other.project(&value)));
    }

    #[test]
    fn projecting_any_value_twice_changes_nothing(value in any_json(), mask in any_mask()) {
        prop_assert_eq!(mask.project(&mask.project(&value)), mask.project(&value));
    }

    #[test]
    fn copies_have_what_is_selected(from in any_message(), onto in any_message(), mask in message_mask()) {
        let mut copied = onto.clone();
        mask.copy(&from, &mut copied);
        prop_assert_eq!(mask.project(&copied), mask.project(&from));
        let once = copied.clone();
        mask.copy(&from, &mut copied);
        prop_assert_eq!(&copied, &once);
        let changed = FieldMask::diff(&onto, &copied, None);
        prop_assert!(changed.paths().all(|it| mask.touches(it)), "{} {}", changed, mask);
    }

    #[test]
    fn masks_are_sets(one in any_mask(), other in any_mask(), third in any_mask(), path in any_path()) {
        let (union, both) = (one.union(&other), one.intersection(&other));
        prop_assert_eq!(&union, &other.union(&one));
        prop_assert_eq!(&both, &other.intersection(&one));
        prop_assert_eq!(union.covers(&path), one.covers(&path) || other.covers(&path));
        prop_assert_eq!(both.covers(&path), one.covers(&path) && other.covers(&path));
        prop_assert_eq!(one.union(&both), one.clone());
        prop_assert_eq!(union.intersection(&one), one.clone());
        prop_assert_eq!(third.intersection(&union), third.intersection(&one).union(&third.intersection(&other)));
        let rest = one.subtract(&other, None);
        prop_assert!(!one.covers(&path) || rest.covers(&path) || other.touches(&path));
    }

    #[test]
    fn what_is_subtracted_with_a_type_is_disjoint(
        from in collection::vec(known_path(), 0..4), other in collection::vec(known_path(), 0..4),
    ) {
        let schema = service();
        let (from, other) = (FieldMask::new(from).unwrap(), FieldMask::new(other).unwrap());
        let rest = from.subtract(&other, MessageType::new(&schema, "Pod"));
        prop_assert!(rest.intersection(&other).is_empty());
        for leaf in KNOWN {
            let path = FieldPath::parse(leaf).unwrap();
            let inside = from.covers(&path) && !other.touches(&path);
            prop_assert!(!inside || rest.covers(&path), "{}", leaf);
            prop_assert!(!rest.covers(&path) || from.covers(&path) && !other.covers(&path));
        }
    }
}

const KNOWN: [&str; 9] = [
    "name",
    "spec",
    "spec.node_name",
    "spec.containers",
    "spec.containers.image",
    "spec.containers.spec",
    "spec.containers.spec.node_name",
    "target_port",
    "target_port.number",
];

fn known_path() -> impl Strategy<Value = FieldPath> {
    prop::sample::select(KNOWN.to_vec()).prop_map(|it| FieldPath::parse(it).unwrap())
}

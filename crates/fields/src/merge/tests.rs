use proptest::{collection, prelude::*};
use serde_json::json;

use super::*;
use crate::{
    schema::{Merge, MergeBehavior, Message, Schema, Sorting},
    testing::{TEXT, field, map_of, of, repeated, service},
};

const ALL: [MergeBehavior; 7] = [
    MergeBehavior::Default,
    MergeBehavior::Replace,
    MergeBehavior::DiscardOnlyInDestination,
    MergeBehavior::DiscardOnlyInSource,
    MergeBehavior::And,
    MergeBehavior::Xor,
    MergeBehavior::Append,
];

/// A message with each container, all of one behaviour.
fn schema(behavior: MergeBehavior, sorting: Sorting) -> Schema {
    let merge = |identifiers: &[&str]| {
        let identifiers = identifiers.iter().map(|it| (*it).into()).collect();
        Merge { behavior, identifiers, sorting }
    };
    let all = vec![
        Field { merge: merge(&[]), ..repeated("set", TEXT) },
        Field { merge: merge(&["name"]), ..repeated("items", of("Item")) },
        Field { merge: merge(&[]), ..repeated("plain", of("Item")) },
        Field { merge: merge(&[]), ..map_of("texts", TEXT) },
        Field { merge: merge(&[]), ..map_of("messages", of("Item")) },
    ];
    let item = vec![field("name", TEXT), field("x", TEXT), field("y", TEXT)];
    let message = |fields| Message { fields, ..Message::default() };
    Schema {
        messages: [("All".into(), message(all)), ("Item".into(), message(item))].into(),
        ..Schema::default()
    }
}

fn merged(schema: &Schema, onto: &Value, source: &Value) -> Value {
    let mut onto = onto.clone();
    merge(&mut onto, source, MessageType::new(schema, "All").unwrap());
    onto
}

#[test]
fn each_behavior_of_each_container() {
    let onto = json!({"set": ["a", "b"], "texts": {"a": "1", "b": "1"},
        "items": [{"name": "a", "x": "1"}, {"name": "b", "x": "1", "y": "1"}],
        "plain": [{"x": "1"}, {"x": "2"}],
        "messages": {"a": {"x": "1"}, "b": {"x": "1", "y": "1"}}});
    let source = json!({"set": ["c", "b"], "texts": {"c": "2", "b": "2"},
        "items": [{"name": "c", "x": "2"}, {"name": "b", "x": "2"}],
        "plain": [{"x": "3"}, {"x": "2"}],
        "messages": {"c": {"x": "2"}, "b": {"x": "2"}}});
    let (a, b, c) = ("a", "b", "c");
    for (behavior, set, texts, plain, replaces) in [
        (
            MergeBehavior::Default,
            vec![a, b, c],
            json!({"a": "1", "b": "2", "c": "2"}),
            vec!["1", "2", "3"],
            false,
        ),
        (MergeBehavior::Replace, vec![c, b], json!({"b": "2", "c": "2"}), vec!["3", "2"], true),
        (
            MergeBehavior::DiscardOnlyInDestination,
            vec![b, c],
            json!({"b": "2", "c": "2"}),
            vec!["2", "3"],
            false,
        ),
        (MergeBehavior::DiscardOnlyInSource, vec![a, b], json!({"a": "1", "b": "2"}), vec!["1", "2"], false),
        (MergeBehavior::And, vec![b], json!({"b": "2"}), vec!["2"], false),
        (MergeBehavior::Xor, vec![a, c], json!({"a": "1", "c": "2"}), vec!["1", "3"], false),
        (
            MergeBehavior::Append,
            vec![a, b, c, b],
            json!({"a": "1", "b": "2", "c": "2"}),
            vec!["1", "2", "3", "2"],
            false,
        ),
    ] {
        let value = merged(&schema(behavior, Sorting::None), &onto, &source);
        assert_eq!(value["set"], json!(set), "{behavior:?}");
        assert_eq!(value["texts"], texts, "{behavior:?}");
        let plain: Vec<_> = plain.iter().map(|it| json!({"x": it})).collect();
        assert_eq!(value["plain"], json!(plain), "{behavior:?}");
        // Lists by identifier and maps of messages have the keys that maps of texts have, and merge what both have.
        for key in [a, b, c] {
            let both = if replaces { json!({"x": "2"}) } else { json!({"x": "2", "y": "1"}) };
            let message = match key {
                "a" => json!({"x": "1"}),
                "b" => both,
                _ => json!({"x": "2"}),
            };
            let expected = texts.get(key).map(|_| message);
            assert_eq!(value["messages"].get(key), expected.as_ref(), "{behavior:?}");
            let mut item = value["items"].as_array().unwrap().iter().find(|it| it["name"] == key).cloned();
            item.iter_mut().for_each(|it| drop(it.as_object_mut().unwrap().remove("name")));
            assert_eq!(item, expected, "{behavior:?}");
        }
    }
}

#[test]
fn scalars_messages_and_oneofs() {
    let service = service();
    let pod = MessageType::new(&service, "Pod").unwrap();
    for (onto, source, expected) in [
        (json!({"size": "5"}), json!({"size": "7"}), json!({"size": "7"})),
        (json!({"size": "5"}), json!({"size": "0"}), json!({"size": "5"})),
        (json!({"size": "5"}), json!({"size": null}), json!({"size": "5"})),
        (json!({"phase": "RUNNING"}), json!({"phase": "UNKNOWN"}), json!({"phase": "RUNNING"})),
        (json!({"nickname": "x"}), json!({"nickname": ""}), json!({"nickname": ""})),
        (
            json!({"spec": {"node_name": "a"}}),
            json!({"spec": {"nodeName": "b"}}),
            json!({"spec": {"node_name": "b"}}),
        ),
        (json!({}), json!({"spec": {}}), json!({"spec": {}})),
        (
            json!({"createTime": "2026-01-01T00:00:00Z"}),
            json!({}),
            json!({"createTime": "2026-01-01T00:00:00Z"}),
        ),
        (json!({"targetPort": {"number": 1}}), json!({"targetName": "n"}), json!({"targetName": "n"})),
        (json!({"targetName": "n"}), json!({"targetPort": {}}), json!({"targetPort": {}})),
        (
            json!({"labels": {"a": "1"}}),
            json!({"labels": {"a": "", "b": "2"}}),
            json!({"labels": {"a": "", "b": "2"}}),
        ),
        (json!({"tags": []}), json!({}), json!({"tags": []})),
        (json!({"unknown": 1}), json!({"unknown": 2}), json!({"unknown": 2})),
        (
            json!({"spec": {"containers": [{"name": "a", "image": "1", "spec": {"nodeName": "n"}}]}}),
            json!({"spec": {"containers": [{"name": "b"}, {"name": "a", "image": "2"}]}}),
            json!({"spec": {"containers": [{"name": "a", "image": "2", "spec": {"nodeName": "n"}}, {"name": "b"}]}}),
        ),
    ] {
        let mut value = onto.clone();
        merge(&mut value, &source, pod);
        assert_eq!(value, expected, "{onto} {source}");
    }
}

#[test]
fn merged_lists_are_sorted() {
    let onto = json!({"set": ["b", "d"], "items": [{"name": "b"}, {"name": "d"}], "plain": [{"x": "2"}, {"x": "1"}]});
    let source = json!({"set": ["c", "a"], "items": [{"name": "c"}, {"name": "a"}]});
    for (sorting, set) in
        [(Sorting::Ascending, ["a", "b", "c", "d"]), (Sorting::Descending, ["d", "c", "b", "a"])]
    {
        let value = merged(&schema(MergeBehavior::Default, sorting), &onto, &source);
        assert_eq!(value["set"], json!(set));
        assert_eq!(value["items"], json!(set.map(|it| json!({"name": it}))));
        assert_eq!(value["plain"], onto["plain"]);
    }
}

/// A container; an empty one is absent.
fn present<'a>(value: &'a Value, container: &str) -> Option<&'a Value> {
    value.get(container).filter(|it| !crate::path::is_default_value(it))
}

/// The extent to which merging is associative.
#[derive(PartialEq)]
enum Law {
    Exactly,
    /// As sets.
    ButForOrder,
    No,
}

fn law(behavior: MergeBehavior, container: &str) -> Law {
    use MergeBehavior::{DiscardOnlyInDestination, DiscardOnlyInSource, Xor};
    match (behavior, container) {
        (DiscardOnlyInDestination | Xor, "set") => Law::ButForOrder,
        (DiscardOnlyInSource, "set") | (DiscardOnlyInDestination, "texts") => Law::Exactly,
        (DiscardOnlyInDestination | DiscardOnlyInSource | Xor, _) => Law::No,
        _ => Law::Exactly,
    }
}

fn sorted(value: &Value) -> Value {
    let mut list = value.as_array().cloned().unwrap_or_default();
    list.sort_by_key(ToString::to_string);
    Value::Array(list)
}

/// All associations of three messages: `(a·b)·c` and `a·(b·c)`.
fn both(schema: &Schema, [a, b, c]: [&Value; 3]) -> (Value, Value) {
    (merged(schema, &merged(schema, a, b), c), merged(schema, a, &merged(schema, b, c)))
}

#[test]
fn where_merging_is_not_associative() {
    let entry =
        |x: &str| json!({"texts": {"k": x}, "messages": {"k": {(x): x}}, "items": [{"name": "k", (x): x}]});
    let (a, none, c) = (entry("x"), json!({}), entry("y"));
    for behavior in ALL {
        for container in ["texts", "messages", "items"] {
            let schema = schema(behavior, Sorting::None);
            let of_three = |it| both(&schema, it);
            let (left, right) = of_three([&a, &none, &c]);
            let (left_all, right_all) = of_three([&a, &entry("x"), &c]);
            let differ = left.get(container) != right.get(container)
                || left_all.get(container) != right_all.get(container);
            assert_eq!(differ, law(behavior, container) == Law::No, "{behavior:?} {container}");
        }
    }
    let service = service();
    let pod = MessageType::new(&service, "Pod").unwrap();
    let [a, b, c] = [
        json!({"targetPort": {"number": 1}}),
        json!({"targetName": "n"}),
        json!({"targetPort": {"hostName": "h"}}),
    ];
    let two = |mut onto: Value, source: &Value| {
        merge(&mut onto, source, pod);
        onto
    };
    assert_eq!(two(two(a.clone(), &b), &c), json!({"targetPort": {"hostName": "h"}}));
    assert_eq!(two(a, &two(b, &c)), json!({"targetPort": {"number": 1, "hostName": "h"}}));
}

fn any_all() -> impl Strategy<Value = Value> {
    let name = || prop::sample::select(vec!["a", "b", "c", "d"]);
    let text = || prop::sample::select(vec!["", "1", "2"]);
    let item = move || (text(), text()).prop_map(|(x, y)| json!({"x": x, "y": y}));
    let set = prop::sample::subsequence(vec!["a", "b", "c", "d"], 0..4).prop_shuffle();
    let texts = collection::btree_map(name(), text(), 0..4);
    let messages = collection::btree_map(name(), item(), 0..4);
    (set, texts, messages.clone(), messages).prop_map(|(set, texts, messages, items)| {
        let items: Vec<_> =
            items.into_iter().map(|(name, it)| json!({"name": name, "x": it["x"], "y": it["y"]})).collect();
        json!({"set": set, "texts": texts, "messages": messages, "items": items})
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn merging_is_associative_where_it_is_said(a in any_all(), b in any_all(), c in any_all()) {
        for behavior in ALL {
            let (left, right) = both(&schema(behavior, Sorting::None), [&a, &b, &c]);
            for container in ["set", "texts", "messages", "items"] {
                let (left, right) = (present(&left, container), present(&right, container));
                match law(behavior, container) {
                    Law::Exactly => prop_assert_eq!(left, right, "{:?} {}", behavior, container),
                    Law::ButForOrder => prop_assert_eq!(left.map(sorted), right.map(sorted), "{:?}", behavior),
                    Law::No => {}
                }
            }
            let (left, right) = both(&schema(behavior, Sorting::Ascending), [&a, &b, &c]);
            prop_assert_eq!(present(&left, "set"), present(&right, "set"), "sorted {:?}", behavior);
        }
    }

    #[test]
    fn merging_itself_or_nothing_changes_nothing(a in any_all()) {
        let default = schema(MergeBehavior::Default, Sorting::None);
        prop_assert_eq!(merged(&default, &a, &json!({})), a.clone());
        prop_assert_eq!(merged(&default, &a, &a), a.clone());
        prop_assert_eq!(merged(&schema(MergeBehavior::And, Sorting::None), &a, &a), a);
    }
}

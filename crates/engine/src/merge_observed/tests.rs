use serde_json::{Value as Json, json};
use state::Marks;
use types::Types;

use super::*;
use crate::{json, samples::value};

/// A secret of which only a mark is kept.
fn mark(secret: &str) -> Json {
    json!({"$sensitive": Marks::of("lineage").text(secret)})
}

/// The spec that is sent, or the code and message of the error.
fn with_back(
    pointer: &str,
    (sealed, recorded, seen): (&Json, &Json, &Json),
    trail: Option<Trail<'_>>,
) -> Result<Option<Json>, String> {
    let (sealed, recorded, seen) = (value(sealed), value(recorded), value(seen));
    let sides = KnownAttributes { sealed: &sealed, recorded: &recorded, seen: &seen, trail };
    let sent = sides.with_field_reverted(&Pointer::parse(pointer)).map_err(|it| it.to_string())?;
    Ok(sent.map(|it| json::clear(&it)))
}

#[track_caller]
fn check_sent(pointer: &str, recorded: Json, seen: Json, expected: Json) {
    let sent = with_back(pointer, (&recorded, &recorded, &seen), None);
    assert_eq!(sent, Ok(Some(expected)), "{pointer} of {recorded} and {seen}");
}

#[track_caller]
fn check_refused(pointer: &str, recorded: Json, seen: Json, expected: &str) {
    let sent = with_back(pointer, (&recorded, &recorded, &seen), None);
    assert_eq!(sent, Err(expected.to_owned()), "{pointer} of {recorded} and {seen}");
}

#[test]
fn a_map_entry_is_reverted() {
    let recorded = || json!({"a": {"x": 1, "y": 2}, "s": "t"});
    check_sent("/a/x", recorded(), json!({"a": {"x": 9, "y": 8}}), json!({"a": {"x": 1, "y": 8}, "s": "t"}));
    check_sent("/a/x", recorded(), json!({"a": {"y": 8}}), json!({"a": {"x": 1, "y": 8}, "s": "t"}));
    check_sent("/a/x", recorded(), json!({"a": null}), json!({"a": {"x": 1}, "s": "t"}));
    check_sent("/a", recorded(), json!({"a": {"z": 3}}), json!({"a": {"x": 1, "y": 2}, "s": "t"}));
    check_sent("", recorded(), json!({"a": 5}), recorded());
    check_sent("/a/z", recorded(), json!({"a": {"y": 8, "z": 9}}), json!({"a": {"y": 8}, "s": "t"}));
    let emptied = json!({"a": {"x": null}});
    check_sent("/a/x", emptied, json!({"a": {"x": 1, "y": 2}}), json!({"a": {"y": 2}}));
    let deep = json!({"a": {"d": {"e": [{"f": 1}]}}});
    check_sent("/a/d/e/0/f", deep.clone(), json!({"a": {}}), deep);
}

#[test]
fn a_list_item_is_reverted_where_no_other_moves() {
    let recorded = || json!({"l": [1, 2, 3]});
    check_sent("/l/1", recorded(), json!({"l": [7, 8, 9]}), json!({"l": [7, 2, 9]}));
    check_sent("/l/2", recorded(), json!({"l": [7, 8]}), json!({"l": [7, 8, 3]}));
    check_sent("/l/0", recorded(), json!({"l": null}), json!({"l": [1]}));
    check_sent("/l/3", recorded(), json!({"l": [7, 8, 9, 10]}), json!({"l": [7, 8, 9]}));
    check_sent("/l/0", json!({"l": []}), json!({"l": [7]}), json!({"l": []}));
    check_sent("/l/0", recorded(), json!({"l": {"0": 7, "1": 8}}), json!({"l": {"0": 1, "1": 8}}));
    let maps = || json!({"l": [{"k": 1}, {"k": 2}]});
    check_sent("/l/1/k", maps(), json!({"l": [{"k": 5}, null]}), json!({"l": [{"k": 5}, {"k": 2}]}));
    check_sent("/l/1/k", maps(), json!({"l": [{"k": 5}]}), json!({"l": [{"k": 5}, {"k": 2}]}));

    let not_alone = |pointer: &str| {
        format!(
            "{pointer} cannot be reverted alone: values beside it differ from the recorded ones as well \
             (engine/not-alone)"
        )
    };
    for (pointer, seen) in [
        ("/l/2", json!({"l": [7]})),
        ("/l/1", json!({"l": null})),
        ("/l/3", json!({"l": [7, 8, 9, 10, 11]})),
        ("/l/0", json!({"l": "text"})),
    ] {
        check_refused(pointer, recorded(), seen, &not_alone(pointer));
    }
    check_refused("/a/x", json!({"a": {"x": 1}}), json!({"a": [5]}), &not_alone("/a/x"));
}

#[test]
fn unchanged_and_absent_fields_are_not_reverted() {
    let same = json!({"a": {"x": 1, "y": null}});
    for (pointer, seen) in [
        ("/a/x", json!({"a": {"x": 1, "z": 3}})),
        ("/a/x", json!({"a": {"x": 1.0}})),
        ("/a", json!({})),
        ("", json!({})),
    ] {
        assert_eq!(with_back(pointer, (&same, &same, &seen), None), Ok(None), "{pointer} of {seen}");
    }
    for pointer in ["/b", "/a/y", "/a/z", "/a/x/deep"] {
        let why = format!("no value is recorded at {pointer}, and none exists (engine/no-such-value)");
        check_refused(pointer, same.clone(), json!({"a": {"x": 5, "y": null}}), &why);
    }
}

const SECRET: &str = "it is a secret: the state keeps only a mark of its recorded value (engine/secret)";

#[test]
fn a_secret_is_neither_reverted_nor_shown() {
    let sealed = json!({"key": mark("one"), "in": {"key": mark("two"), "open": 1}, "open": 1});
    let seen = json!({"key": "other", "in": {"key": "two", "open": 2}, "open": 2});
    for (pointer, is_secret) in [
        ("", true),
        ("/key", true),
        ("/key/deep", true),
        ("/key/deep/deeper", true),
        ("/in", true),
        ("/in/key", true),
        ("/in/open", false),
        ("/open", false),
    ] {
        let sent = with_back(pointer, (&sealed, &sealed, &seen), None);
        assert_eq!(sent == Err(SECRET.to_owned()), is_secret, "{pointer}: {sent:?}");
    }
    let types = Types::builtin();
    let trail = types.kind("service").map(|it| Trail::object(&types, it));
    let env = |secret: &str, port: &str| json!({"payload": {"params": {"env": {"DB_PASSWORD": secret, "PORT": port}}}});
    for (pointer, expected) in [
        ("/payload/params/env/DB_PASSWORD", Err(SECRET.to_owned())),
        ("/payload/params/env/PORT", Ok(Some(env("seen", "1")))),
    ] {
        let (recorded, seen) = (env("recorded", "1"), env("seen", "2"));
        assert_eq!(with_back(pointer, (&recorded, &recorded, &seen), trail), expected);
    }
}

#[test]
fn other_secrets_are_sent_as_they_were_recorded_or_not_at_all() {
    let sealed = json!({"keys": [mark("one")], "open": 1});
    let known = json!({"keys": ["one"], "open": 1});
    let unknown = |place: &str| {
        let why = "is not known, so it cannot be sent (engine/secret)";
        Err(format!("the recorded value of its secret at {place} {why}"))
    };
    for (recorded, seen, expected) in [
        (&known, json!({"keys": ["one"], "open": 2}), Ok(Some(known.clone()))),
        (&known, json!({"open": 2}), Ok(Some(known.clone()))),
        (&known, json!({"keys": ["••••••"], "open": 2}), unknown("/keys/0")),
        (&known, json!({"keys": [], "open": 2}), unknown("/keys/0")),
        (&sealed, json!({"keys": ["one"], "open": 2}), unknown("/keys/0")),
        (&sealed, json!({"keys": [mark("one")], "open": 2}), unknown("/keys/0")),
    ] {
        assert_eq!(with_back("/open", (&sealed, recorded, &seen), None), expected, "{recorded} and {seen}");
    }
    let plain = json!({"note": "text", "open": 1});
    let seen = json!({"note": mark("of somebody"), "open": 2});
    assert_eq!(with_back("/open", (&plain, &plain, &seen), None), unknown(""));
}

/// Without a definition, only the top-level fields are known to be reported individually.
#[test]
fn a_field_missing_from_an_answer_is_as_it_was_sent() {
    let types = Types::builtin();
    let service = types.kind("service").map(|it| Trail::object(&types, it));
    let recorded = json!({
        "payload": {"runtime": "vm", "params": {"a": 1, "b": 2}}, "labels": {"x": "1", "y": "2"}, "init": [],
    });
    let seen = json!({"payload": {"params": {"a": 9}}, "labels": {"x": "1"}, "own": 1});
    let reported = json!({
        "payload": {"runtime": "vm", "params": {"a": 9}}, "labels": {"x": "1"}, "init": [],
    });
    let whole = json!({"payload": {"params": {"a": 9}}, "labels": {"x": "1"}, "init": []});
    for (trail, recorded, seen, expected) in [
        (service, &recorded, &seen, reported),
        (None, &recorded, &seen, whole),
        (service, &recorded, &json!("text"), json!("text")),
        (None, &json!("text"), &seen, seen.clone()),
    ] {
        assert_eq!(json::clear(&merge_observed(trail, &value(recorded), &value(seen))), expected);
    }
}

#[test]
fn marks_are_found_everywhere() {
    let found = |json: Json| {
        marks(&value(&json), Pointer::root()).iter().map(|it| it.as_str().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(mark("one")), [""]);
    assert_eq!(found(json!({"a": 1, "b": ["x"]})), [""; 0]);
    let json = json!({"a": mark("one"), "b": [1, {"c": mark("two")}], "d": {"e": mark("one")}});
    assert_eq!(found(json), ["/a", "/b/1/c", "/d/e"]);
}

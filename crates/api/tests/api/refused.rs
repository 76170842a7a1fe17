//! Requests whose fields or filters cannot be meant as they are written: they are refused, and change nothing.

use std::rc::Rc;

use planloom_api::Api;
use serde_json::{Value, json};

use crate::requests::{api, send};

const INVENTORY: &str = "
name: inventory.example.com
proto: {package: {name: example.inventory, currentVersion: v1}}
resources:
- name: Site
  fields:
  - {path: display_name}
  - {path: 'labels{}'}
  - {path: 'tags[]'}
  - {path: 'ports[].number', type: int32}
  - {path: spec.image}
  - {path: spec.limits.memory, type: int64}
  - {path: load, type: double}
  - {path: count, type: int32}
  - {path: ok, type: bool}
  - {path: seen_at, type: timestamp}
";

/// A service with one site.
fn inventory() -> Rc<Api> {
    let api = api(INVENTORY);
    let home = r#"{"name":"sites/home","displayName":"Home","labels":{"a":"1"},"tags":["old"],"ports":[{"number":80}],
        "spec":{"image":"i","limits":{"memory":"5"}},"load":1,"count":5,"ok":true,"seenAt":"2026-01-02T00:00:00Z"}"#;
    let created = send(&api, "POST /v1/sites", home);
    assert_eq!(created.status(), 200, "{}", String::from_utf8_lossy(created.body()));
    api
}

#[test]
fn a_misspelt_field_beside_a_mask_changes_nothing() {
    let api = inventory();
    let stored = || send(&api, "GET /v1/sites/home", "").into_body();
    let before = stored();
    for (mask, body, fields) in [
        ("labels", r#"{"lables":{"b":"2"}}"#, &["#/lables"][..]),
        ("displayName", r#"{"displaName":"New"}"#, &["#/displaName"]),
        ("spec.image", r#"{"spec":{"imgae":"j"}}"#, &["#/spec/imgae"]),
        ("spec", r#"{"spec":{"image":"j","limits":{"memroy":"1"}}}"#, &["#/spec/limits/memroy"]),
        ("spec.limits.memory", r#"{"spec":{"limit":{"memory":"1"}}}"#, &["#/spec/limit"]),
        ("ports", r#"{"ports":[{"number":1},{"nubmer":2}]}"#, &["#/ports/1/nubmer"]),
        // Also beside the mask: the mask may be what is misspelt.
        ("count", r#"{"count":6,"spec":{"imgae":"j"}}"#, &["#/spec/imgae"]),
        ("count,load", r#"{"conut":6,"laod":2}"#, &["#/conut", "#/laod"]),
        ("*", r#"{"displaName":"New"}"#, &["#/displaName"]),
    ] {
        let response = send(&api, &format!("PUT /v1/sites/home?updateMask={mask}"), body);
        let problem: Value = serde_json::from_slice(response.body()).expect("JSON");
        let violations = problem["violations"].as_array().cloned().unwrap_or_default();
        let found: Vec<&str> = violations.iter().filter_map(|it| it["field"].as_str()).collect();
        assert_eq!((response.status().as_u16(), &*found), (400, fields), "{mask} {body}\n{problem}");
        assert!(violations.iter().all(|it| it["code"] == "fields/unknown-field"), "{problem}");
        assert_eq!(stored(), before, "{mask} {body}");
    }
    let allowed =
        send(&api, "PUT /v1/sites/home?updateMask=spec.image", r#"{"spec":{"image":"j"},"count":9}"#);
    let changed: Value = serde_json::from_slice(allowed.body()).expect("JSON");
    assert_eq!((&changed["spec"]["image"], &changed["count"]), (&"j".into(), &5.into()), "{changed}");
}

/// A list of sites with a filter.
fn listing(filter: &str) -> String {
    let encoded: String = filter.bytes().map(|it| format!("%{it:02X}")).collect();
    format!("GET /v1/sites?filter={encoded}")
}

/// The refusal of the filter of a request: code, message and help.
fn refusal_of(api: &Rc<Api>, request: &str, body: &str) -> (Value, Value, Value) {
    let response = send(api, request, body);
    let problem: Value = serde_json::from_slice(response.body()).unwrap_or_default();
    assert_eq!(response.status(), 400, "{request} {body}\n{}", String::from_utf8_lossy(response.body()));
    let violation = &problem["violations"][0];
    assert_eq!(violation["field"], "filter", "{request} {body}\n{problem}");
    (violation["code"].clone(), violation["message"].clone(), violation["help"].clone())
}

#[test]
fn filters_that_cannot_apply_to_their_field_are_refused_in_lists_and_watches() {
    const LIST: &str = "compare lists with CONTAINS";
    const MAP: &str = "use CONTAINS for one of its keys, or compare an entry: `labels.key`";
    const NUMBER: &str = "compare it with a number";
    const STRING: &str = "compare it with a string";
    const TRUTH: &str = "compare it with TRUE or FALSE";
    const INSTANT: &str = "compare it with an instant such as \"2026-01-31T12:00:00Z\"";
    const OBJECT: &str = "compare it with an object, or use IS NULL";
    let api = inventory();
    let no_string = |field: &str| format!("`{field}` is no string, and LIKE is for strings");
    let is_one = |field: &str| format!("`{field}` has one value, and CONTAINS is for lists and maps");
    let cannot_be = |field: &str, value: &str| format!("`{field}` cannot have the value `{value}`");
    let (list, map) = ("`tags` is a list".to_owned(), "`labels` is a map".to_owned());
    for (filter, message, help) in [
        (r#"tags = "old""#, &list, LIST),
        (r#"tags != "old""#, &list, LIST),
        (r#"tags < "old""#, &list, LIST),
        (r#"tags >= "old""#, &list, LIST),
        (r#"tags IN ["old"]"#, &list, LIST),
        (r#"tags NOT IN ["old", NULL]"#, &list, LIST),
        (r#"tags LIKE "o%""#, &list, LIST),
        (r#"NOT tags = "old""#, &list, LIST),
        (r#"count = 5 OR (ok = TRUE AND tags != "old")"#, &list, LIST),
        (r#"labels = "1""#, &map, MAP),
        (r#"labels != "1""#, &map, MAP),
        (r#"labels IN ["1"]"#, &map, MAP),
        (r#"labels LIKE "%""#, &map, MAP),
        (r#"displayName CONTAINS "Ho""#, &is_one("display_name"), STRING),
        (r#"displayName CONTAINS ANY ["Ho"]"#, &is_one("display_name"), STRING),
        ("load CONTAINS 1", &is_one("load"), NUMBER),
        ("ok CONTAINS ALL [TRUE]", &is_one("ok"), TRUTH),
        (r#"spec.image CONTAINS "i""#, &is_one("spec.image"), STRING),
        ("spec CONTAINS image", &is_one("spec"), OBJECT),
        (r#"count LIKE "5""#, &no_string("count"), NUMBER),
        (r#"ok LIKE "t%""#, &no_string("ok"), TRUTH),
        (r#"seenAt LIKE "2026%""#, &no_string("seen_at"), INSTANT),
        (r#"load = "much""#, &cannot_be("load", "\"much\""), NUMBER),
        (r#"load != "much""#, &cannot_be("load", "\"much\""), NUMBER),
        (r#"count IN [5, "six"]"#, &cannot_be("count", "\"six\""), NUMBER),
        ("displayName > 5", &cannot_be("display_name", "5"), STRING),
        ("ok = 1", &cannot_be("ok", "1"), TRUTH),
        (r#"seenAt < "soon""#, &cannot_be("seen_at", "\"soon\""), INSTANT),
        (r#"spec = "x""#, &cannot_be("spec", "\"x\""), OBJECT),
    ] {
        let expected = ("fields/filter-type".into(), (&**message).into(), help.into());
        let list = refusal_of(&api, &listing(filter), "");
        assert_eq!(list, expected, "{filter}");
        for kind in ["STATELESS", "STATEFUL"] {
            let body = json!({"filter": filter, "type": kind}).to_string();
            assert_eq!(refusal_of(&api, "POST /v1/sites:watch", &body), expected, "{kind} {filter}");
        }
    }
    for filter in [
        r#"tags CONTAINS "old""#,
        "labels CONTAINS a",
        r#"labels.a = "1""#,
        "tags IS NOT NULL",
        "tags != NULL",
    ] {
        let listed: Value = serde_json::from_slice(send(&api, &listing(filter), "").body()).expect("JSON");
        assert_eq!(listed["sites"][0]["name"], "sites/home", "{filter}: {listed}");
    }
}

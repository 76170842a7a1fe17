use proptest::{collection, prelude::*};
use serde_json::json;

use super::*;
use crate::{
    BySegment, normalize,
    schema::{Comparison, Enum, Format, Message, Rule, Schema, WellKnown},
    testing::{TEXT, any_json, field, map_of, of, repeated, service},
};

/// The problems of a value, as pointer and code.
fn problems(value: &Value, of: MessageType<'_>) -> Vec<(String, &'static str)> {
    let violations = validate(value, of, Some(Millis(1_000_000)));
    violations.iter().for_each(|it| assert!(!it.message.is_empty() && !it.help.is_empty(), "{it:?}"));
    violations.into_iter().map(|it| (it.pointer, it.code.as_str())).collect()
}

fn check(value: Value, of: MessageType<'_>, expected: &[(&str, &'static str)]) {
    let expected: Vec<_> = expected.iter().map(|(pointer, code)| ((*pointer).to_owned(), *code)).collect();
    assert_eq!(problems(&value, of), expected, "{value}");
}

#[test]
fn structure_of_messages() {
    let schema = service();
    let pod = MessageType::new(&schema, "Pod").unwrap();
    let (ty, unknown) = ("fields/wrong-type", "fields/unknown-field");
    for (value, expected) in [
        (json!({"displayName": "x", "spec": {"node_name": "n", "containers": [{"name": "a"}]}}), vec![]),
        (json!([]), vec![("", ty)]),
        (json!({"displayNme": "x"}), vec![("/displayNme", unknown)]),
        (json!({"spec": {"containers": [{}, {"x/y": 1}]}}), vec![("/spec/containers/1/x~1y", unknown)]),
        (json!({"displayName": "x", "display_name": "y"}), vec![("/display_name", "fields/duplicate-field")]),
        (json!({"targetPort": {}, "targetName": ""}), vec![("/targetName", "fields/oneof")]),
        (json!({"targetPort": {}, "targetName": null}), vec![]),
        (json!({"spec": [], "tags": {}, "labels": []}), vec![("/spec", ty), ("/labels", ty), ("/tags", ty)]),
        (json!({"tags": ["x", null, 5]}), vec![("/tags/1", ty), ("/tags/2", ty)]),
        (json!({"labels": {"a": "", "b": 1}}), vec![("/labels/b", ty)]),
        (json!({"spec": null, "tags": null, "size": null}), vec![]),
        (json!({"phase": "RUNING"}), vec![("/phase", "fields/unknown-enum-value")]),
        (json!({"phase": 77}), vec![]),
        (json!({"phase": 1.5}), vec![("/phase", ty)]),
    ] {
        check(value, pod, &expected);
    }
    let help = &validate(&json!({"displayNme": "x", "phase": "RUNING"}), pod, None);
    assert_eq!(
        help.iter().map(|it| &*it.help).collect::<Vec<_>>(),
        ["use `displayName`, or remove it", "use `RUNNING`"]
    );
    let mut deep = json!({});
    (0..200).for_each(|_| deep = json!({"containers": [{"spec": deep}]}));
    let problems = problems(&json!({"spec": deep}), pod);
    assert_eq!(problems.iter().map(|it| it.1).collect::<Vec<_>>(), ["fields/too-deep"]);
    let many: serde_json::Map<_, _> = (0..5000).map(|it| (format!("x{it}"), json!(1))).collect();
    assert_eq!(validate(&Value::Object(many), pod, None).len(), MOST);
}

#[test]
fn values_have_the_json_mapping_of_proto3() {
    use Scalar::{Bool, Bytes, Double, Float, Int32, Int64, Uint32, Uint64};
    use WellKnown::{Any, Duration, Empty, ListValue, Struct, Timestamp};
    let known = FieldType::WellKnown;
    let (ty, range) = ("fields/wrong-type", "fields/out-of-range");
    for (field_type, valid, invalid) in [
        (FieldType::Scalar(Bool), json!([true]), json!([["true", ty], [1, ty]])),
        (
            FieldType::Scalar(Int32),
            json!([1, "-2", 3.0, "1e3", -2147483648]),
            json!([[1.5, ty], ["x", ty], [true, ty], ["", ty], [2147483648_i64, range]]),
        ),
        (
            FieldType::Scalar(Int64),
            json!(["9223372036854775807", -5]),
            json!([["9223372036854775808", range], [1e300, range], ["NaN", ty]]),
        ),
        (FieldType::Scalar(Uint32), json!([0, 4294967295_u32]), json!([[-1, range], ["4294967296", range]])),
        (
            FieldType::Scalar(Uint64),
            json!(["18446744073709551615"]),
            json!([["-1", range], ["18446744073709551616", range]]),
        ),
        (
            FieldType::Scalar(Double),
            json!([1, "1.5", "NaN", "-Infinity"]),
            json!([["1e999", range], ["inf", ty], [[], ty]]),
        ),
        (FieldType::Scalar(Float), json!([1e38, "Infinity"]), json!([[1e39, range]])),
        (
            FieldType::Scalar(Bytes),
            json!(["", "/+8=", "_-8", "AA"]),
            json!([["A", ty], ["é", ty], [5, ty], ["/-8=", ty]]),
        ),
        (TEXT, json!(["", "é"]), json!([[5, ty]])),
        (
            known(Timestamp),
            json!(["2026-01-31T12:00:00.123456789+01:00"]),
            json!([["2026-01-31", ty], [5, ty]]),
        ),
        (known(Duration), json!(["-1.5s"]), json!([["1m", ty], [1, ty]])),
        (known(WellKnown::FieldMask), json!(["a.bC,d"]), json!([["a,,b", ty]])),
        (known(Struct), json!([{"a": [1]}]), json!([[[], ty]])),
        (known(ListValue), json!([[1]]), json!([[{}, ty]])),
        (known(Empty), json!([{}]), json!([[{"a": 1}, ty]])),
        (known(Any), json!([{"@type": "x"}]), json!([[{}, ty]])),
        (known(WellKnown::Value), json!([1, {}]), json!([])),
        (known(WellKnown::Wrapper(Int32)), json!([1]), json!([["x", ty]])),
        (FieldType::Foreign("google.type.Money".into()), json!([{"x": 1}, "NAME", 1]), json!([])),
    ] {
        let message = Message { fields: vec![field("x", field_type.clone())], ..Message::default() };
        let schema = Schema { messages: [("M".into(), message)].into(), ..Schema::default() };
        let of = MessageType::new(&schema, "M").unwrap();
        for value in valid.as_array().unwrap() {
            check(json!({"x": value}), of, &[]);
        }
        for pair in invalid.as_array().unwrap() {
            let [(pointer, code)] = &problems(&json!({"x": pair[0]}), of)[..] else {
                panic!("{field_type:?} {pair}")
            };
            assert_eq!((&**pointer, json!(code)), ("/x", pair[1].clone()), "{field_type:?} {pair}");
        }
    }
}

/// A field of this type and these rules.
fn with_rules(field: Field, rules: Vec<Rule>) -> Schema {
    let message = Message { fields: vec![Field { rules, ..field }], ..Message::default() };
    let item = Message {
        fields: vec![Field { rules: vec![Rule::Required], ..super::super::testing::field("a", TEXT) }],
        ..Message::default()
    };
    let enums = Enum { values: vec![("ZERO".into(), 0), ("ONE".into(), 1)], ..Enum::default() };
    Schema {
        messages: [("M".into(), message), ("Item".into(), item)].into(),
        enums: [("E".into(), enums)].into(),
    }
}

#[test]
fn each_rule_has_valid_and_invalid_values() {
    use Comparison::{AtLeast, AtMost, Equal, Greater, Less};
    let text = |rule: Rule| (field("x", TEXT), rule);
    let of_scalar = |scalar, rule: Rule| (field("x", FieldType::Scalar(scalar)), rule);
    let known = |known, rule: Rule| (field("x", FieldType::WellKnown(known)), rule);
    let format = |it: Format| text(Rule::Format(it));
    let list = |rule: Rule| (repeated("x", FieldType::Scalar(Scalar::Int64)), rule);
    let map = |rule: Rule| (map_of("x", TEXT), rule);
    let texts = |all: &[&str]| all.iter().map(|it| (*it).into()).collect::<Vec<std::sync::Arc<str>>>();
    let enumeration = |rule: Rule| (field("x", FieldType::Enum("E".into())), rule);
    let pem = "-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n";
    for ((field, rule), valid, invalid, code) in [
        (text(Rule::Required), json!(["x"]), json!(["", null]), "required"),
        (list(Rule::Required), json!([[1]]), json!([[], null]), "required"),
        ((field("x", of("Item")), Rule::Required), json!([{"a": "b"}]), json!([null]), "required"),
        (
            of_scalar(Scalar::Int64, Rule::Number(Less, 5.0)),
            json!([4, "4", null]),
            json!([5, "6"]),
            "rule-limit",
        ),
        (of_scalar(Scalar::Int32, Rule::Number(AtMost, 5.0)), json!([5]), json!([6]), "rule-limit"),
        (
            of_scalar(Scalar::Double, Rule::Number(Equal, 0.5)),
            json!([0.5, "0.5"]),
            json!([0, null, "NaN"]),
            "rule-limit",
        ),
        (of_scalar(Scalar::Double, Rule::Number(Greater, 0.0)), json!([0.1]), json!([0, null]), "rule-limit"),
        (
            known(WellKnown::Duration, Rule::Number(AtLeast, 1.5)),
            json!(["1.5s", null]),
            json!(["1.4s"]),
            "rule-limit",
        ),
        (
            known(WellKnown::Timestamp, Rule::Number(Less, 60.0)),
            json!(["1970-01-01T00:00:59Z"]),
            json!(["1970-01-01T00:01:00Z"]),
            "rule-limit",
        ),
        (text(Rule::Text("a".into())), json!(["a"]), json!(["b", null]), "rule-values"),
        (
            of_scalar(Scalar::Bool, Rule::Text("true".into())),
            json!([true]),
            json!([false, null]),
            "rule-values",
        ),
        (text(Rule::Length(AtLeast, 2)), json!(["éé"]), json!(["é", null]), "rule-limit"),
        (text(Rule::Bytes(AtMost, 2)), json!(["é"]), json!(["éé"]), "rule-limit"),
        (of_scalar(Scalar::Bytes, Rule::Length(Equal, 1)), json!(["AA=="]), json!(["AAA="]), "rule-limit"),
        (text(Rule::Prefix("a/".into())), json!(["a/b"]), json!(["b", ""]), "rule-prefix"),
        (text(Rule::Suffix(".x".into())), json!(["a.x"]), json!(["b"]), "rule-suffix"),
        (text(Rule::OneOf(texts(&["a", "b"]))), json!(["a", "b"]), json!(["c", null]), "rule-values"),
        (text(Rule::NoneOf(texts(&["a", "b"]))), json!(["c", null]), json!(["a"]), "rule-values"),
        (
            of_scalar(Scalar::Int64, Rule::OneOf(texts(&["1", "2"]))),
            json!([1, "2", "2.0"]),
            json!([3, null]),
            "rule-values",
        ),
        (
            enumeration(Rule::NoneOf(texts(&["ZERO"]))),
            json!(["ONE", 1]),
            json!(["ZERO", 0, null]),
            "rule-values",
        ),
        (enumeration(Rule::Text("ONE".into())), json!(["ONE", 1]), json!([5]), "rule-values"),
        (enumeration(Rule::DefinedOnly), json!(["ONE", 1, null]), json!([5]), "rule-values"),
        (
            format(Format::Regex("[a-z]+|b".into())),
            json!(["abc", "b"]),
            json!(["a1", "1a", "", "ab\n"]),
            "rule-format",
        ),
        (format(Format::Regex("(".into())), json!([]), json!(["a"]), "rule-regex"),
        (
            format(Format::Email),
            json!(["a.b+c@x.org"]),
            json!(["a", "@x.org", "a@", "a..b@x", "a b@x"]),
            "rule-format",
        ),
        (
            format(Format::Hostname),
            json!(["x.org", "1-a", "x."]),
            json!(["-a", "a-", "a..b", "a_b", "", "é.org"]),
            "rule-format",
        ),
        (format(Format::Address), json!(["x.org", "::1", "10.0.0.1"]), json!(["::g"]), "rule-format"),
        (format(Format::Ip), json!(["::1", "10.0.0.1"]), json!(["10.0.0", "x"]), "rule-format"),
        (format(Format::Ipv4), json!(["10.0.0.1"]), json!(["::1", "10.0.0.256"]), "rule-format"),
        (format(Format::Ipv6), json!(["fe80::1"]), json!(["10.0.0.1"]), "rule-format"),
        (
            format(Format::Uri),
            json!(["https://x.org/a?b#c", "urn:x"]),
            json!(["/a", "1a:b", "a b:c", "a:%zz", "a:#b#c"]),
            "rule-format",
        ),
        (
            format(Format::UriReference),
            json!(["/a?b", "../x", "urn:x", ""]),
            json!(["a b", "1a:b"]),
            "rule-format",
        ),
        (
            format(Format::Uuid),
            json!(["123e4567-e89b-12d3-a456-426614174000"]),
            json!(["123e4567e89b12d3a456426614174000", "x"]),
            "rule-format",
        ),
        (
            format(Format::Pem),
            json!([pem, format!("{pem}{pem}")]),
            json!(["", "AAAA", "-----BEGIN A-----\nA\n-----END A-----", format!("{pem}x")]),
            "rule-format",
        ),
        (list(Rule::Items(AtLeast, 1)), json!([[1]]), json!([[], null]), "rule-limit"),
        (map(Rule::Items(AtMost, 1)), json!([{"a": "b"}, null]), json!([{"a": "", "b": ""}]), "rule-limit"),
        (list(Rule::Unique), json!([[1, 2], null]), json!([]), "rule-unique"),
        (
            known(WellKnown::Timestamp, Rule::BeforeNow),
            json!(["1970-01-01T00:16:39Z", null]),
            json!(["1970-01-01T00:16:40Z"]),
            "rule-time",
        ),
        (
            known(WellKnown::Timestamp, Rule::AfterNow),
            json!(["1970-01-01T00:16:41Z"]),
            json!(["1970-01-01T00:16:40Z"]),
            "rule-time",
        ),
        (
            known(WellKnown::Timestamp, Rule::WithinSeconds(60.0)),
            json!(["1970-01-01T00:17:40Z", "1970-01-01T00:15:40Z"]),
            json!(["1970-01-01T00:17:41Z"]),
            "rule-time",
        ),
    ] {
        let schema = with_rules(field, vec![rule.clone()]);
        let of = MessageType::new(&schema, "M").unwrap();
        for value in valid.as_array().unwrap() {
            assert_eq!(problems(&json!({"x": value}), of), [], "{rule:?} {value}");
        }
        for value in invalid.as_array().unwrap() {
            let expected = ("/x".to_owned(), format!("fields/{code}"));
            let found: Vec<_> =
                problems(&json!({"x": value}), of).into_iter().map(|(at, it)| (at, it.to_owned())).collect();
            assert_eq!(found, [expected], "{rule:?} {value}");
        }
        assert!(!valid.as_array().unwrap().is_empty() || !invalid.as_array().unwrap().is_empty());
    }
}

#[test]
fn rules_are_for_values_of_the_right_type() {
    let schema = with_rules(field("x", TEXT), vec![Rule::OneOf(vec!["a".into()])]);
    check(json!({"x": 5}), MessageType::new(&schema, "M").unwrap(), &[("/x", "fields/wrong-type")]);
}

#[test]
fn rules_of_elements_and_keys_have_their_places() {
    let short = Rule::Length(Comparison::AtMost, 1);
    for (field, rule, value, expected) in [
        (
            repeated("x", TEXT),
            Rule::Each(Box::new(short.clone())),
            json!(["a", "bb"]),
            vec![("/x/1", "fields/rule-limit")],
        ),
        (
            map_of("x", TEXT),
            Rule::Each(Box::new(short.clone())),
            json!({"a/b": "bb"}),
            vec![("/x/a~1b", "fields/rule-limit")],
        ),
        (
            map_of("x", TEXT),
            Rule::EachKey(Box::new(short)),
            json!({"a": "bb", "cc": ""}),
            vec![("/x/cc", "fields/rule-limit")],
        ),
        (
            repeated("x", FieldType::Scalar(Scalar::Int64)),
            Rule::Unique,
            json!([1, 2, "1", 1.0, 2]),
            vec![
                ("/x/2", "fields/rule-unique"),
                ("/x/3", "fields/rule-unique"),
                ("/x/4", "fields/rule-unique"),
            ],
        ),
        (
            repeated("x", of("Item")),
            Rule::Items(Comparison::AtLeast, 1),
            json!([{}]),
            vec![("/x/0/a", "fields/required")],
        ),
        (
            Field { cardinality: Cardinality::Map(Scalar::Int32), ..field("x", TEXT) },
            Rule::Unique,
            json!({"1": "", "a": ""}),
            vec![("/x/a", "fields/wrong-type")],
        ),
        (
            Field { cardinality: Cardinality::Map(Scalar::Bool), ..field("x", TEXT) },
            Rule::Unique,
            json!({"true": "", "1": ""}),
            vec![("/x/1", "fields/wrong-type")],
        ),
        (
            Field { meaning: Some(Meaning::Filter { resource: "M".into() }), ..field("x", TEXT) },
            Rule::Unique,
            json!("a ="),
            vec![("/x", "fields/filter-syntax")],
        ),
        (
            Field { meaning: Some(Meaning::OrderBy { resource: "M".into() }), ..field("x", TEXT) },
            Rule::Unique,
            json!("a up"),
            vec![("/x", "fields/order-syntax")],
        ),
    ] {
        let schema = with_rules(field, vec![rule]);
        check(json!({"x": value}), MessageType::new(&schema, "M").unwrap(), &expected);
    }
}

#[test]
fn normal_form_is_what_proto3_prints() {
    let schema = service();
    let pod = MessageType::new(&schema, "Pod").unwrap();
    for (value, normal) in [
        (
            json!({"size": 5, "display_name": "x", "name": "n"}),
            json!({"name": "n", "displayName": "x", "size": "5"}),
        ),
        (
            json!({"size": "0", "phase": 0, "ready": false, "tags": [], "labels": {}, "spec": {}, "data": ""}),
            json!({"spec": {}}),
        ),
        (
            json!({"phase": 5, "ratio": "1.50", "nickname": ""}),
            json!({"phase": "RUNNING", "ratio": 1.5, "nickname": ""}),
        ),
        (json!({"phase": "UNKNOWN", "ratio": "NaN"}), json!({"ratio": "NaN"})),
        (json!({"data": "_-8", "timeout": "1.50s"}), json!({"timeout": "1.500s", "data": "/+8="})),
        (json!({"create_time": "2026-01-01T02:00:00+02:00"}), json!({"createTime": "2026-01-01T00:00:00Z"})),
        (
            json!({"target_name": "", "labels": {"b": "", "a": "x"}}),
            json!({"labels": {"b": "", "a": "x"}, "targetName": ""}),
        ),
        (json!({"size": "x", "unknown": 0, "tags": 5}), json!({"size": "x", "tags": 5, "unknown": 0})),
        (
            json!({"spec": {"containers": [{"name": ""}, {"image": "i"}]}}),
            json!({"spec": {"containers": [{}, {"image": "i"}]}}),
        ),
        (json!({"display_name": "x", "displayName": "y"}), json!({"displayName": "y"})),
        (json!(5), json!(5)),
    ] {
        assert_eq!(normalize(&value, pod).to_string(), normal.to_string(), "{value}");
    }
}

/// Valid pods in forms that are not canonical.
fn any_pod() -> impl Strategy<Value = Value> {
    let select = |all: Vec<Value>| prop::sample::select(all);
    let fields = (
        select(vec![json!("5"), json!(5), json!(0), json!(null), json!("1e1")]),
        select(vec![json!("RUNNING"), json!(5), json!(0), json!("UNKNOWN"), json!(77)]),
        select(vec![json!(0), json!("NaN"), json!("1.5"), json!(1.5), json!(-0.0)]),
        select(vec![json!("2026-01-01T00:00:00Z"), json!("2026-01-01T01:00:00.000+01:00"), json!(null)]),
        select(vec![json!(["x", "y"]), json!([]), json!(null), json!(["x"])]),
        select(vec![
            json!({"containers": [{"name": ""}, {"image": "x"}]}),
            json!({}),
            json!({"nodeName": "x"}),
            json!(null),
        ]),
        select(vec![json!(""), json!("x"), json!(null)]),
        select(vec![json!("_-8"), json!("/+8="), json!("")]),
    );
    fields.prop_map(|(size, phase, ratio, time, tags, spec, nickname, data)| {
        json!({"size": size, "phase": phase, "ratio": ratio, "create_time": time, "tags": tags, "spec": spec,
            "nickname": nickname, "data": data})
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn normalizing_keeps_what_is_meant(pods in collection::vec(any_pod(), 2), filter in prop::sample::select(vec![
        "size = 5", "size != 5", "size = 10", "phase = RUNNING", "phase > UNKNOWN", "ratio IS NAN", "ratio = 1.5", "ratio < 2",
        "create_time = \"2026-01-01T00:00:00Z\"", "create_time IS NULL", "tags CONTAINS x", "tags IS NULL", "spec IS NULL",
        "spec.node_name = x", "spec.containers.image = x", "spec.containers.name = \"\"", "nickname IS NULL", "nickname = \"\"",
        "data = \"/+8\"",
    ])) {
        let schema = service();
        let pod = MessageType::new(&schema, "Pod").unwrap();
        let normal: Vec<Value> = pods.iter().map(|it| normalize(it, pod)).collect();
        let filter = Filter::parse(filter).unwrap();
        let selector = filter.bind(Some(pod), &BySegment).unwrap();
        let sorter = OrderBy::parse("size, phase, ratio, create_time, nickname, data").unwrap();
        let sorter = sorter.bind(Some(pod)).unwrap();
        for (pod_value, normal) in pods.iter().zip(&normal) {
            prop_assert_eq!(validate(pod_value, pod, None), vec![]);
            prop_assert_eq!(validate(normal, pod, None), vec![]);
            prop_assert_eq!(&normalize(normal, pod), normal);
            prop_assert_eq!(selector.evaluate(pod_value), selector.evaluate(normal));
        }
        prop_assert_eq!(sorter.compare(&pods[0], &pods[1]), sorter.compare(&normal[0], &normal[1]));
    }

    #[test]
    fn any_json_is_validated_and_normalized_once(value in any_json()) {
        let schema = service();
        let pod = MessageType::new(&schema, "Pod").unwrap();
        let normal = normalize(&value, pod);
        prop_assert_eq!(&normalize(&normal, pod), &normal);
        for violation in validate(&value, pod, None) {
            prop_assert!(value.pointer(&violation.pointer).is_some(), "{}", violation);
        }
    }
}

#[test]
fn what_is_wrong_with_an_absent_value_says_that_it_is_absent() {
    let message = |field: Field, rule: Rule, value: Value| {
        let schema = with_rules(field, vec![rule]);
        let found = validate(&value, MessageType::new(&schema, "M").unwrap(), None);
        found.into_iter().map(|it| format!("{}: {}; {}", it.pointer, it.message, it.help)).collect::<Vec<_>>()
    };
    let number = |value: Value| {
        let field = field("x", FieldType::Scalar(Scalar::Int32));
        message(field, Rule::Number(Comparison::AtLeast, 1.0), value)
    };
    let unset = "/x: the field is not set, which counts as 0: the value is 0, but has to be at least 1; \
                 set it to a value that the rule allows";
    for value in [json!({}), json!({"x": null})] {
        assert_eq!(number(value), [unset]);
    }
    let zero = "/x: the value is 0, but has to be at least 1; change the value to be within the limit";
    assert_eq!(number(json!({"x": 0})), [zero]);
    let text = message(field("x", TEXT), Rule::Length(Comparison::AtLeast, 2), json!({}));
    assert!(text[0].starts_with("/x: the field is not set, which counts as \"\": "), "{text:?}");
}

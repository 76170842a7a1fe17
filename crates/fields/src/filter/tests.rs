use proptest::{collection, prelude::*};
use serde_json::json;

use super::*;
use crate::{
    BySegment, MessageType,
    testing::{any_json, any_message, message_path, service},
};

fn filter(text: &str) -> Filter {
    Filter::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn filters_have_a_canonical_text() {
    for (text, canonical) in [
        ("", "()"),
        (" () -- all", "()"),
        ("a=5", "a = 5"),
        ("a == -5.50 b<\"x\"", "a = -5.5 AND b < \"x\""),
        ("a=1|b=2+c=3", "a = 1 OR b = 2 AND c = 3"),
        ("(a=1 or b=2) and (c=3)", "(a = 1 OR b = 2) AND c = 3"),
        ("not (a=1 b=2)", "NOT (a = 1 AND b = 2)"),
        ("NOT NOT a = 1", "NOT NOT a = 1"),
        ("NOT ()", "NOT ()"),
        ("a = 1 OR ()", "()"),
        ("a = 1 AND ((b = 2 AND ()))", "a = 1 AND b = 2"),
        ("a.b IS NULL c is not nan", "a.b IS NULL AND c IS NOT NAN"),
        ("a IN [1,2] b NOT IN (TRUE, null)", "a IN (1, 2) AND b NOT IN (TRUE, NULL)"),
        (
            "a HAS VALUE 1 a CONTAINS any (1, 2) a has all [3]",
            "a CONTAINS 1 AND a CONTAINS ANY (1, 2) AND a CONTAINS ALL (3)",
        ),
        ("a LIKE \"x%\\\\_\"", "a LIKE \"x%\\\\_\""),
        ("a = {b: 1, \"c d\" {e \"f\"}}", "a = {\"b\":1,\"c d\":{\"e\":\"f\"}}"),
        ("labels.app\\.org/name = x", "labels.`app.org/name` = \"x\""),
        ("labels.`app.org` = 1", "labels.`app.org` = 1"),
        ("`not`.a = 1", "`not`.a = 1"),
        ("`or` = 1 `And` = 2", "`or` = 1 AND `And` = 2"),
        ("any = 1 value = 2 is = 3", "any = 1 AND value = 2 AND is = 3"),
        ("a = \"line\nbreak \\u00e9\"", "a = \"line\\nbreak é\""),
        ("a = 1 -- comment\nAND b = 2", "a = 1 AND b = 2"),
        ("a = 1e3 b = 18446744073709551615", "a = 1000 AND b = 18446744073709551615"),
        (
            "metadata.syncing.owningRegion = japaneast AND metadata.syncing.regions CONTAINS us-west2",
            "metadata.syncing.owningRegion = \"japaneast\" AND metadata.syncing.regions CONTAINS \"us-west2\"",
        ),
        (
            "user IN [users/u2, users/u3] AND metadata.tags CONTAINS xxx",
            "user IN (\"users/u2\", \"users/u3\") AND metadata.tags CONTAINS \"xxx\"",
        ),
    ] {
        assert_eq!(filter(text).to_string(), canonical, "{text}");
        assert_eq!(filter(canonical), filter(text), "{text}");
    }
}

#[test]
fn mistakes_have_a_byte_and_what_was_expected() {
    for (text, byte, expected) in [
        ("a", 1, "an operator"),
        ("a =", 3, "a value"),
        ("a = 1 OR", 8, "a field, `NOT` or `(`"),
        ("a = 1 AND OR b = 1", 10, "a field"),
        ("(a = 1", 6, "`AND`, `OR` or `)`"),
        ("a = 1)", 5, "the end of the filter"),
        ("a IN 1", 5, "a list"),
        ("a IN (1", 7, "`,` or `)`"),
        ("a IN [1)", 7, "`,` or `]`"),
        ("a IN ()", 6, "a value"),
        ("a NOT 1", 6, "`IN`"),
        ("a IS 1", 5, "`NULL` or `NAN`"),
        ("a LIKE x", 7, "a string"),
        ("a = \"x", 4, "not closed"),
        ("a = \"\\q\"", 4, "escape"),
        ("a = 5x", 4, "not a number"),
        ("a = 1e999", 4, "too large"),
        ("a = {1", 6, "a value"),
        ("a = {b: 1, b: 2}", 11, "twice"),
        ("a. = 1", 2, "the name of a field"),
        ("= 1", 0, "a field"),
        ("é = 1", 0, "a field"),
        ("a ? 1", 2, "an operator"),
    ] {
        let error = Filter::parse(text).unwrap_err();
        assert!(
            error.message.contains(expected) && error.byte == byte && !error.help.is_empty(),
            "{text}: {error:?}"
        );
    }
}

#[test]
fn hostile_filters_are_refused() {
    let deep =
        |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(9000), close.repeat(9000));
    for text in [
        deep("(", "a=1", ")"),
        deep("NOT ", "a=1", ""),
        deep("{a", "", "}").replacen('{', "x = {", 1),
        deep("(NOT(", "", ""),
        "a=1 ".repeat(20_000),
    ] {
        assert_eq!(
            Filter::parse(&text).unwrap_err().code.as_str(),
            "fields/filter-limit",
            "{}",
            text.get(..20).unwrap()
        );
    }
    let wide = vec!["a=1"; 10_000].join("|");
    assert_eq!(filter(&wide).negate().negation_normal().to_string().matches("AND").count(), 9_999);
    let pattern = Filter::parse(&format!("a LIKE \"{}b\"", "%a".repeat(2000))).unwrap();
    assert!(!pattern.selects(&json!({"a": "a".repeat(4000)})));
}

/// The result of a filter for a value, with a type or without.
fn truth(text: &str, value: &Value, of: Option<MessageType<'_>>) -> Option<bool> {
    filter(text).bind(of, &BySegment).unwrap_or_else(|error| panic!("{text}: {error}")).evaluate(value)
}

#[test]
fn values_without_a_type_are_compared_by_their_look() {
    let value = json!({"a": 5, "s": "x", "big": "9007199254740993", "n": null, "b": true, "l": [1, 2, null], "e": [],
        "o": {"k": 1, "nodeName": "z"}, "items": [{"x": 1}, {"x": 2}, {}], "name": "projects/p/regions/eu/tasks/t"});
    for (text, expected) in [
        ("a = 5", Some(true)),
        ("a = 5.0", Some(true)),
        ("a != 5", Some(false)),
        ("a < 6 a >= 5", Some(true)),
        ("a > 5", Some(false)),
        ("a = \"5\"", Some(false)),
        ("a < \"x\"", None),
        ("s = x", Some(true)),
        ("s < y", Some(true)),
        ("s > w", Some(true)),
        ("big = 9007199254740993", Some(true)),
        ("big > 9007199254740992", Some(true)),
        ("b = TRUE", Some(true)),
        ("b = false", Some(false)),
        ("n = 1", None),
        ("n != 1", None),
        ("NOT n = 1", None),
        ("n IS NULL", Some(true)),
        ("n = NULL", Some(true)),
        ("a != NULL", Some(true)),
        ("missing.x IS NULL", Some(true)),
        ("missing < 5", None),
        ("missing < 5 OR a = 5", Some(true)),
        ("missing < 5 AND a = 6", Some(false)),
        ("n IN (NULL, 1)", Some(true)),
        ("a IN (NULL, 1)", Some(false)),
        ("a NOT IN (1, 2)", Some(true)),
        ("n NOT IN (1)", None),
        ("l CONTAINS 2", Some(true)),
        ("l CONTAINS ALL (1, 2)", Some(true)),
        ("l CONTAINS ANY (3, 4)", Some(false)),
        ("l CONTAINS ALL (1, 3)", Some(false)),
        ("n CONTAINS 1", None),
        ("e CONTAINS 1", Some(false)),
        ("a CONTAINS 5", Some(false)),
        ("o CONTAINS k", Some(true)),
        ("o CONTAINS z", Some(false)),
        ("o = {k 1, node_name \"z\"}", Some(true)),
        ("o = {k 1}", Some(false)),
        ("o.node_name = z", Some(true)),
        ("l.* = 2", Some(true)),
        ("o.* = z", Some(true)),
        ("items.x = 2", Some(true)),
        ("items.x = 3", None),
        ("items.x != 2", Some(false)),
        ("e.x = 1", Some(false)),
        ("e.x != 1", Some(true)),
        ("items.x < 2 AND items.x > 1", Some(true)),
        ("items CONTAINS {x 1}", Some(true)),
        ("s LIKE \"_\"", Some(true)),
        ("name LIKE \"%/regions/e%/t\"", Some(true)),
        ("name LIKE \"%\\\\%\"", Some(false)),
        ("a IS NAN", Some(false)),
        ("n IS NAN", None),
        ("a IS NOT NAN", Some(true)),
        ("name = projects/-/regions/eu/tasks/-", Some(true)),
        ("name = projects/-/tasks/-", Some(false)),
        ("name = \"projects/p/regions/us/tasks/-\"", Some(false)),
        ("name IN (x, projects/p/regions/-/tasks/t)", Some(true)),
        ("()", Some(true)),
        ("NOT ()", Some(false)),
    ] {
        assert_eq!(truth(text, &value, None), expected, "{text}");
    }
}

#[test]
fn values_with_a_type_are_compared_as_what_they_are() {
    let schema = service();
    let pod = MessageType::new(&schema, "Pod");
    let value = json!({"name": "projects/p/pods/x", "size": "12", "phase": "RUNNING", "createTime": "2026-01-01T12:00:00.5Z",
        "timeout": "90s", "data": "-_8=", "ratio": "NaN", "labels": {"a": "1"}, "ports": {"http": {"number": 80}},
        "spec": {"nodeName": "projects/p/nodes/n", "containers": [{"name": "c", "image": "i"}, {"name": "d"}]}});
    for (text, expected) in [
        ("size = 12", Some(true)),
        ("size > 2", Some(true)),
        ("size < \"100\"", Some(true)),
        ("phase = 5", Some(true)),
        ("phase = RUNNING", Some(true)),
        ("phase < STOPPED", Some(true)),
        ("phase > UNKNOWN", Some(true)),
        ("create_time = \"2026-01-01T14:00:00.500+02:00\"", Some(true)),
        ("createTime < \"2026-01-01T12:00:01Z\"", Some(true)),
        ("timeout = \"90.000s\"", Some(true)),
        ("timeout > \"9s\"", Some(true)),
        ("data = \"+/8\"", Some(true)),
        ("ratio IS NAN", Some(true)),
        ("ratio = 1", Some(false)),
        ("ratio < 1", None),
        // What is absent has its default, unless it may be absent.
        ("ready = FALSE", Some(true)),
        ("display_name = \"\"", Some(true)),
        ("display_name IS NULL", Some(false)),
        ("nickname = \"\"", None),
        ("nickname IS NULL", Some(true)),
        ("target_name IS NULL", Some(true)),
        ("tags CONTAINS x", Some(false)),
        ("tags IS NULL", Some(true)),
        ("labels IS NULL", Some(false)),
        ("labels.a = \"1\"", Some(true)),
        ("labels.b = \"\"", None),
        ("labels.b IS NULL", Some(true)),
        ("labels CONTAINS a", Some(true)),
        ("ports.http.number = 80", Some(true)),
        ("ports.http.host_name = \"\"", Some(true)),
        ("ports.x.number = 0", None),
        ("ports.*.number = 80", Some(true)),
        ("spec.containers.image = \"\"", Some(true)),
        ("spec.containers.image != i", Some(false)),
        ("spec.containers.spec.node_name = \"\"", Some(true)),
        ("target_port.number = 0", Some(true)),
        ("spec.containers.spec IS NULL", Some(true)),
        ("spec.node_name = projects/-/nodes/n", Some(true)),
        ("display_name = projects/-", Some(false)),
        ("name = projects/p/pods/-", Some(true)),
    ] {
        assert_eq!(truth(text, &value, pod), expected, "{text}");
    }
    assert_eq!(truth("spec.containers.image = \"\"", &json!({}), pod), Some(false));
    for (text, code) in [
        ("size = x", "fields/filter-type"),
        ("phase = WALKING", "fields/filter-type"),
        ("create_time > \"yesterday\"", "fields/filter-type"),
        ("ready = 1", "fields/filter-type"),
        ("display_name = 5", "fields/filter-type"),
        ("spec = 5", "fields/filter-type"),
        ("tags = a", "fields/filter-type"),
        ("tags != a", "fields/filter-type"),
        ("tags IN (a)", "fields/filter-type"),
        ("tags LIKE \"a%\"", "fields/filter-type"),
        ("labels = \"1\"", "fields/filter-type"),
        ("display_name CONTAINS a", "fields/filter-type"),
        ("size CONTAINS 1", "fields/filter-type"),
        ("size LIKE \"5\"", "fields/filter-type"),
        ("display_name IS NAN", "fields/filter-type"),
        ("a = 1 OR spec.nodes = 5", "fields/unknown-field"),
    ] {
        let filter = filter(text);
        let error = filter.bind(pod, &BySegment).unwrap_err();
        assert_eq!(error.code.as_str(), code, "{text}");
    }
}

#[test]
fn implications_and_specified_fields() {
    let schema = service();
    let pod = MessageType::new(&schema, "Pod");
    for (left, right, expected) in [
        ("size = 1", "()", true),
        ("()", "size = 1", false),
        ("size = 1 AND phase = RUNNING", "phase = 5", true),
        ("size = 1", "size = 1 OR phase = 5", true),
        ("size = 1 OR phase = 5", "size = 1", false),
        ("size IN (1, 2)", "size IN (3, 2, 1)", true),
        ("size IN (1, 4)", "size IN (3, 2, 1)", false),
        ("size < 3", "size <= 3", true),
        ("size <= 3", "size < 3", false),
        ("size < 3", "size < 5", true),
        ("size >= 3", "size > 2", true),
        ("size = 3", "size > 2", true),
        ("size = 3", "size != 2", true),
        ("size = 3", "size != 3", false),
        ("create_time < \"2026-01-01T00:00:00Z\"", "create_time < \"2026-01-01T03:00:00+02:00\"", true),
        ("create_time < \"2026-01-01T00:00:00Z\"", "create_time < \"2026-01-01T01:00:00+02:00\"", false),
        ("spec.containers.name = a", "spec.containers.name != b", false),
        ("size NOT IN (1, 2)", "size != 1", true),
        ("size != 1", "size NOT IN (1, 2)", false),
        ("NOT size = 1", "size != 1", true),
        ("NOT size IN (1, 2)", "size != 1", true),
        ("NOT (size = 1 OR size = 2)", "size NOT IN (1)", true),
        ("NOT size < 1", "NOT size < 1", true),
        ("NOT size < 1", "size >= 1", false),
        ("tags CONTAINS ALL (a, b)", "tags CONTAINS a", true),
        ("tags CONTAINS a", "tags CONTAINS ANY (a, b)", true),
        ("tags CONTAINS ANY (a, b)", "tags CONTAINS a", false),
        ("nickname = x", "nickname IS NOT NULL", true),
        ("nickname != x", "nickname IS NOT NULL", false),
        ("name = projects/p/pods/a", "name = projects/-/pods/-", true),
        ("name = projects/-/pods/-", "name = projects/p/pods/-", false),
        ("name = projects/p/pods/-", "name = projects/-/pods/-", true),
        ("NOT ()", "size = 1", true),
    ] {
        assert_eq!(
            filter(left).implies(&filter(right), pod, &BySegment),
            Ok(expected),
            "{left} implies {right}"
        );
    }
    let size = FieldPath::parse("size").unwrap();
    for (text, expected) in [
        ("size = 1", true),
        ("size IN (1, 2) AND a = 1", true),
        ("size = 1 OR size = 2", true),
        ("size = 1 OR a = 1", false),
        ("NOT size = 1", false),
        ("size > 1", false),
        ("()", false),
    ] {
        assert_eq!(filter(text).specifies(&size), expected, "{text}");
    }
}

fn any_literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        Just(Literal::Null),
        any::<bool>().prop_map(Literal::Bool),
        (-2..3).prop_map(|it: i32| Literal::Number(Number::Int(it.into()))),
        any::<f64>()
            .prop_filter("finite", |it| it.is_finite())
            .prop_map(|it| Literal::Number(Number::from_f64(it))),
        prop::sample::select(vec!["", "x", "y", "a/-", "a/x", "-", "a\"\\\n"])
            .prop_map(|it| Literal::Text(it.into())),
        collection::vec(("[a-b]{1,2}", -2_i32..3), 0..3)
            .prop_map(|it| Literal::Object(it.into_iter().map(|(key, it)| (key, it.into())).collect())),
    ]
}

fn any_test(path: impl Strategy<Value = FieldPath> + Clone + 'static) -> impl Strategy<Value = Condition> {
    use CompareOperator::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};
    let operator = prop::sample::select(vec![Equal, Equal, NotEqual, Less, AtMost, Greater, AtLeast]);
    let quantifier = prop::sample::select(vec![Quantifier::Any, Quantifier::All]);
    let special = prop::sample::select(vec![Special::Null, Special::Nan]);
    let pattern = prop::sample::select(vec!["%", "x", "_", "%x%"]);
    let values = || collection::vec(any_literal(), 1..3);
    prop_oneof![
        4 => (path.clone(), operator, any_literal()).prop_map(|(path, operator, value)| Condition::Compare { path, operator, value }),
        2 => (path.clone(), values(), any::<bool>()).prop_map(|(path, values, negated)| Condition::In { path, values, negated }),
        1 => (path.clone(), quantifier, values()).prop_map(|(path, quantifier, values)| Condition::Contains { path, quantifier, values }),
        1 => (path.clone(), any_literal()).prop_map(|(path, value)| Condition::Contains { path, quantifier: Quantifier::Value, values: vec![value] }),
        1 => (path.clone(), special, any::<bool>()).prop_map(|(path, special, negated)| Condition::Is { path, special, negated }),
        1 => (path, pattern).prop_map(|(path, pattern)| Condition::Like { path, pattern: pattern.into() }),
    ]
}

fn any_condition(
    path: impl Strategy<Value = FieldPath> + Clone + 'static,
) -> impl Strategy<Value = Condition> {
    prop_oneof![8 => any_test(path), 1 => Just(Condition::All)].prop_recursive(4, 16, 3, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..4).prop_map(Condition::And),
            collection::vec(inner.clone(), 0..4).prop_map(Condition::Or),
            inner.prop_map(|it| Condition::Not(Box::new(it))),
        ]
    })
}

fn odd_path() -> impl Strategy<Value = FieldPath> + Clone {
    let name =
        prop::sample::select(vec!["not", "AND", "or", "--x", "in", "5", "-", "a.b", "é`", "null", "*", ""]);
    collection::vec(name, 1..3).prop_map(|it| {
        FieldPath::parse(&it.iter().map(|it| in_quotes(it)).collect::<Vec<_>>().join(".")).unwrap()
    })
}

fn in_quotes(name: &str) -> String {
    crate::path::in_backquotes(name)
}

/// A few fields, so that filters are about the same.
fn few_paths() -> impl Strategy<Value = FieldPath> + Clone {
    prop::sample::select(vec!["a", "b", "a.b", "node_name"]).prop_map(|it| FieldPath::parse(it).unwrap())
}

fn any_filter() -> impl Strategy<Value = Filter> {
    any_condition(few_paths()).prop_map(Filter::from)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn filters_are_read_back(condition in any_condition(odd_path()), value in any_json()) {
        let filter = Filter::from(condition.clone());
        let read = Filter::parse(&filter.to_string());
        prop_assert_eq!(&read, &Ok(filter.clone()), "{}", filter);
        prop_assert_eq!(read.unwrap().selects(&value), Filter { root: condition }.selects(&value));
    }

    #[test]
    fn reading_never_panics(text in "([a(){}\"\\\\.`=<,5 é-]|NOT |IN|IS |NULL|AND ){0,12}") {
        match Filter::parse(&text) {
            Ok(filter) => prop_assert_eq!(Filter::parse(&filter.to_string()), Ok(filter)),
            Err(error) => prop_assert!(text.is_char_boundary(error.byte), "{}", error),
        }
    }

    #[test]
    fn negation_and_connectives_are_kleenes(one in any_filter(), other in any_filter(), value in any_message()) {
        let of = |it: &Filter| it.bind(None, &BySegment).unwrap().evaluate(&value);
        let (left, right) = (of(&one), of(&other));
        prop_assert_eq!(of(&one.negation_normal()), left, "{}", one);
        prop_assert_eq!(of(&one.clone().negate()), left.map(|it| !it));
        prop_assert_eq!(of(&one.clone().negate().negation_normal()), left.map(|it| !it));
        let and = one.clone().and(other.clone());
        let kleene = if left == Some(false) || right == Some(false) { Some(false) } else { left.and(right) };
        prop_assert_eq!(of(&and), kleene);
        let neither = one.clone().negate().and(other.clone().negate());
        prop_assert_eq!(of(&one.or(other)), of(&neither).map(|it| !it));
    }

    #[test]
    fn what_is_implied_is_selected(one in any_filter(), other in any_filter(), values in collection::vec(any_message(), 20)) {
        let implies = |one: &Filter, other: &Filter| one.implies(other, None, &BySegment).unwrap();
        prop_assert!(implies(&one, &one));
        prop_assert!(implies(&one.clone().and(other.clone()), &other));
        prop_assert!(implies(&one, &one.clone().or(other.clone())));
        if implies(&one, &other) {
            for value in values {
                prop_assert!(!one.selects(&value) || other.selects(&value), "{} / {} / {}", one, other, value);
            }
        }
    }

    #[test]
    fn implications_between_tests_are_sound(
        left in any_test(few_paths()), right in any_test(few_paths()), values in collection::vec(any_value(), 20),
    ) {
        let (left, right) = (Filter::from(left), Filter::from(right));
        if left.implies(&right, None, &BySegment).unwrap() {
            for value in values {
                prop_assert!(!left.selects(&value) || right.selects(&value), "{} / {} / {}", left, right, value);
            }
        }
    }

    #[test]
    fn paths_in_filters_are_paths(path in message_path(), value in any_message()) {
        let filter = Filter::from(Condition::Is { path: path.clone(), special: Special::Null, negated: true });
        let found = path.get_all(&value).iter().any(|it| !it.value.is_null());
        prop_assert_eq!(filter.selects(&value), found);
    }
}

/// A message whose fields have values that filters of these tests name.
fn any_value() -> impl Strategy<Value = Value> {
    let scalar = || {
        prop_oneof![
            any_literal().prop_map(|it| it.to_json()),
            collection::vec(any_literal().prop_map(|it| it.to_json()), 0..3).prop_map(Value::from),
            prop::sample::select(vec!["5", "a/y", "b/x"]).prop_map(Value::from),
        ]
    };
    (scalar(), scalar(), scalar())
        .prop_map(|(a, b, node_name)| json!({"a": a, "b": b, "nodeName": node_name}))
}

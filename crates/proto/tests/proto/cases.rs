//! The options of fields: meaning, merging and rules.

use crate::fields::{field, package};

#[test]
fn the_meaning_of_a_field() {
    fn check(ty: &str, option: &str, expected: &str) {
        let field = field(&format!("{ty} f = 1 [{option}];"));
        assert_eq!(field.meaning.map(|it| format!("{it:?}")).as_deref(), Some(expected), "{option}");
    }
    let text = |it: &str| format!("(goten.annotations.type) = {{ {it} }}");
    check("string", &text("name: { resource: \"Pod\" }"), "Name { resource: \"Pod\" }");
    check("string", &text("filter { resource: \"Pod\" }"), "Filter { resource: \"Pod\" }");
    check("string", &text("order_by < resource: 'Pod' >"), "OrderBy { resource: \"Pod\" }");
    check("string", &text("pager_cursor { resource: \"Pod\" }"), "Cursor { resource: \"Pod\" }");
    check("string", &text("parent_name { resource: \"Pod\" }"), "ParentName { resource: \"Pod\" }");
    check("string", &text("parent_reference { resource: \"Pod\" }"), "ParentName { resource: \"Pod\" }");
    check("repeated string", &text("name { resource: \"a.b/\" \"Pod\" }"), "Name { resource: \"a.b/Pod\" }");
    check(
        "google.protobuf.FieldMask",
        &text("field_mask { resource: \"Pod\" }"),
        "FieldMask { resource: \"Pod\" }",
    );
    for (name, behavior) in [
        ("BLOCK", "Block"),
        ("UNSET", "Unset"),
        ("CASCADE_DELETE", "CascadeDelete"),
        ("ASYNC_UNSET", "AsyncUnset"),
        ("ASYNC_CASCADE_DELETE", "AsyncCascadeDelete"),
        ("ALLOW_DANGLING", "AllowDangling"),
        ("3", "CascadeDelete"),
    ] {
        let reference = format!("reference {{ resource: \"Pod\", target_delete_behavior: {name} }}");
        let expected = format!("Reference {{ resource: \"Pod\", on_target_deleted: {behavior} }}");
        check("string", &text(&reference), &expected);
    }
    // A part of the message is set by its path, also in several options, and names may be relative to the package.
    check("string", "(goten.annotations.type).name.resource = \"Pod\"", "Name { resource: \"Pod\" }");
    check("string", "(.goten.annotations.type).name = { resource: \"Pod\" }", "Name { resource: \"Pod\" }");
    check(
        "string",
        "(goten.annotations.type).reference.resource = \"Pod\", (goten.annotations.type).reference.target_delete_behavior = BLOCK",
        "Reference { resource: \"Pod\", on_target_deleted: Block }",
    );
    check("string", "(google.api.resource_reference).type = \"a.b/Pod\"", "Name { resource: \"a.b/Pod\" }");
    check(
        "string",
        "(google.api.resource_reference) = { child_type: \"a.b/Pod\" }",
        "ParentName { resource: \"a.b/Pod\" }",
    );
}

#[test]
fn how_lists_and_maps_are_merged() {
    fn check(ty: &str, option: &str, expected: &str) {
        let field = field(&format!("{ty} f = 1 [(goten.annotations.merge) = {{ {option} }}];"));
        let merge = field.merge;
        let actual = format!("{:?} {:?} {:?}", merge.behavior, merge.identifiers, merge.sorting);
        assert_eq!(actual, expected, "{option}");
    }
    check("repeated string", "repeated {}", "Default [] None");
    check("repeated string", "repeated { behavior: REPLACE }", "Replace [] None");
    check(
        "repeated string",
        "repeated { behavior: DISCARD_ONLY_IN_DEST }",
        "DiscardOnlyInDestination [] None",
    );
    check("repeated string", "repeated { behavior: OPERATION_AND sorting: DESCENDING }", "And [] Descending");
    check("repeated string", "repeated { behavior: APPEND }", "Append [] None");
    check(
        "repeated A",
        "repeated { identifiers: [\"a\", \"b\"] sorting: ASCENDING }",
        "Default [\"a\", \"b\"] Ascending",
    );
    check("map<string, A>", "map { behavior: DISCARD_ONLY_IN_SOURCE }", "DiscardOnlyInSource [] None");
    check("map<string, string>", "map { behavior: OPERATION_XOR }", "Xor [] None");
}

/// All rules of the annex on validation.
#[test]
fn rules_of_validation() {
    fn check(ty: &str, rules: &str, expected: &str) {
        let text = format!(
            "enum Color {{ NONE = 0; RED = 2; }} message A {{ {ty} f = 1 [(goten.annotations.validation_rules) = {{ {rules} }}]; }}"
        );
        let field = package(&text).schema.messages["A"].fields[0].clone();
        assert_eq!(format!("{:?}", field.rules), format!("[{expected}]"), "{rules}");
    }
    for (kind, ty) in
        [("decimal", "double"), ("decimal", "float"), ("signed", "int64"), ("unsigned", "fixed32")]
    {
        check(ty, &format!("{kind} {{ const {{ value: 5 }} }}"), "Number(Equal, 5.0)");
        check(
            ty,
            &format!("{kind} {{ lt {{ value: 5 }} gte {{}} }}"),
            "Number(Less, 5.0), Number(AtLeast, 0.0)",
        );
        check(
            ty,
            &format!("{kind} {{ lte {{ value: 5 }} gt {{ value: 1 }} }}"),
            "Number(AtMost, 5.0), Number(Greater, 1.0)",
        );
        check(
            ty,
            &format!("{kind} {{ any_of: [1, 2] none_of: 3 }}"),
            "OneOf([\"1\", \"2\"]), NoneOf([\"3\"])",
        );
    }
    check("int32", "signed { gt { value: -1 } }", "Number(Greater, -1.0)");
    check("google.protobuf.Int32Value", "signed { gt { value: 0x10 } }", "Number(Greater, 16.0)");
    check("bool", "bool { const: true }", "Text(\"true\")");
    check("string", "string { const: \"a\" }", "Text(\"a\")");
    check(
        "string",
        "string { len { value: 1 } min_len { value: 2 } max_len { value: 3 } }",
        "Length(Equal, 1), Length(AtLeast, 2), Length(AtMost, 3)",
    );
    check(
        "string",
        "string { bytes_len { value: 1 } min_bytes_len { value: 2 } max_bytes_len { value: 3 } }",
        "Bytes(Equal, 1), Bytes(AtLeast, 2), Bytes(AtMost, 3)",
    );
    check(
        "string",
        "string { prefix: \"a\" suffix: \"b\" required: true }",
        "Prefix(\"a\"), Suffix(\"b\"), Required",
    );
    check(
        "string",
        "string { any_of: [\"a\", \"b\"] none_of: \"c\" required: false }",
        "OneOf([\"a\", \"b\"]), NoneOf([\"c\"])",
    );
    check("string", "string { format { regex: \"[a-z]\\\\d\" } }", "Format(Regex(\"[a-z]\\\\d\"))");
    for (name, format) in [
        ("email", "Email"),
        ("address", "Address"),
        ("hostname", "Hostname"),
        ("ip", "Ip"),
        ("ipv4", "Ipv4"),
        ("ipv6", "Ipv6"),
        ("uri", "Uri"),
        ("uri_ref", "UriReference"),
        ("uuid", "Uuid"),
        ("pem", "Pem"),
    ] {
        check("string", &format!("string {{ format {{ {name}: true }} }}"), &format!("Format({format})"));
        check("string", &format!("string {{ format {{ {name}: false }} }}"), "");
    }
    check(
        "bytes",
        "bytes { len { value: 1 } min_len { value: 2 } max_len { value: 3 } }",
        "Bytes(Equal, 1), Bytes(AtLeast, 2), Bytes(AtMost, 3)",
    );
    check("Color", "enum { const { value: 2 } }", "Text(\"RED\")");
    check(
        "Color",
        "enum { any_of: [0, 2] none_of: 9 defined_only: true }",
        "DefinedOnly, OneOf([\"NONE\", \"RED\"]), NoneOf([\"9\"])",
    );
    check("A", "object { required: true }", "Required");
    check("A", "object { skip: true }", "");
    check(
        "repeated string",
        "repeated { min_items { value: 1 } max_items { value: 2 } unique: true }",
        "Items(AtLeast, 1), Items(AtMost, 2), Unique",
    );
    check("repeated string", "repeated { items { string { required: true } } }", "Each(Required)");
    check("repeated Color", "repeated { items { enum { const { value: 2 } } } }", "Each(Text(\"RED\"))");
    check(
        "map<string, int32>",
        "map { min_pairs { value: 1 } max_pairs { value: 2 } }",
        "Items(AtLeast, 1), Items(AtMost, 2)",
    );
    check(
        "map<string, int32>",
        "map { keys { string { required: true } } values { signed { gte {} } } }",
        "EachKey(Required), Each(Number(AtLeast, 0.0))",
    );
    check(
        "google.protobuf.Timestamp",
        "timestamp { required: true lt_now: true gt_now: true }",
        "Required, BeforeNow, AfterNow",
    );
    check("google.protobuf.Timestamp", "timestamp { within { seconds: 60 } }", "WithinSeconds(60.0)");
    check(
        "google.protobuf.Timestamp",
        "timestamp { gt { seconds: 60 nanos: 500000000 } }",
        "Number(Greater, 60.5)",
    );
    check(
        "google.protobuf.Duration",
        "duration { required: true const { seconds: 1 } lte { seconds: 2 } }",
        "Required, Number(Equal, 1.0), Number(AtMost, 2.0)",
    );
    check("string", "filter { required: true }", "Required");
}

#[test]
fn what_has_no_rule_is_kept_beside_the_schema() {
    let read = package(
        "message A {
           A f = 1 [(goten.annotations.validation_rules) = { object { skip: true } }];
           repeated A g = 2 [(goten.annotations.validation_rules) = { repeated { items { object { skip: true } } } }];
           oneof one { option (goten.annotations.required) = true; string a = 3; }
           oneof other { string b = 4; }
         }",
    );
    let pair = |it: &str| ("A".into(), it.into());
    assert_eq!(read.unvalidated, [pair("f"), pair("g")].into());
    assert_eq!(read.required_oneofs, [pair("one")].into());
}

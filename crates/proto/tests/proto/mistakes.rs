//! Mistakes are reported with their places, and the text around them is read.

use fields::schema::Meaning;

use crate::support::read_one;

/// Reads the lines of a message's body from line 4; `expected` are the diagnostics.
fn check(body: &str, expected: &[&str]) {
    let text = format!("syntax = \"proto3\";\npackage ntt.x.v1;\nmessage A {{\n{body}\n}}\n");
    assert_eq!(read_one(&text).1, expected, "{body}");
}

/// Checks a field `f` with an option.
fn check_field(ty: &str, option: &str, expected: &str) {
    check(&format!("{ty} f = 1 [\n{option}\n];"), &[expected]);
}

/// Checks what is in the option of a resource, with one field `name`.
fn check_resource(body: &str, expected: &str) {
    check(&format!("string name = 1;\noption (goten.annotations.resource) = {{\n{body}\n}};"), &[expected]);
}

#[test]
fn syntax() {
    check("string a = 1", &["5:1 error proto/syntax: expected ';' or '[', but found '}'"]);
    check("string a = 0;", &["4:12 error proto/syntax: message numbers must be between 1 and 536870911"]);
    check("oneof a {}", &["4:1 error proto/syntax: a oneof must have at least one field"]);
    check("/* /* */ a */", &["4:4 error proto/syntax: nested block comments are not supported"]);
    let (_, found) = read_one("package a;\npackage b;");
    assert_eq!(found, ["1:1 error proto/syntax: multiple package names specified"]);
}

#[test]
fn declarations_that_exist_twice() {
    check(
        "string a = 1;\nstring b = 1;\nstring a = 2;",
        &[
            "5:12 error proto/duplicate-number: the number `1` is used twice",
            "6:8 error proto/duplicate-name: the field `a` is used twice",
        ],
    );
    check(
        "enum E {\nB = 0;\nC = 0;\n}\nenum F {\noption allow_alias = true;\nD = 0; G = 0;\n}",
        &["6:5 error proto/duplicate-number: the number `0` is used twice"],
    );
    check(
        "message B {}\nenum B { C = 0; }",
        &["4:9 error proto/duplicate-name: `A.B` is declared twice; this one is ignored"],
    );
    let service = "option (goten.annotations.service_pkg) = { name: \"a\" };\n";
    assert_eq!(
        read_one(&format!("syntax = \"proto3\";\n{service}{service}")).1,
        ["3:8 error proto/duplicate-service: the package says twice which service it is; this is ignored"]
    );
}

#[test]
fn references() {
    let reference = |it: &str| format!("(goten.annotations.type) = {{ reference {{ {it} }} }}");
    check_field(
        "string",
        &reference("resource: \"Pod\" target_delete_behavior: BLOK"),
        "5:82 error proto/unknown-delete-behavior: `target_delete_behavior` has no value `BLOK`",
    );
    let missing = "the reference does not say what happens when its target is deleted";
    let missing = format!("5:30 error proto/missing-delete-behavior: {missing}");
    check_field("string", &reference("resource: \"Pod\""), &missing);
    check_field("string", &reference("resource: \"Pod\" target_delete_behavior: UNDEFINED"), &missing);
    check_field(
        "string",
        &reference("target_delete_behavior: BLOCK"),
        "5:30 error proto/missing-resource: `reference` does not say which resource it is for",
    );
    check_field(
        "int32",
        &reference("resource: \"Pod\" target_delete_behavior: BLOCK"),
        "5:30 error proto/option-mismatch: `reference` is only possible for a field of type `string`",
    );
    check_field(
        "google.protobuf.FieldMask",
        "(goten.annotations.type) = { name { resource: \"Pod\" } }",
        "5:30 error proto/option-mismatch: `name` is only possible for a field of type `string`",
    );
    check_field(
        "string",
        "(goten.annotations.type) = { refrence { resource: \"Pod\" } }",
        "5:30 warning proto/unknown-option-field: `goten.annotations.FieldType` has no field `refrence`; it is ignored",
    );
}

/// A reference whose behaviour is not known deletes nothing.
#[test]
fn a_reference_without_behaviour_blocks() {
    let (protos, _) = read_one(
        "syntax = \"proto3\"; message A { string a = 1 [(goten.annotations.type).reference.resource = \"B\"]; }",
    );
    let meaning = protos.packages[""].schema.messages["A"].fields[0].meaning.clone();
    let on_target_deleted = fields::schema::DeleteBehavior::Block;
    assert_eq!(meaning, Some(Meaning::Reference { resource: "B".into(), on_target_deleted }));
}

#[test]
fn options_of_the_wrong_type() {
    check_resource("plural: 5", "6:9 error proto/option-type: `plural` requires a string, not a number");
    check_resource(
        "parents: [\"\", A]",
        "6:15 error proto/option-type: `parents` requires a string, not an identifier",
    );
    check_resource(
        "plural { a: 1 }",
        "6:8 error proto/option-type: `plural` requires a string, not a message",
    );
    check_resource(
        "async_deletion: \"yes\"",
        "6:17 error proto/option-type: `async_deletion` requires `true` or `false`, not a string",
    );
    check_resource(
        "pager { max_page_size: 1.5 }",
        "6:24 error proto/option-type: `max_page_size` requires an integer, not a number",
    );
    check_resource(
        "pager: true",
        "6:8 error proto/option-type: `pager` requires a message in `{ }`, not an identifier",
    );
    check_resource(
        "on_parent_deleted_behavior: \"BLOCK\"",
        "6:29 error proto/option-type: `on_parent_deleted_behavior` requires the name of an enumeration's value, not a string",
    );
    check_field(
        "string",
        "(goten.annotations.output_only) = \"a\"",
        "5:35 error proto/option-type: `goten.annotations.output_only` requires `true` or `false`, not a string",
    );
    check_field(
        "int32",
        "(goten.annotations.validation_rules) = { signed { lt: 5 } }",
        "5:55 error proto/option-type: `lt` requires a message in `{ }`, not a number",
    );
}

#[test]
fn options_that_do_not_exist() {
    check_field(
        "string",
        "(goten.annotations.typ) = { name { resource: \"Pod\" } }",
        "5:1 warning proto/unknown-option: unknown option `goten.annotations.typ`; it is ignored",
    );
    check_resource(
        "plurals: \"a\"",
        "6:1 warning proto/unknown-option-field: `goten.annotations.resource` has no field `plurals`; it is ignored",
    );
    check_resource(
        "views { view: BASICS }",
        "6:15 error proto/unknown-option-value: `view` has no value `BASICS`",
    );
    check("string a = 1 [(other.option) = 5, (other) = { a: [1] }];", &[]);
}

#[test]
fn options_that_are_not_in_text_format() {
    check_resource("plural \"a\"", "6:8 error proto/aggregate: `:` is expected here");
    check_resource("parents: [\"a\" \"b\" 1]", "6:19 error proto/aggregate: `,` or `]` is expected here");
    check_resource("pager < is_disabled: true", "7:1 error proto/aggregate: a field or `>` is expected here");
}

#[test]
fn parents() {
    check_resource(
        "parents: \"B\" on_parent_deleted_behavior: UNSET",
        "6:42 error proto/invalid-delete-behavior: the name of a parent cannot be cleared",
    );
    check_resource(
        "parents: \"B\" on_parent_deleted_behavior: DELETE",
        "6:42 error proto/unknown-delete-behavior: `on_parent_deleted_behavior` has no value `DELETE`",
    );
    let missing = "5:8 warning proto/missing-delete-behavior: the resource does not say what happens when its parent is deleted";
    check_resource("parents: \"goten.ntt.com/None\" parents: \"B\"", missing);
    check(
        "string name = 1;\noption (goten.annotations.resource) = { parents: \"goten.ntt.com/None\" };",
        &[],
    );
}

#[test]
fn merging() {
    let check = |ty: &str, option: &str, expected: &str| {
        let option = format!("(goten.annotations.merge) = {{ {option} }}");
        check_field(ty, &option, &format!("5:31 error proto/option-mismatch: {expected}"));
    };
    check("string", "repeated {}", "`repeated` is for another kind of field than `f`");
    check("map<string, string>", "repeated {}", "`repeated` is for another kind of field than `f`");
    check("repeated string", "map {}", "`map` is for another kind of field than `f`");
    check("repeated string", "repeated { identifiers: \"a\" }", "`identifiers` are for lists of messages");
    let append = "`APPEND` is not possible for maps and for lists with identifiers";
    check("repeated A", "repeated { identifiers: \"a\" behavior: APPEND }", append);
    check("map<string, A>", "map { behavior: APPEND }", append);
    let sorting = "a list of messages cannot be sorted without identifiers";
    check("repeated A", "repeated { sorting: ASCENDING }", sorting);
}

#[test]
fn validation() {
    let check = |ty: &str, rules: &str, expected: &str| {
        check_field(ty, &format!("(goten.annotations.validation_rules) = {{ {rules} }}"), expected);
    };
    let mismatch = |it: &str| {
        format!("5:42 error proto/option-mismatch: rules of `{it}` do not fit the type of the field")
    };
    for (ty, kind) in [
        ("string", "signed"),
        ("int32", "string"),
        ("int32", "unsigned"),
        ("float", "signed"),
        ("repeated string", "string"),
        ("string", "repeated"),
        ("repeated string", "map"),
        ("A", "string"),
        ("google.protobuf.Duration", "timestamp"),
        ("bool", "enum"),
        ("uint64", "signed"),
        ("bytes", "string"),
        ("string", "bytes"),
        ("double", "unsigned"),
        ("int64", "decimal"),
        ("google.protobuf.Timestamp", "duration"),
        ("map<string, A>", "repeated"),
        ("int32", "filter"),
    ] {
        check(ty, &format!("{kind} {{}}"), &mismatch(kind));
    }
    check(
        "bytes",
        "bytes { prefix: \"a\" }",
        "5:50 hint proto/unsupported-rule: the rule `prefix` of `bytes` is not checked",
    );
    check(
        "google.protobuf.Duration",
        "duration { any_of { seconds: 1 } }",
        "5:53 hint proto/unsupported-rule: the rule `any_of` of `duration` is not checked",
    );
    check(
        "string",
        "string { min_length { value: 1 } }",
        "5:51 warning proto/unknown-option-field: `string` has no field `min_length`; it is ignored",
    );
    check(
        "string",
        "string { len { value: -1 } }",
        "5:55 error proto/option-type: `len` requires a count, not a message",
    );
}

#[test]
fn paths_of_fields() {
    let unknown = "`A` has no field `nam`";
    check_resource(
        "views { view: BASIC fields { path: \"nam\" } }",
        &format!("6:36 warning proto/unknown-field: {unknown}"),
    );
    check_resource(
        "views { view: BASIC fields [{ path: \"name\" }, { path: \"name.x\" }] }",
        "6:55 warning proto/unknown-field: `name` has no field `x`, which is part of the path `name.x`",
    );
    let index = |path: &str| {
        format!(
            "string name = 1; map<string, B> bs = 2; repeated B list = 3; x.Foreign other = 4;\nmessage B {{ string c = 1; }}
             option (goten.annotations.resource) = {{}};\noption (goten.annotations.search) = {{ sortable: \"{path}\" }};"
        )
    };
    for path in ["name", "bs", "bs.key", "bs.key.c", "list.c", "other", "other.anything"] {
        check(&index(path), &[]);
    }
    for (path, field) in [("bs.key.d", "d"), ("list.d", "d")] {
        let message = format!("`A.B` has no field `{field}`, which is part of the path `{path}`");
        check(&index(path), &[&format!("7:49 warning proto/unknown-field: {message}")]);
    }
}

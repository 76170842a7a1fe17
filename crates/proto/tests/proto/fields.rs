//! Messages, fields and their types.

use fields::schema::{Cardinality, Field, FieldType, Scalar};
use planloom_proto::Package;

use crate::support::{read_all, read_one};

/// The package `ntt.x.v1` of one file.
pub(crate) fn package(body: &str) -> Package {
    let (protos, found) = read_one(&format!("syntax = \"proto3\";\npackage ntt.x.v1;\n{body}\n"));
    assert_eq!(found, [""; 0], "{body}");
    protos.packages["ntt.x.v1"].clone()
}

/// The field `f` of the message `A` that has this body.
pub(crate) fn field(body: &str) -> Field {
    package(&format!("message A {{ {body} }}")).schema.messages["A"].field("f").expect("f").clone()
}

#[test]
fn types_and_cardinalities() {
    fn check(body: &str, cardinality: Cardinality, ty: &str) {
        let field = field(body);
        assert_eq!((field.cardinality, &*format!("{:?}", field.ty)), (cardinality, ty), "{body}");
    }
    let one = Cardinality::One;
    for (name, scalar) in [
        ("double", "Double"),
        ("float", "Float"),
        ("int32", "Int32"),
        ("sint32", "Int32"),
        ("sfixed32", "Int32"),
        ("int64", "Int64"),
        ("sint64", "Int64"),
        ("sfixed64", "Int64"),
        ("uint32", "Uint32"),
        ("fixed32", "Uint32"),
        ("uint64", "Uint64"),
        ("fixed64", "Uint64"),
        ("bool", "Bool"),
        ("string", "String"),
        ("bytes", "Bytes"),
    ] {
        check(&format!("{name} f = 1;"), one, &format!("Scalar({scalar})"));
    }
    check("optional string f = 1;", Cardinality::Optional, "Scalar(String)");
    check("repeated string f = 1;", Cardinality::Repeated, "Scalar(String)");
    check("map<string, int64> f = 1;", Cardinality::Map(Scalar::String), "Scalar(Int64)");
    check("map<int32, A> f = 1;", Cardinality::Map(Scalar::Int32), "Message(\"A\")");
    check(
        "map<string, google.protobuf.Timestamp> f = 1;",
        Cardinality::Map(Scalar::String),
        "WellKnown(Timestamp)",
    );
    check("google.protobuf.Duration f = 1;", one, "WellKnown(Duration)");
    check(".google.protobuf.FieldMask f = 1;", one, "WellKnown(FieldMask)");
    check("repeated google.protobuf.Any f = 1;", Cardinality::Repeated, "WellKnown(Any)");
    check("google.protobuf.StringValue f = 1;", one, "WellKnown(Wrapper(String))");
    check("google.protobuf.Method f = 1;", one, "Foreign(\"google.protobuf.Method\")");
    check("goten.types.Meta f = 1;", one, "Foreign(\"goten.types.Meta\")");
    check("Missing f = 1;", one, "Foreign(\"ntt.x.v1.Missing\")");
    check("Missing.Inner f = 1;", one, "Foreign(\"ntt.x.v1.Missing.Inner\")");
}

#[test]
fn names_mean_the_innermost_declaration() {
    fn check(name: &str, expected: &str) {
        let text = format!(
            "message A {{ message C {{}} message B {{ message C {{}} {name} f = 1; }} enum E {{ Z = 0; }} }} message C {{}} message D {{}}"
        );
        let ty = &package(&text).schema.messages["A.B"].fields[0].ty;
        assert_eq!(format!("{ty:?}"), expected, "{name}");
    }
    check("C", "Message(\"A.B.C\")");
    check("B.C", "Message(\"A.B.C\")");
    check("A.C", "Message(\"A.C\")");
    check(".ntt.x.v1.C", "Message(\"C\")");
    check("v1.C", "Message(\"C\")");
    check("x.v1.C", "Message(\"C\")");
    check("ntt.x.v1.A.C", "Message(\"A.C\")");
    check("D", "Message(\"D\")");
    check("E", "Enum(\"A.E\")");
    check("A.E", "Enum(\"A.E\")");
}

#[test]
fn types_of_other_files_are_found_in_the_same_package_only() {
    let text = |package: &str, body: &str| format!("syntax = \"proto3\"; package {package}; {body}");
    let (protos, found) = read_all(&[
        ("a.proto".to_owned(), text("x.v1", "message A { B b = 1; x.v2.B c = 2; v2.B d = 3; }")),
        ("b.proto".to_owned(), text("x.v1", "message B {}")),
        ("c.proto".to_owned(), text("x.v2", "message B {}")),
    ]);
    assert_eq!(found, [""; 0]);
    let types: Vec<_> =
        protos.packages["x.v1"].schema.messages["A"].fields.iter().map(|it| it.ty.clone()).collect();
    let foreign = FieldType::Foreign("x.v2.B".into());
    assert_eq!(types, [FieldType::Message("B".into()), foreign.clone(), foreign]);
    assert_eq!(protos.find("x.v2.B").map(|it| (it.0, it.2)), Some(("x.v2", "B")));
    assert_eq!(protos.find("x.v2.C").map(|it| it.0), None);
}

#[test]
fn enumerations_groups_and_presence() {
    let read = package(
        "enum Color { NONE = 0; RED = 2; }
         message A { oneof source { string a = 1; Color f = 7; } optional int32 c = 3; }",
    );
    assert_eq!(read.schema.enums["Color"].values, [("NONE".into(), 0), ("RED".into(), 2)]);
    let message = &read.schema.messages["A"];
    let groups: Vec<_> = message.fields.iter().map(|it| it.oneof.as_deref()).collect();
    assert_eq!(groups, [Some("source"), Some("source"), None]);
    assert_eq!(message.fields[1].number, Some(7));
    assert_eq!(message.fields[1].cardinality, Cardinality::One);
    assert_eq!(message.fields[2].cardinality, Cardinality::Optional);
}

/// Files without `syntax` are proto2.
#[test]
fn proto2_has_presence_and_required_fields() {
    let (protos, found) = read_one("message A { optional string a = 1; required string b = 2; }");
    assert_eq!(found, [""; 0]);
    let fields = &protos.packages[""].schema.messages["A"].fields;
    assert_eq!(fields[0].cardinality, Cardinality::Optional);
    assert_eq!(format!("{:?}", fields[1].rules), "[Required]");
}

#[test]
fn behaviours_of_fields() {
    fn check(option: &str, output_only: bool, immutable: bool, sensitive: bool, rules: &str) {
        let field = field(&format!("string f = 1 [{option}];"));
        let flags = (field.output_only, field.immutable, field.sensitive);
        assert_eq!(flags, (output_only, immutable, sensitive), "{option}");
        assert_eq!(format!("{:?}", field.rules), rules, "{option}");
    }
    check("(goten.annotations.output_only) = true", true, false, false, "[]");
    check("(goten.annotations.output_only) = false", false, false, false, "[]");
    check("(google.api.field_behavior) = OUTPUT_ONLY", true, false, false, "[]");
    check(
        "(google.api.field_behavior) = IMMUTABLE, (google.api.field_behavior) = REQUIRED",
        false,
        true,
        false,
        "[Required]",
    );
    check("debug_redact = true, deprecated = true", false, false, true, "[]");
}

#[test]
fn places_are_those_of_names() {
    let text = "syntax = \"proto3\";\nmessage A {\n  // é\n  string long = 1; string b = 2;\n}\n";
    let (protos, _) = read_one(text);
    let package = &protos.packages[""];
    let slice = |span: diag::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(slice(package.places["A"].span), "A");
    assert_eq!(package.field_span("A", "b").map(slice), Some("b"));
    assert_eq!(package.field_span("A", "long").map(slice), Some("long"));
    assert_eq!(package.field_span("A", "c"), None);
}

//! Message types of services: the fields of declarations, and the declarations that are refused.

use diag::{Diagnostic, FileId, Severity, Span};
use fields::schema::{
    Cardinality, DeleteBehavior, Field, FieldType, Meaning, Message, Rule, Scalar, Schema, WellKnown,
};
use planloom_spec as spec;
use spec::{Input, Services};
use syntax::Limits;

const HEADER: &str = "proto: {package: {name: example.NAME, currentVersion: v1}}\n";

fn input(file: u32, text: &str) -> (Input, Vec<Diagnostic>) {
    let parse = syntax::parse(FileId(file), text, &Limits::default());
    let (skeleton, problems) = spec::read(&parse.document, Span::at(FileId(file), 0));
    (Input { skeleton: skeleton.expect("a map"), is_import: file > 0 }, problems)
}

/// A service `library` with the resource `Book`, whose keys are given, and what it imports.
fn library(book: &str) -> String {
    let header = HEADER.replace("NAME", "library");
    let book = book.lines().map(|it| format!("  {it}\n")).collect::<String>();
    format!(
        "name: library.example.com\n{header}imports: [places.example.com]\nresources:\n- name: Author\n- name: Book\n{book}"
    )
}

fn services(book: &str) -> (Services, Vec<Diagnostic>) {
    let (own, mut problems) = input(0, &library(book));
    let places = HEADER.replace("NAME", "places");
    let (other, _) = input(1, &format!("name: places.example.com\n{places}resources:\n- name: City\n"));
    let (services, more) = spec::resolve(&[own, other]);
    problems.extend(more);
    problems.retain(|it| it.severity == Severity::Error);
    (services, problems)
}

fn schema(book: &str) -> (Schema, Vec<Diagnostic>) {
    let (services, mut problems) = services(book);
    let (schema, more) = spec::schema(&services, 0, &Schema::default());
    problems.extend(more);
    (schema, problems)
}

fn fields(declared: &str) -> String {
    format!("fields:\n{}", declared.lines().map(|it| format!("- {{{it}}}\n")).collect::<String>())
}

/// The message, when nothing is wrong.
fn message(declared: &str, name: &str) -> Message {
    let (schema, problems) = schema(&fields(declared));
    assert!(problems.is_empty(), "{declared}: {problems:#?}");
    schema.messages.get(name).unwrap_or_else(|| panic!("{name} in {:?}", schema.messages.keys())).clone()
}

fn field(declared: &str, message_name: &str, name: &str) -> Field {
    message(declared, message_name).field(name).unwrap_or_else(|| panic!("{name}")).clone()
}

#[test]
fn declared_types_are_types_of_fields() {
    let string = || FieldType::Scalar(Scalar::String);
    let rows: &[(&str, &str, FieldType, Cardinality)] = &[
        ("path: title", "title", string(), Cardinality::One),
        ("path: pages, type: int32", "pages", FieldType::Scalar(Scalar::Int32), Cardinality::One),
        ("path: 'tags[]'", "tags", string(), Cardinality::Repeated),
        ("path: 'labels{}'", "labels", string(), Cardinality::Map(Scalar::String)),
        (
            "path: printed, type: timestamp",
            "printed",
            FieldType::WellKnown(WellKnown::Timestamp),
            Cardinality::One,
        ),
        (
            "path: mask, type: fieldMask, resource: Author",
            "mask",
            FieldType::WellKnown(WellKnown::FieldMask),
            Cardinality::One,
        ),
        ("path: cover, type: object", "cover", FieldType::Message("Book.Cover".into()), Cardinality::One),
        ("path: parts, type: list", "parts", FieldType::Message("Book.Parts".into()), Cardinality::Repeated),
        (
            "path: by_city, type: map",
            "by_city",
            FieldType::Message("Book.ByCity".into()),
            Cardinality::Map(Scalar::String),
        ),
        (
            "path: state, type: enum, values: [NEW, OLD]",
            "state",
            FieldType::Enum("Book.State".into()),
            Cardinality::One,
        ),
        ("path: cover.color", "cover", FieldType::Message("Book.Cover".into()), Cardinality::One),
        ("path: 'parts[].title'", "parts", FieldType::Message("Book.Parts".into()), Cardinality::Repeated),
        (
            "path: 'by_city{}.count', type: int64",
            "by_city",
            FieldType::Message("Book.ByCity".into()),
            Cardinality::Map(Scalar::String),
        ),
    ];
    for (declared, name, ty, cardinality) in rows {
        let field = field(declared, "Book", name);
        assert_eq!((&field.ty, &field.cardinality), (ty, cardinality), "{declared}");
    }
}

#[test]
fn messages_on_the_way_are_implied() {
    let declared = "path: 'spec.parts[].title'\npath: 'spec.parts[].pages', type: int32\npath: spec, type: object, description: What is printed.";
    let spec = message(declared, "Book.Spec");
    assert_eq!((spec.fields.len(), &*spec.doc, spec.open), (1, "What is printed.", false));
    let names: Vec<String> =
        message(declared, "Book.Spec.Parts").fields.iter().map(|it| it.name.to_string()).collect();
    assert_eq!(names, ["title", "pages"]);
    assert!(
        message("path: spec, type: object", "Book.Spec").open,
        "an object without declared fields is open"
    );
}

#[test]
fn references_have_meanings() {
    let reference = |resource: &str, on_target_deleted| Meaning::Reference {
        resource: resource.into(),
        on_target_deleted,
    };
    let rows = [
        (
            "path: a, type: reference, resource: Author, targetDeleteBehavior: BLOCK",
            reference("Author", DeleteBehavior::Block),
        ),
        (
            "path: a, type: reference, resource: places.example.com/City, targetDeleteBehavior: ALLOW_DANGLING",
            reference("places.example.com/City", DeleteBehavior::AllowDangling),
        ),
        ("path: a, type: name, resource: Author", Meaning::Name { resource: "Author".into() }),
        ("path: a, type: filter, resource: Book", Meaning::Filter { resource: "Book".into() }),
    ];
    for (declared, meaning) in rows {
        assert_eq!(field(declared, "Book", "a").meaning, Some(meaning), "{declared}");
    }
}

#[test]
fn numbers_that_are_not_written_are_the_lowest_free_ones() {
    let numbers = |declared: &str| -> Vec<(String, u32)> {
        let message = message(declared, "Book");
        message.fields.iter().map(|it| (it.name.to_string(), it.number.expect("one"))).collect()
    };
    let rows: &[(&str, &[(&str, u32)])] = &[
        ("path: a\npath: b", &[("name", 1), ("metadata", 2), ("a", 3), ("b", 4)]),
        ("path: a, number: 2\npath: b", &[("name", 1), ("metadata", 3), ("a", 2), ("b", 4)]),
        ("path: name, number: 9\npath: b", &[("name", 9), ("metadata", 1), ("b", 2)]),
        (
            "path: a, number: 536870911\npath: b, number: 18999",
            &[("name", 1), ("metadata", 2), ("a", 536_870_911), ("b", 18_999)],
        ),
    ];
    for (declared, expected) in rows {
        let expected: Vec<(String, u32)> =
            expected.iter().map(|(name, it)| ((*name).to_owned(), *it)).collect();
        assert_eq!(numbers(declared), expected, "{declared}");
    }
}

#[test]
fn mistakes_have_codes() {
    let rows = [
        ("path: a\npath: a", "spec/field-duplicate"),
        ("path: a_1\npath: a1", "spec/field-duplicate"),
        ("path: a\npath: a.b", "spec/field-below-scalar"),
        ("path: a.b\npath: a", "spec/field-below-scalar"),
        ("path: a, type: timestamp\npath: a.b", "spec/field-below-scalar"),
        ("path: 'a[].b'\npath: a.c", "spec/field-cardinality"),
        ("path: 'a[].b'\npath: a, type: object", "spec/field-cardinality"),
        ("path: a, type: enum", "spec/field-enum"),
        ("path: a, type: enum, values: [ONE, ONE]", "spec/field-enum"),
        ("path: a, type: enum, values: ['not one']", "spec/field-enum"),
        ("path: a, values: [ONE]", "spec/field-enum"),
        ("path: a, type: name, resource: Reader", "spec/field-unknown-kind"),
        (
            "path: a, type: reference, resource: places.example.com/Town, targetDeleteBehavior: BLOCK",
            "spec/field-unknown-kind",
        ),
        (
            "path: a, type: reference, resource: iam.example.com/User, targetDeleteBehavior: BLOCK",
            "spec/field-not-imported",
        ),
        (
            "path: a, type: reference, resource: iam.example.com/User, targetDeleteBehavior: ALLOW_DANGLING",
            "spec/field-not-imported",
        ),
        ("path: a, number: 0", "spec/field-number"),
        ("path: a, number: 19000", "spec/field-number"),
        ("path: a, number: 536870912", "spec/field-number"),
        ("path: a, number: 4\npath: b, number: 4", "spec/field-number"),
        ("path: 'a[]', oneof: it", "spec/field-oneof"),
        ("path: displayName", "spec/field-path"),
        ("path: a..b", "spec/field-path"),
        ("path: 'a[][]'", "spec/field-path"),
        ("path: ''", "spec/field-path"),
        ("path: name, type: int32", "spec/field-reserved"),
        ("path: 'name[]'", "spec/field-reserved"),
        ("path: metadata", "spec/field-reserved"),
        ("path: metadata.labels", "spec/field-reserved"),
    ];
    for (declared, code) in rows {
        let (schema, problems) = schema(&fields(declared));
        let codes: Vec<&str> = problems.iter().map(|it| it.code.as_str()).collect();
        assert_eq!(codes, [code], "{declared}");
        assert!(problems.iter().all(|it| it.severity == Severity::Error && it.span.is_some()), "{declared}");
        assert!(schema.messages.contains_key("Book"), "{declared}");
    }
    let deep = format!("path: {}", vec!["a"; 33].join("."));
    assert_eq!(schema(&fields(&deep)).1.first().map(|it| it.code.as_str()), Some("spec/limit"));
}

#[test]
fn views_lead_to_fields() {
    let declared = "path: spec.title\npath: 'labels{}'\npath: any, type: struct\npath: open, type: object";
    let rows = [
        ("BASIC: [name, spec, spec.title, metadata.labels, metadata.lifecycle.state]", None),
        ("DETAIL: [labels, labels.one, any.thing, open.value]", None),
        ("BASIC: [titel]", Some("spec/field-view")),
        ("BASIC: [spec.titel]", Some("spec/field-view")),
        ("BASIC: [name.of]", Some("spec/field-view")),
        ("BASIC: [labels.one.two]", Some("spec/field-view")),
        ("BASIC: ['']", Some("spec/field-view")),
        ("BASICS: [name]", Some("spec/field-view")),
    ];
    for (views, code) in rows {
        let (_, problems) = schema(&format!("{}views: {{{views}}}", fields(declared)));
        assert_eq!(problems.first().map(|it| it.code.as_str()), code, "{views}");
    }
    let (_, problems) = schema("views: {BASIC: [anything.at.all]}");
    assert!(problems.is_empty(), "a kind without declared fields is open: {problems:?}");
}

#[test]
fn a_kind_without_declared_fields_is_open() {
    let (schema, problems) = schema("");
    assert!(problems.is_empty());
    let book = &schema.messages["Book"];
    assert!(book.open);
    assert_eq!(book.fields.iter().map(|it| &*it.name).collect::<Vec<_>>(), ["name", "metadata"]);
    assert!(!message("path: title", "Book").open);
    assert!(!schema.messages["GetBookRequest"].open);
}

#[test]
fn declared_names_keep_their_rules() {
    let name = field("path: name, maxLength: 9, description: Its name.", "Book", "name");
    assert_eq!((name.rules.len(), &*name.doc), (1, "Its name."));
    assert_eq!(name.meaning, Some(Meaning::Name { resource: "Book".into() }));
    let (schema, problems) =
        schema("optOuts: {nameField: true, metadataField: true}\nfields: [{path: name, type: int32}]");
    assert!(problems.is_empty(), "{problems:?}");
    let book = &schema.messages["Book"];
    assert_eq!((book.fields.len(), &book.fields[0].ty), (1, &FieldType::Scalar(Scalar::Int32)));
}

#[test]
fn given_messages_win() {
    let (services, _) = services(&fields("path: title"));
    let own =
        Message { fields: vec![Field::new("isbn", FieldType::Scalar(Scalar::String))], ..Message::default() };
    let mut given = Schema::default();
    given.messages.insert("Book".into(), own.clone());
    given.messages.insert("GetBookRequest".into(), own.clone());
    let (schema, problems) = spec::schema(&services, 0, &given);
    assert_eq!((&schema.messages["Book"], &schema.messages["GetBookRequest"]), (&own, &own));
    assert!(schema.messages.contains_key("ListBooksRequest"));
    assert_eq!(problems.iter().map(|it| it.code.as_str()).collect::<Vec<_>>(), ["spec/field-shadowed"]);
}

#[test]
fn methods_decide_which_messages_there_are() {
    let rows = [
        ("", "SearchBooksRequest", false),
        ("optIns: {searchable: true}", "SearchBooksRequest", true),
        ("", "BookChange.Modified", true),
        ("optOuts: {resourceChange: true}", "BookChange", false),
        ("optOuts: {basicActions: ['Create*']}", "CreateBookRequest.ResponseMask", false),
        ("", "UpdateBookRequest.CAS", true),
        ("actions: [{name: Lend, withStoreHandle: {transaction: NONE}}]", "LendRequest", true),
    ];
    for (book, name, exists) in rows {
        assert_eq!(schema(book).0.messages.contains_key(name), exists, "{name} with `{book}`");
    }
    let paging = schema("optOuts: {paging: true}").0;
    assert!(paging.messages["ListBooksRequest"].field("page_size").is_none());
    let lend =
        schema("actions: [{name: Lend, withStoreHandle: {transaction: NONE}}]").0.messages["LendRequest"]
            .clone();
    assert!(lend.open && lend.field("name").is_some_and(|it| it.number == Some(1)));
    let get = schema("").0.messages["GetBookRequest"].clone();
    assert_eq!(get.field("name").map(|it| it.rules.clone()), Some(vec![Rule::Required]));
}

mod laws {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Declarations from few names, so that many contradict each other.
    fn declarations() -> impl Strategy<Value = Vec<String>> {
        let step = prop_oneof![4 => "[a-c]", 1 => "[a-b](\\[\\]|\\{\\})", 1 => "[a-b]_[a-b]", 1 => "(name|metadata)"];
        let path = prop::collection::vec(step, 1..4).prop_map(|it| it.join("."));
        let keys = prop_oneof![
            Just(String::new()),
            Just(", type: object".to_owned()),
            Just(", type: enum, values: [ONE, TWO]".to_owned()),
            Just(", type: timestamp".to_owned()),
            Just(", oneof: it".to_owned()),
            (0_u32..6).prop_map(|it| format!(", number: {it}")),
        ];
        let field = (path, keys).prop_map(|(path, keys)| format!("path: '{path}'{keys}"));
        prop::collection::vec(field, 0..9)
    }

    proptest! {
        /// Types that fields name exist, and in a message no name and no number occurs twice, for all declarations.
        #[test]
        fn schemas_are_complete(declared in declarations()) {
            let (schema, _) = schema(&fields(&declared.join("\n")));
            for (name, message) in &schema.messages {
                let names: BTreeSet<String> = message.fields.iter().map(Field::json_name).collect();
                let numbers: BTreeSet<Option<u32>> = message.fields.iter().map(|it| it.number).collect();
                let count = message.fields.len();
                prop_assert_eq!((names.len(), numbers.len(), numbers.contains(&None)), (count, count, false), "{}", name);
                for field in &message.fields {
                    let exists = match &field.ty {
                        FieldType::Message(name) => schema.messages.contains_key(name),
                        FieldType::Enum(name) => schema.enums.contains_key(name),
                        FieldType::Scalar(_) | FieldType::WellKnown(_) | FieldType::Foreign(_) => true,
                    };
                    prop_assert!(exists, "{} {:?}", name, field);
                }
            }
        }

        /// The fields and messages do not depend on the order in which valid ones are declared.
        #[test]
        fn order_decides_nothing_but_order(declared in declarations()) {
            let contents = |declared: &[String]| {
                let (schema, problems) = schema(&fields(&declared.join("\n")));
                let of = |it: &Message| it.fields.iter().map(|it| (it.name.clone(), format!("{:?}", it.ty))).collect::<BTreeSet<_>>();
                let messages: Vec<_> = schema.messages.iter().map(|(name, it)| (name.clone(), of(it), it.open)).collect();
                (messages, problems.len())
            };
            let reversed: Vec<String> = declared.iter().rev().cloned().collect();
            let (first, problems) = contents(&declared);
            let (second, others) = contents(&reversed);
            prop_assert_eq!(problems == 0, others == 0, "a mistake is one in any order");
            if problems == 0 {
                prop_assert_eq!(first, second);
            }
        }
    }
}

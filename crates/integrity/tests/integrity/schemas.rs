//! Models from the types of messages.

use std::sync::Arc;

use fields::schema::{
    Cardinality,
    DeleteBehavior::{self, *},
    Field, FieldClass, FieldType, Meaning, Message, Scalar, Schema,
};
use planloom_integrity::KindModel;

use crate::support::*;

fn reference(
    name: &str,
    cardinality: Cardinality,
    resource: &str,
    on_target_deleted: DeleteBehavior,
) -> Field {
    let mut field = Field::new(name, FieldType::Scalar(Scalar::String));
    field.cardinality = cardinality;
    field.meaning = Some(Meaning::Reference { resource: resource.into(), on_target_deleted });
    field
}

fn message(name: &str, cardinality: Cardinality, of: &str) -> Field {
    let mut field = Field::new(name, FieldType::Message(of.into()));
    field.cardinality = cardinality;
    field
}

#[test]
fn references_and_classes_are_those_of_all_messages_within() {
    let messages = [
        (
            "Pod",
            vec![
                message("spec", Cardinality::One, "Spec"),
                reference("node", Cardinality::One, "Node", Unset),
                message("status", Cardinality::One, "Status"),
            ],
        ),
        (
            "Spec",
            vec![
                message("image_pull_secrets", Cardinality::Repeated, "Secret"),
                message("by_region", Cardinality::Map(Scalar::String), "Secret"),
                reference("names", Cardinality::Map(Scalar::String), "Node", AllowDangling),
                reference("sites", Cardinality::Repeated, "devices.edgelq.com/Site", AsyncUnset),
                message("inner", Cardinality::One, "Spec"),
                message("unknown", Cardinality::One, "Nowhere"),
            ],
        ),
        ("Secret", vec![reference("name", Cardinality::One, "secrets/Secret", Block)]),
        ("Status", vec![Field::new("ready", FieldType::Scalar(Scalar::Bool))]),
    ];
    let mut schema = Schema::default();
    for (name, mut fields) in messages {
        if name == "Pod" {
            fields[2].class = Some(FieldClass::State);
            fields[1].class = Some(FieldClass::Meta);
        }
        schema.messages.insert(name.into(), Message { fields, doc: Arc::default(), open: false });
    }
    let model = KindModel::new(kind("apps/Pod")).fields_of(&schema, "Pod");
    let found: Vec<String> = model
        .references
        .iter()
        .map(|it| format!("{} {} {}", it.path, it.target, it.on_target_deleted.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            "spec.image_pull_secrets[].name secrets/Secret BLOCK",
            "spec.by_region{}.name secrets/Secret BLOCK",
            "spec.names{} apps/Node ALLOW_DANGLING",
            "spec.sites[] devices.edgelq.com/Site ASYNC_UNSET",
            "node apps/Node UNSET",
        ]
    );
    assert_eq!(model.class(&["status", "ready"]), FieldClass::State);
    assert_eq!(model.class(&["node"]), FieldClass::Meta);
    assert_eq!(model.class(&["spec", "sites"]), FieldClass::Spec);
    assert_eq!(KindModel::new(kind("X")).fields_of(&schema, "None").references, []);
}

#[test]
fn secrets_are_those_of_all_messages_within_and_of_what_contains_itself() {
    let secret = |name: &str, cardinality: Cardinality| {
        let mut field = Field::new(name, FieldType::Scalar(Scalar::String));
        (field.sensitive, field.cardinality) = (true, cardinality);
        field
    };
    let mut schema = Schema::default();
    for (name, fields) in [
        (
            "Pod",
            vec![
                secret("pin", Cardinality::One),
                message("by_region", Cardinality::Map(Scalar::String), "Login"),
                message("tree", Cardinality::One, "Tree"),
                message("plain", Cardinality::One, "Plain"),
            ],
        ),
        ("Login", vec![secret("api_keys", Cardinality::Repeated)]),
        ("Tree", vec![secret("key", Cardinality::One), message("nodes", Cardinality::Repeated, "Tree")]),
        ("Plain", vec![message("inner", Cardinality::One, "Plain")]),
    ] {
        schema.messages.insert(name.into(), Message { fields, doc: Arc::default(), open: false });
    }
    let model = KindModel::new(kind("apps/Pod")).fields_of(&schema, "Pod");
    let found: Vec<&str> = model.sensitive.iter().map(|it| &**it.text()).collect();
    assert_eq!(found, ["tree.nodes[]", "pin", "by_region{}.api_keys[]", "tree.key"]);
}

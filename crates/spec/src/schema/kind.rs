//! The message of a kind.

use ::fields::schema::{Cardinality, Field, FieldType, Meaning, Message, Scalar, Schema};
use diag::{Diagnostic, Diagnostics};

use super::{
    common::META,
    fields::Declarations,
    numbers,
    tree::{self, Node},
};
use crate::{Kind, Services, codes::FIELD_RESERVED};

/// Adds the message of a kind with those below it.
pub(super) fn add(
    kind: &Kind,
    service: usize,
    services: &Services,
    schema: &mut Schema,
    report: &mut Diagnostics,
) {
    let roots = tree::of(&kind.fields, report);
    let mut fields = Vec::new();
    if kind.features.name_field {
        fields.push(standard(name(kind), &roots, report));
    }
    if kind.features.metadata_field {
        fields.push(standard(metadata(), &roots, report));
    }
    let is_standard = |it: &Node<'_>| fields.iter().any(|field| field.name == it.name);
    let declared: Vec<Node<'_>> = roots.into_iter().filter(|it| !is_standard(it)).collect();
    let open = kind.fields.is_empty();
    let mut declarations = Declarations { service, services, schema, report };
    fields.extend(declarations.fields(&kind.name, declared));
    declarations.check_numbers(&kind.name, &kind.fields, &mut fields);
    numbers::assign(&mut fields);
    schema.messages.insert(kind.name.clone(), Message { fields, doc: "".into(), open });
}

fn name(kind: &Kind) -> Field {
    let doc = "The name of the resource.".into();
    let meaning = Some(Meaning::Name { resource: kind.name.clone() });
    Field { meaning, immutable: true, doc, ..Field::new("name", FieldType::Scalar(Scalar::String)) }
}

fn metadata() -> Field {
    let doc = "Times, version, labels and owners of the resource.".into();
    Field { doc, ..Field::new("metadata", FieldType::Message(META.into())) }
}

/// A field that every kind has, with the rules, the number and the documentation of its declaration, if there is one.
fn standard(field: Field, roots: &[Node<'_>], report: &mut Diagnostics) -> Field {
    let Some(node) = roots.iter().find(|it| it.name == field.name) else { return field };
    let is_same = node.children.list.is_empty()
        && node.cardinality == Cardinality::One
        && node.declared.is_some_and(|it| is_same_type(&it.field.ty, &field.ty));
    if !is_same {
        report.push(reserved(&field, node));
        return field;
    }
    let Some(declared) = node.declared.map(|it| &it.field) else { return field };
    let doc = if declared.doc.is_empty() { field.doc } else { declared.doc.clone() };
    Field { number: declared.number, rules: declared.rules.clone(), class: declared.class, doc, ..field }
}

fn is_same_type(declared: &FieldType, own: &FieldType) -> bool {
    declared == own || matches!((declared, own), (FieldType::Message(_), FieldType::Message(_)))
}

fn reserved(field: &Field, node: &Node<'_>) -> Diagnostic {
    let message = format!("every resource has a field `{}`, of another type", field.name);
    let help = match &field.ty {
        FieldType::Scalar(_) => "leave it out, declare it as a string, or set `optOuts.nameField`",
        _ => "leave it out, or set `optOuts.metadataField`",
    };
    Diagnostic::error(FIELD_RESERVED, node.span, message).help(help)
}

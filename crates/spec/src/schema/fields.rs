//! Declared fields to fields of messages.

use std::{collections::BTreeMap, sync::Arc};

use ::fields::schema::{Cardinality, Enum, Field, FieldType, Message, Rule, Schema, lower_camel};
use diag::{Diagnostic, Diagnostics};

use super::{meaning, numbers, tree::Node};
use crate::{
    Services,
    codes::{FIELD_ENUM, FIELD_NUMBER, FIELD_ONEOF, FIELD_REQUIRED},
    skeleton::FieldExtension,
};

/// The context in which fields are made, and the destination of the messages below them.
pub(super) struct Declarations<'a> {
    pub(super) service: usize,
    pub(super) services: &'a Services,
    pub(super) schema: &'a mut Schema,
    pub(super) report: &'a mut Diagnostics,
}

impl Declarations<'_> {
    /// The fields of a message; adds the messages and enumerations below it.
    pub(super) fn fields(&mut self, message: &str, nodes: Vec<Node<'_>>) -> Vec<Field> {
        nodes.into_iter().map(|it| self.field(message, it)).collect()
    }

    fn field(&mut self, message: &str, node: Node<'_>) -> Field {
        let nested: Arc<str> = format!("{message}.{}", upper_camel(&node.name)).into();
        let implied = || Field {
            cardinality: node.cardinality,
            ..Field::new(node.name.clone(), FieldType::Message("".into()))
        };
        let mut field = node.declared.map_or_else(implied, |it| it.field.clone());
        field.name = node.name.clone();
        if let Some(declared) = node.declared {
            field.meaning = meaning::of(declared, self.service, self.services, self.report);
            self.check_oneof(&mut field, declared);
        }
        let declared = node.declared;
        field.ty = match field.ty {
            FieldType::Message(_) => {
                self.message(&nested, node);
                FieldType::Message(nested)
            }
            FieldType::Enum(_) => {
                self.values(&nested, node.declared);
                FieldType::Enum(nested)
            }
            other => {
                self.no_values(node.declared);
                other
            }
        };
        if let Some(declared) = declared {
            self.check_absence(&field, declared);
        }
        field
    }

    /// A rule that makes a field required, which is hardly ever meant.
    fn check_absence(&mut self, field: &Field, declared: &FieldExtension) {
        let is_said = field.rules.contains(&Rule::Required) || field.output_only;
        if is_said || !::fields::refuses_absence(field) {
            return;
        }
        let message = format!(
            "`{}` is required, because its rules refuse the value that a field has when it is not set",
            field.name
        );
        let help = "add `required: true` to say so, or write rules that this value fulfils too: \"\", 0 or an empty list";
        self.report.push(Diagnostic::hint(FIELD_REQUIRED, declared.span, message).help(help));
    }

    /// An object without declared fields is open.
    fn message(&mut self, name: &Arc<str>, node: Node<'_>) {
        let children = node.children.list;
        let open = children.is_empty();
        let doc = node.declared.map(|it| it.field.doc.clone()).unwrap_or_default();
        let declared: Vec<FieldExtension> = declarations(&children);
        let mut fields = self.fields(name, children);
        self.check_numbers(name, &declared, &mut fields);
        numbers::assign(&mut fields);
        self.schema.messages.insert(name.clone(), Message { fields, doc, open });
    }

    /// The values of an enumeration, numbered from 0 in the order in which they are written.
    fn values(&mut self, name: &Arc<str>, declared: Option<&FieldExtension>) {
        let Some(declared) = declared else { return };
        let mut values: Vec<(Arc<str>, i32)> = Vec::new();
        for value in &declared.values {
            let is_name = value.value.starts_with(|it: char| it.is_ascii_alphabetic())
                && value.value.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
            if !is_name || values.iter().any(|(known, _)| *known == value.value) {
                let message = format!("`{}` cannot be a value of this enumeration", value.value);
                let help = "write each value once, in letters, digits and `_`, beginning with a letter";
                self.report.push(Diagnostic::error(FIELD_ENUM, value.span, message).help(help));
                continue;
            }
            values.push((value.value.clone(), i32::try_from(values.len()).unwrap_or(i32::MAX)));
        }
        if declared.values.is_empty() {
            let message = "an enumeration has no values";
            let help = "add `values:`, the default first";
            self.report.push(Diagnostic::error(FIELD_ENUM, declared.span, message).help(help));
        }
        self.schema.enums.insert(name.clone(), Enum { values, doc: declared.field.doc.clone() });
    }

    fn no_values(&mut self, declared: Option<&FieldExtension>) {
        let Some(value) = declared.and_then(|it| it.values.first()) else { return };
        let message = "only enumerations have values";
        self.report.push(Diagnostic::error(FIELD_ENUM, value.span, message).help("write `type: enum`"));
    }

    fn check_oneof(&mut self, field: &mut Field, declared: &FieldExtension) {
        if matches!(field.cardinality, Cardinality::One | Cardinality::Optional) || field.oneof.is_none() {
            return;
        }
        let message = format!("`{}` cannot belong to a oneof: it is a list or a map", field.name);
        let help = "leave `oneof` out, or put the list into an object";
        self.report.push(Diagnostic::error(FIELD_ONEOF, declared.span, message).help(help));
        field.oneof = None;
    }

    /// Takes numbers away that protobuf does not have, or that two fields have.
    pub(super) fn check_numbers(&mut self, message: &str, declared: &[FieldExtension], fields: &mut [Field]) {
        let mut used: BTreeMap<u32, Arc<str>> = BTreeMap::new();
        for field in fields {
            let Some(number) = field.number else { continue };
            let wrong = match used.get(&number) {
                Some(first) => {
                    format!("`{first}` and `{}` of `{message}` have the number {number}", field.name)
                }
                None if !numbers::is_valid(number) => format!("a field cannot have the number {number}"),
                None => {
                    used.insert(number, field.name.clone());
                    continue;
                }
            };
            field.number = None;
            let by_number =
                |it: &&FieldExtension| it.field.number == Some(number) && it.field.name == field.name;
            if let Some(declared) = declared.iter().find(by_number) {
                let help = "write another number, or leave it out: it is then the lowest free one";
                self.report.push(Diagnostic::error(FIELD_NUMBER, declared.span, wrong).help(help));
            }
        }
    }
}

fn declarations(nodes: &[Node<'_>]) -> Vec<FieldExtension> {
    nodes.iter().filter_map(|it| it.declared.cloned()).collect()
}

/// `display_name` as `DisplayName`.
fn upper_camel(name: &str) -> String {
    let camel = lower_camel(name);
    let mut characters = camel.chars();
    let first = characters.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

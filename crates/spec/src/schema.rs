//! The types of the messages of a service: of its resources, and of the requests and responses of its methods.

mod change;
mod common;
mod custom;
mod fields;
mod kind;
mod meaning;
mod numbers;
mod path;
mod standard;
mod tree;
mod views;

use std::{collections::BTreeSet, sync::Arc};

use ::fields::schema::{FieldType, Schema};
use diag::{Diagnostic, Diagnostics};

use crate::{Kind, Service, Services, codes::FIELD_SHADOWED};

/// The messages of a service: those of its resources, from the fields that its specification declares; those of the
/// standard methods and of changes, as Goten generates them (source: goten-sdk); those of other methods as far as the
/// specification names their fields; and those of `goten.types` that they use.
///
/// `given` are messages from elsewhere, such as `.proto` files: they win over all that would be made here.
///
/// A kind without any declared field is open: values may have any fields. So are objects without declared fields, and
/// requests and responses of methods that are not standard ones. Numbers of fields are those that are written; the others
/// get the lowest free ones, in the order in which the fields are written, after `name` and `metadata`.
///
/// Never fails: fields that cannot be are reported and left out.
pub fn schema(services: &Services, service: usize, given: &Schema) -> (Schema, Diagnostics) {
    let (mut schema, mut report) = (given.clone(), Diagnostics::new());
    let Some(own) = services.services.get(service) else { return (schema, report) };
    common::add(&mut schema);
    resolve_foreign(&mut schema);
    for kind in own.kinds.iter().filter(|it| !it.name.is_empty()) {
        match given.messages.contains_key(&kind.name) {
            true => report.extend(shadowed(kind)),
            false => kind::add(kind, service, services, &mut schema, &mut report),
        }
        views::check(kind, &schema, &mut report);
        views::check_storage(kind, &schema, &mut report);
    }
    add_methods(own, services, &mut schema);
    (schema, report)
}

/// Gives fields of given messages the messages and enumerations of other packages that are known here, such as `goten.types.Meta`.
fn resolve_foreign(schema: &mut Schema) {
    let messages: BTreeSet<Arc<str>> = schema.messages.keys().cloned().collect();
    let fields = schema.messages.values_mut().flat_map(|it| &mut it.fields);
    for field in fields {
        let FieldType::Foreign(name) = &field.ty else { continue };
        if messages.contains(name) {
            field.ty = FieldType::Message(name.clone());
        } else if schema.enums.contains_key(name) {
            field.ty = FieldType::Enum(name.clone());
        }
    }
}

fn add_methods(own: &Service, services: &Services, schema: &mut Schema) {
    for kind in own.kinds.iter().filter(|it| it.features.resource_change && !it.name.is_empty()) {
        change::add(kind, schema);
    }
    for method in own.apis.iter().flat_map(|it| &it.methods) {
        match (method.standard, method.kind.and_then(|it| services.kind(it))) {
            (Some(standard), Some(kind)) => standard::add(standard, method, kind, schema),
            _ => custom::add(method, own, services, schema),
        }
    }
    custom::number(own, schema);
}

/// Fields that are declared for a kind whose message is given.
fn shadowed(kind: &Kind) -> Option<Diagnostic> {
    let first = kind.fields.first()?;
    let message = format!("the fields of `{}` have no effect: its message is given elsewhere", kind.name);
    Some(
        Diagnostic::warning(FIELD_SHADOWED, first.span, message).help("leave them out, or the `.proto` file"),
    )
}

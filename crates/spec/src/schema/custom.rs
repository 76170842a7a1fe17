//! Requests and responses of methods that are not standard ones. A specification names only some of their fields, so they
//! are open.

use std::sync::Arc;

use ::fields::schema::{Cardinality, Field, FieldType, Meaning, Message, Schema, WellKnown};

use super::{common::STRING, numbers};
use crate::{
    KindId, Method, Service, Services,
    skeleton::{Paths, Text},
};

/// Adds the request and the response of a method, where they are messages of the service that are not known yet.
pub(super) fn add(method: &Method, own: &Service, services: &Services, schema: &mut Schema) {
    let mut request = named(method, &method.request_paths, own, services);
    request
        .extend(method.routing.region_paths.iter().filter_map(|it| top(it)).map(|it| Field::new(it, STRING)));
    let bodies = method.routes.iter().map(|it| &*it.body).filter(|it| !matches!(*it, "" | "*"));
    request.extend(bodies.map(|it| Field::new(it, FieldType::WellKnown(WellKnown::Struct))));
    insert(schema, &method.request, request);
    insert(schema, &method.response, named(method, &method.response_paths, own, services));
}

/// Gives the fields of all these messages numbers.
pub(super) fn number(own: &Service, schema: &mut Schema) {
    let methods = own.apis.iter().flat_map(|it| &it.methods).filter(|it| it.standard.is_none());
    for name in methods.flat_map(|it| [&it.request, &it.response]) {
        if let Some(message) = schema.messages.get_mut(name) {
            numbers::assign(&mut message.fields);
        }
    }
}

/// A message that several methods use has the fields of all of them. One that is known is left as it is.
fn insert(schema: &mut Schema, name: &Arc<str>, fields: Vec<Field>) {
    if name.contains('.') {
        return;
    }
    let new = Message { open: true, ..Message::default() };
    let message = schema.messages.entry(name.clone()).or_insert(new);
    for field in fields {
        if message.open && message.field(&field.name).is_none() {
            message.fields.push(field);
        }
    }
}

/// The fields that name or hold resources.
fn named(method: &Method, paths: &Paths, own: &Service, services: &Services) -> Vec<Field> {
    let Some(id) = method.kind else { return Vec::new() };
    let Some(kind) = services.kind(id) else { return Vec::new() };
    let is_own = services.services.get(id.service).is_some_and(|it| std::ptr::eq(it, own));
    let resource: Arc<str> = if is_own { kind.name.clone() } else { services.type_name(id).into() };
    let many = if method.is_plural { Cardinality::Repeated } else { Cardinality::One };
    let name = |it: &Text| {
        let cardinality = if &*it.value == "names" { Cardinality::Repeated } else { Cardinality::One };
        let meaning = Some(Meaning::Name { resource: resource.clone() });
        Some(Field { cardinality, meaning, ..Field::new(top(&it.value)?, STRING) })
    };
    let parent = |it: &Text| {
        let meaning = Some(Meaning::ParentName { resource: resource.clone() });
        Some(Field { meaning, ..Field::new(top(&it.value)?, STRING) })
    };
    let body = |it: &Text| {
        Some(Field { cardinality: many, ..Field::new(top(&it.value)?, message(id, is_own, services)) })
    };
    let names = paths.resource_name.iter().filter_map(name);
    let parents = paths.resource_parent.iter().filter_map(parent);
    names.chain(parents).chain(paths.resource_body.iter().filter_map(body)).collect()
}

/// The message of a kind: of another service, by its full name.
fn message(id: KindId, is_own: bool, services: &Services) -> FieldType {
    let name = services.kind(id).map(|it| it.name.clone()).unwrap_or_default();
    match services.services.get(id.service) {
        Some(service) if !is_own => FieldType::Foreign(format!("{}.{name}", service.package).into()),
        _ => FieldType::Message(name),
    }
}

/// A field at the top; those below it belong to messages that nothing describes.
fn top(path: &str) -> Option<&str> {
    (!path.contains('.')).then_some(path)
}

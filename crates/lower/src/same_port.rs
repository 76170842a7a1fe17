//! Checks local ports on the requestor's machine: each can be opened only once.

use std::collections::BTreeMap;

use diag::{Diagnostic, Span};
use model::{Data, Value};
use types::Shape;

use crate::{
    codes,
    declare::{Declarations, fields_where},
};

/// Checks the local port of every port of every item that is created.
pub(crate) fn check(declarations: &mut Declarations<'_>) {
    let mut taken: BTreeMap<i64, (usize, Span)> = BTreeMap::new();
    let mut found = Vec::new();
    let fields = fields_where(declarations.types, |field| may_hold_ports(&field.shape));
    for item in 0..declarations.items.len() {
        let mut ports = Vec::new();
        for field in &fields[declarations.items[item].kind] {
            if let Some(value) = declarations.items[item].attributes.get(&field.name) {
                local_ports(&field.shape, value, &mut ports);
            }
        }
        if ports.is_empty() {
            continue;
        }
        let count = declarations.count(item);
        if !declarations.definition(item).tangible || count == Some(0) {
            continue;
        }
        for (port, span) in ports {
            let name = declarations.address(item);
            if let Some(count) = count.filter(|count| *count > 1) {
                let message = format!("`{name}` has {count} instances, and each opens local port {port}");
                found.push(Diagnostic::warning(codes::SAME_PORT, span, message).help(HELP));
            } else if let Some((other, place)) = taken.get(&port) {
                let other = declarations.address(*other);
                let message = format!("local port {port} is taken by `{other}` already");
                let diagnostic = Diagnostic::warning(codes::SAME_PORT, span, message).help(HELP);
                found.push(diagnostic.related(*place, format!("taken by `{other}`")));
                continue;
            }
            taken.entry(port).or_insert((item, span));
        }
    }
    declarations.diagnostics.append(&mut found);
}

const HELP: &str = "only one service can use it: choose another local port, or remove it to use a free one";

fn may_hold_ports(shape: &Shape) -> bool {
    match shape {
        Shape::Form(form) => form.exclusive().is_some(),
        Shape::List(item) | Shape::MapOf(item) => may_hold_ports(item),
        Shape::Object { fields, .. } => fields.iter().any(|field| may_hold_ports(&field.shape)),
        _ => false,
    }
}

/// The local ports in a value, with their places.
fn local_ports(shape: &Shape, value: &Value, found: &mut Vec<(i64, Span)>) {
    match (shape, &value.data) {
        (Shape::Form(form), Data::Map(port)) => {
            let number = form.exclusive().and_then(|it| port.get(it));
            if let Some(Value { data: Data::Int(number), origin, .. }) = number {
                found.extend(origin.span().map(|span| (*number, span)));
            }
        }
        (Shape::List(item), Data::List(items)) => items.iter().for_each(|it| local_ports(item, it, found)),
        (Shape::MapOf(item), Data::Map(map)) => map.values().for_each(|it| local_ports(item, it, found)),
        (Shape::Object { fields, .. }, Data::Map(map)) => {
            for field in fields {
                if let Some(value) = map.get(&field.name) {
                    local_ports(&field.shape, value, found);
                }
            }
        }
        _ => {}
    }
}

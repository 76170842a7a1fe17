//! The items that an item names in its reference fields.

use std::sync::Arc;

use diag::{Diagnostic, Span};
use model::{Data, Pointer, Value};
use types::{Edge, Field, Shape};

use crate::{
    cache::CachedItem,
    codes::WRONG_KIND,
    declare::{Declaration, Declarations, fields_where},
    read::unknown_name,
};

/// A name in a reference field.
#[derive(Debug)]
pub(crate) struct NamedItem {
    /// The name; `None` if it is not known before planning.
    name: Option<Arc<str>>,
    kind: Arc<str>,
    edge: Edge,
    /// The place in the item that names it.
    pointer: Pointer,
    span: Span,
}

/// An item that names another in a reference field.
#[derive(Clone, Debug)]
pub(super) struct Naming {
    pub(super) target: usize,
    pub(super) edge: Edge,
    /// The place in the item.
    pub(super) pointer: Pointer,
    pub(super) span: Span,
}

/// By item: the names in its reference fields. Those of items that are the same as in the last lowering are shared with it.
pub(super) fn collect_all(
    declarations: &Declarations<'_>,
    cached: &[Option<&CachedItem>],
    is_same: &[bool],
) -> Vec<Arc<Vec<NamedItem>>> {
    let fields = fields_where(declarations.types, |field| may_name(&field.shape));
    let of_item = |((declared, cached), is_same): ((&Declaration<'_>, &Option<&CachedItem>), &bool)| {
        if let Some(cached) = cached.filter(|_| *is_same) {
            return Arc::clone(&cached.names);
        }
        let mut found = Vec::new();
        for field in &fields[declared.kind] {
            if let Some(value) = declared.attributes.get(&field.name) {
                collect(value, &field.shape, &Pointer::root().key(&field.name), &mut found);
            }
        }
        Arc::new(found)
    };
    declarations.items.iter().zip(cached).zip(is_same).map(of_item).collect()
}

/// True if a shape can contain names of other items.
fn may_name(shape: &Shape) -> bool {
    match shape {
        Shape::Object { fields, .. } => fields.iter().any(|field| may_name(&field.shape)),
        _ => shape.refers_to().is_some(),
    }
}

fn collect(value: &Value, shape: &Shape, pointer: &Pointer, found: &mut Vec<NamedItem>) {
    match (shape, &value.data) {
        (Shape::Reference { to, edge }, data) => {
            let Some(span) = value.origin.span() else { return };
            let name = match data {
                Data::String(name) => Some(Arc::clone(name)),
                _ => None,
            };
            let (kind, pointer) = (Arc::clone(to), pointer.clone());
            found.push(NamedItem { name, kind, edge: *edge, pointer, span });
        }
        (Shape::List(item), Data::List(items)) if shape.refers_to().is_some() => {
            for (index, value) in items.iter().enumerate() {
                collect(value, item, &pointer.index(index), found);
            }
        }
        (Shape::MapOf(item), Data::Map(map)) if shape.refers_to().is_some() => {
            for (key, value) in map {
                collect(value, item, &pointer.key(key), found);
            }
        }
        (Shape::Object { fields, .. }, Data::Map(map)) => collect_fields(fields, map, pointer, found),
        _ => {}
    }
}

fn collect_fields(fields: &[Field], map: &model::Map, pointer: &Pointer, found: &mut Vec<NamedItem>) {
    for field in fields {
        if let Some(value) = map.get(&field.name) {
            collect(value, &field.shape, &pointer.key(&field.name), found);
        }
    }
}

/// Looks up the names of an item; those that are not declared are reported.
pub(super) fn look_up(declarations: &mut Declarations<'_>, names: &[NamedItem], item: usize) -> Vec<Naming> {
    let mut namings = Vec::with_capacity(names.len());
    for NamedItem { name, kind, edge, pointer, span } in names {
        let Some(name) = name else {
            let message = format!("the name of a {kind} must be known before planning");
            let help = "write the name, or refer to a value that is written in the descriptors";
            declarations.diagnostics.push(Diagnostic::error(WRONG_KIND, *span, message).help(help));
            continue;
        };
        match declarations.find(kind, name) {
            Some(target) => {
                declarations.add_use(*span, target);
                namings.push(Naming { target, edge: *edge, pointer: pointer.clone(), span: *span });
            }
            None => report_unknown(declarations, item, kind, name, *span),
        }
    }
    namings
}

fn report_unknown(declarations: &mut Declarations<'_>, item: usize, kind: &str, name: &str, span: Span) {
    let (mut diagnostic, likely) = unknown_name(declarations, kind, name, span);
    // Nothing depends on itself.
    if likely.is_some_and(|it| declarations.find(kind, &it) == Some(item)) {
        diagnostic.fixes.clear();
    }
    let owner = declarations.items[item].span;
    let label = format!("needed by `{}`", declarations.address(item));
    declarations.diagnostics.push(diagnostic.related(owner, label));
}

//! Values that no file sets and that rules of a definition infer (source: dapp-runner's model, GAP-16).

use std::sync::Arc;

use model::{Data, Map, Origin, Pointer, Value};
use types::{Condition, Field, Implication, Shape};

use crate::{Inferred, declare::Declarations, read::implicit_value};

/// Applies every rule of every kind, in their order, to every item.
pub(crate) fn imply(declarations: &mut Declarations<'_>) {
    let types = declarations.types;
    for (kind, definition) in types.kinds.iter().enumerate() {
        for rule in &definition.implies {
            for item in 0..declarations.items.len() {
                if declarations.items[item].kind == kind && holds(declarations, item, rule) {
                    apply(declarations, item, rule);
                }
            }
        }
    }
}

fn holds(declarations: &Declarations<'_>, item: usize, rule: &Implication) -> bool {
    let is_set = |path: &Arc<str>| value_at(declarations, item, path).is_some();
    rule.when.iter().all(|condition| match condition {
        Condition::AnyOf(paths) => paths.iter().any(is_set),
        Condition::NoneOf(paths) => !paths.iter().any(is_set),
        Condition::TextIs(path, texts) => value_at(declarations, item, path)
            .and_then(Value::as_str)
            .is_some_and(|text| texts.iter().any(|it| it.eq_ignore_ascii_case(text))),
    })
}

/// The value at a path such as `payload/runtime`, which follows references to other items.
pub(crate) fn value_at<'d>(declarations: &'d Declarations<'_>, item: usize, path: &str) -> Option<&'d Value> {
    let (holder, field, rest) = reach(declarations, item, path)?;
    let value = declarations.items[holder].attributes.get(field)?;
    rest.map_or(Some(value), |rest| rest.split('/').try_fold(value, Value::get))
}

/// The item that a path leads to, the field there, and the rest of the path in the field.
fn reach<'p>(
    declarations: &Declarations<'_>,
    item: usize,
    path: &'p str,
) -> Option<(usize, &'p str, Option<&'p str>)> {
    let Some((first, rest)) = path.split_once('/') else { return Some((item, path, None)) };
    match declarations.definition(item).field(first).map(|field| &field.shape) {
        Some(Shape::Reference { to, .. }) => {
            let name = declarations.items[item].attributes.get(first)?.as_str()?;
            reach(declarations, declarations.find(to, name)?, rest)
        }
        _ => Some((item, first, Some(rest))),
    }
}

/// Sets the value of the rule, unless there is one already. Rules set whole fields only.
fn apply(declarations: &mut Declarations<'_>, item: usize, rule: &Implication) {
    let Some((holder, name, None)) = reach(declarations, item, &rule.set) else { return };
    if declarations.items[holder].attributes.contains_key(name) {
        return;
    }
    let origin = Origin::Inferred(declarations.items[item].span);
    let field = declarations.definition(holder).field(name);
    let value = match field.map(|field| &field.shape) {
        Some(Shape::Reference { to, .. }) => {
            let Some(name) = named_item(declarations, item, to, rule) else { return };
            Value::new(Data::String(name), origin)
        }
        _ => implicit_value(&rule.value, origin),
    };
    note(declarations, declarations.pointer(holder).key(name), &value, rule);
    Arc::make_mut(&mut declarations.items[holder].attributes).insert(name.into(), value);
}

fn note(declarations: &mut Declarations<'_>, pointer: Pointer, value: &Value, rule: &Implication) {
    let because = rule.because.to_string();
    declarations.inferred.push(Inferred { pointer, value: value.clone(), because });
}

/// The first declared item of a kind; if there is none, the one that the rule creates.
fn named_item(
    declarations: &mut Declarations<'_>,
    item: usize,
    to: &str,
    rule: &Implication,
) -> Option<Arc<str>> {
    let kind = declarations.types.kinds.iter().position(|it| &*it.kind == to)?;
    if let Some(first) = declarations.items.iter().find(|it| it.kind == kind) {
        return Some(Arc::clone(&first.name));
    }
    let name: Arc<str> = rule.value.as_str()?.into();
    let span = declarations.items[item].span;
    let origin = Origin::Inferred(span);
    let attributes = match &rule.create {
        Some(node) => implicit_value(node, origin),
        None => Value::new(Data::Map(Map::new()), origin),
    };
    let created = declarations.add(kind, Arc::clone(&name), span, None);
    note(declarations, declarations.pointer(created), &attributes, rule);
    if let Data::Map(mut map) = attributes.data {
        add_defaults(&declarations.types.kinds[kind].fields, &mut map, origin);
        declarations.items[created].attributes = Arc::new(map);
    }
    Some(name)
}

fn add_defaults(fields: &[Field], map: &mut Map, origin: Origin) {
    for field in fields {
        if let Some(default) = &field.default {
            map.entry(Arc::clone(&field.name)).or_insert_with(|| implicit_value(&default.0, origin));
        }
    }
}

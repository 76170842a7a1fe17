//! Placeholders of BOSH: `((name))` in a text is filled in later.

use model::{Data, Expression, Part, Value};

use super::{
    ByteRange,
    preview::{Piece, split},
};

/// A value as a template of BOSH reads it: a text that contains a placeholder is only known later, so it is
/// inserted into text as it is, and nothing is computed with it.
pub fn placeholders(value: Value) -> Value {
    let data = match value.data {
        Data::String(text) if holds_one(&text) => Data::Unknown(Expression { parts: vec![Part::Text(text)] }),
        Data::List(items) => Data::List(items.into_iter().map(placeholders).collect()),
        Data::Map(map) => Data::Map(model::map_of(map.into_iter().map(|(key, it)| (key, placeholders(it))))),
        data => data,
    };
    Value { data, ..value }
}

fn holds_one(text: &str) -> bool {
    text.split_once("((").is_some_and(|(_, rest)| rest.contains("))"))
}

/// The content of a link with a placeholder for each id that only the director knows: `((web.0.id))`. A link
/// that does not lead to a job of BOSH is not changed.
pub fn instance_ids(mut content: Value) -> Value {
    let group = content.get("instance_group").and_then(Value::as_str).map(str::to_owned);
    let instances = match &mut content.data {
        Data::Map(map) => map.get_mut("instances").map(|it| &mut it.data),
        _ => None,
    };
    if let (Some(group), Some(Data::List(instances))) = (group, instances) {
        instances.iter_mut().for_each(|it| name_id(it, &group));
    }
    content
}

fn name_id(instance: &mut Value, group: &str) {
    let Data::Map(map) = &mut instance.data else { return };
    let Some(&Data::Int(index)) = map.get("index").map(|it| &it.data) else { return };
    if let Some(id) = map.get_mut("id").filter(|it| matches!(it.data, Data::Null)) {
        id.data = Data::String(format!("(({group}.{index}.id))").into());
    }
}

/// The text with placeholders of an expression, if it is one.
pub(super) fn open_text(expression: &Expression) -> Option<&str> {
    match &expression.parts[..] {
        [Part::Text(text)] => Some(text),
        _ => None,
    }
}

/// True if it is text whatever is filled in. `((port))` may be a number; what the director knows of an
/// instance (`((web.0.id))`) is text.
pub(super) fn is_surely_text(open: &str) -> bool {
    let whole = open.strip_prefix("((").and_then(|it| it.strip_suffix("))"));
    let Some(name) = whole.filter(|it| !it.contains("((")) else { return true };
    name.split('.').nth(1).is_some_and(|it| it.parse::<u32>().is_ok())
}

/// The places of `${…}`, which is for descriptors, in the text of a template, each up to its first `}`; tags
/// are not searched.
pub fn references(template: &str) -> Vec<ByteRange> {
    let mut places = Vec::new();
    for piece in split(template) {
        let Piece::Text(text) = piece else { continue };
        let mut at = text.start;
        while let Some(found) = template[at..text.end].find("${") {
            let start = at + found;
            let Some(length) = template[start..text.end].find('}') else { break };
            at = start + length + 1;
            places.push(ByteRange::new(start, at));
        }
    }
    places
}

//! Messages and enumerations with those that are nested in them.

use std::{collections::BTreeMap, ops::Bound, sync::Arc};

use fields::schema::{Enum, Field};

use super::{field, file::File, layout::Layout, resource};
use crate::{Definition, text};

/// Writes a message or an enumeration that is not nested.
pub(super) fn write(file: &mut File, name: &str, it: Definition<'_>, layout: &Layout) {
    let text = declaration(file, name, "", it, layout);
    file.declare(&text);
}

fn declaration(file: &mut File, name: &str, indent: &str, it: Definition<'_>, layout: &Layout) -> String {
    let own = name.rsplit('.').next().unwrap_or(name);
    if let Some(values) = it.schema.enums.get(name) {
        return of_enum(own, values, indent);
    }
    let Some(message) = it.message(name) else { return String::new() };
    let inner = format!("{indent}  ");
    let mut text = format!("{}{indent}message {own} {{\n", text::line_comment(indent, &message.doc));
    text += &resource::options(file, name, &inner, it);
    text += &all_fields(file, name, &message.fields, &inner, it, layout);
    for nested in nested(name, it) {
        text.push('\n');
        text += &declaration(file, nested, &inner, it, layout);
    }
    text + indent + "}\n"
}

/// The messages and enumerations directly in a message.
fn nested<'a>(name: &str, it: Definition<'a>) -> Vec<&'a str> {
    let prefix = format!("{name}.");
    let messages = below(&it.schema.messages, &prefix).chain(below(&it.schema.enums, &prefix));
    messages.filter(|it| it.strip_prefix(&*prefix).is_some_and(|it| !it.contains('.'))).collect()
}

/// The keys that begin with a prefix, which are side by side.
fn below<'a, T>(all: &'a BTreeMap<Arc<str>, T>, prefix: &str) -> impl Iterator<Item = &'a str> {
    let from = all.range::<str, _>((Bound::Excluded(prefix), Bound::Unbounded));
    from.map(|(name, _)| &**name).take_while(move |it| it.starts_with(prefix))
}

/// The fields in order; those of a oneof together, where the first of them is.
fn all_fields(
    file: &mut File,
    message: &str,
    fields: &[Field],
    indent: &str,
    it: Definition<'_>,
    layout: &Layout,
) -> String {
    let mut text = String::new();
    for (at, own) in fields.iter().enumerate() {
        let Some(oneof) = &own.oneof else {
            text += &field::write(file, message, own, indent, it, layout);
            continue;
        };
        let before = fields.iter().take(at);
        if before.clone().any(|it| it.oneof.as_ref() == Some(oneof)) {
            continue;
        }
        text += &format!("{indent}oneof {oneof} {{\n");
        for member in fields.iter().filter(|it| it.oneof.as_ref() == Some(oneof)) {
            text += &field::write(file, message, member, &format!("{indent}  "), it, layout);
        }
        text += &format!("{indent}}}\n");
    }
    text
}

fn of_enum(name: &str, it: &Enum, indent: &str) -> String {
    let values: String =
        it.values.iter().map(|(name, number)| format!("{indent}  {name} = {number};\n")).collect();
    format!("{}{indent}enum {name} {{\n{values}{indent}}}\n", text::line_comment(indent, &it.doc))
}

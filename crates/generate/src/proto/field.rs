//! Fields with their options.

use fields::schema::{Cardinality, Field, Meaning, Merge, MergeBehavior, Sorting};

use super::{aggregate::Aggregate, file::File, layout::Layout, types, validation};
use crate::{Definition, text};

/// The declaration of a field. `message` is the one that it belongs to.
pub(super) fn write(
    file: &mut File,
    message: &str,
    field: &Field,
    indent: &str,
    it: Definition<'_>,
    layout: &Layout,
) -> String {
    let ty = types::name(file, message, &field.ty, it, layout);
    let ty = match field.cardinality {
        Cardinality::One => ty,
        Cardinality::Optional => format!("optional {ty}"),
        Cardinality::Repeated => format!("repeated {ty}"),
        Cardinality::Map(key) => format!("map<{}, {ty}>", types::of_scalar(key)),
    };
    let options = options(file, message, field, indent, layout);
    let number = field.number.unwrap_or_default();
    let comment = text::line_comment(indent, &field.doc);
    format!("{comment}{indent}{ty} {} = {number}{options};\n", field.name)
}

fn options(file: &mut File, message: &str, field: &Field, indent: &str, layout: &Layout) -> String {
    let inner = format!("{indent}  ");
    let mut options = Vec::new();
    let mut add = |name: &str, value: &Aggregate| options.push(format!("({name}) = {}", value.print(&inner)));
    if let Some(meaning) = &field.meaning {
        file.import("goten/annotations/goten.proto");
        add("goten.annotations.type", &of_meaning(meaning));
    }
    let rules = validation::of(message, field, layout);
    if !rules.is_empty() {
        file.import("goten/annotations/validate.proto");
        add("goten.annotations.validation_rules", &rules);
    }
    if field.merge != Merge::default() {
        file.import("goten/annotations/goten.proto");
        add("goten.annotations.merge_opts", &of_merge(field));
    }
    let behavior = match (field.output_only, field.immutable && &*field.name != "name") {
        (true, _) => Some("OUTPUT_ONLY"),
        (false, true) => Some("IMMUTABLE"),
        (false, false) => None,
    };
    if let Some(behavior) = behavior {
        file.import("google/api/field_behavior.proto");
        options.push(format!("(google.api.field_behavior) = {behavior}"));
    }
    match options.is_empty() {
        true => String::new(),
        false => format!(" [{}]", options.join(&format!(",\n{inner}"))),
    }
}

fn of_meaning(meaning: &Meaning) -> Aggregate {
    let (key, resource) = match meaning {
        Meaning::Name { resource } => ("name", resource),
        Meaning::Reference { resource, .. } => ("reference", resource),
        Meaning::ParentName { resource } => ("parent_name", resource),
        Meaning::Filter { resource } => ("filter", resource),
        Meaning::OrderBy { resource } => ("order_by", resource),
        Meaning::Cursor { resource } => ("pager_cursor", resource),
        Meaning::FieldMask { resource } => ("field_mask", resource),
    };
    let mut value = Aggregate::default();
    value.text("resource", resource);
    if let Meaning::Reference { on_target_deleted, .. } = meaning {
        value.word("target_delete_behavior", on_target_deleted.as_str());
    }
    Aggregate::of(key, value)
}

fn of_merge(field: &Field) -> Aggregate {
    let mut value = Aggregate::default();
    let is_map = matches!(field.cardinality, Cardinality::Map(_));
    if !is_map {
        value.texts("identifiers", field.merge.identifiers.iter().map(|it| &**it));
    }
    let behavior = match field.merge.behavior {
        MergeBehavior::Default => None,
        MergeBehavior::Replace => Some("REPLACE"),
        MergeBehavior::DiscardOnlyInDestination => Some("DISCARD_ONLY_IN_DEST"),
        MergeBehavior::DiscardOnlyInSource => Some("DISCARD_ONLY_IN_SOURCE"),
        MergeBehavior::And => Some("OPERATION_AND"),
        MergeBehavior::Xor => Some("OPERATION_XOR"),
        MergeBehavior::Append => Some("APPEND"),
    };
    behavior.iter().for_each(|it| value.word("behavior", it));
    let sorting = match field.merge.sorting {
        Sorting::None => None,
        Sorting::Ascending => Some("ASCENDING"),
        Sorting::Descending => Some("DESCENDING"),
    };
    sorting.iter().filter(|_| !is_map).for_each(|it| value.word("sorting", it));
    Aggregate::of(if is_map { "map" } else { "repeated" }, value)
}

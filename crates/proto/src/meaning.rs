//! `goten.annotations.type`: the meaning of the text of a field.

use std::sync::Arc;

use diag::{Diagnostic, Span};
use fields::schema::{DeleteBehavior, FieldType, Meaning, Scalar, WellKnown};

use crate::{
    aggregate::Entry,
    codes,
    decode::{Choices, Decoder},
    option::Options,
};

/// `goten.annotations.OnReferencedObjectDeleted`.
pub(crate) const DELETE_BEHAVIORS: &Choices<Option<DeleteBehavior>> = &[
    ("UNDEFINED", None),
    ("BLOCK", Some(DeleteBehavior::Block)),
    ("UNSET", Some(DeleteBehavior::Unset)),
    ("CASCADE_DELETE", Some(DeleteBehavior::CascadeDelete)),
    ("ASYNC_UNSET", Some(DeleteBehavior::AsyncUnset)),
    ("ASYNC_CASCADE_DELETE", Some(DeleteBehavior::AsyncCascadeDelete)),
    ("ALLOW_DANGLING", Some(DeleteBehavior::AllowDangling)),
];

const KINDS: [&str; 8] = [
    "field_mask",
    "filter",
    "name",
    "order_by",
    "pager_cursor",
    "parent_name",
    "parent_reference",
    "reference",
];

/// The meaning of a field of a type, by its options.
pub(crate) fn read(options: &Options, ty: &FieldType, decoder: &mut Decoder<'_>) -> Option<Meaning> {
    let Some(option) = options.get("goten.annotations.type") else {
        return options.get("google.api.resource_reference").and_then(|it| resource_reference(it, decoder));
    };
    let mut meaning = None;
    for kind in decoder.body(option) {
        if KINDS.contains(&&*kind.name) {
            meaning = read_kind(kind, ty, decoder);
        } else {
            decoder.unknown(kind, "goten.annotations.FieldType", &KINDS);
        }
    }
    meaning
}

fn read_kind(kind: &Entry, ty: &FieldType, decoder: &mut Decoder<'_>) -> Option<Meaning> {
    check_type(kind, ty, decoder);
    let (mut resource, mut behavior) = (None, None);
    for field in decoder.body(kind) {
        match &*field.name {
            "resource" => resource = decoder.text(field),
            "target_delete_behavior" if kind.name == "reference" => {
                let choice = decoder.choice(field, codes::UNKNOWN_DELETE_BEHAVIOR, DELETE_BEHAVIORS);
                // One that does not exist is reported already.
                behavior = Some(choice.unwrap_or(Some(DeleteBehavior::Block)));
            }
            _ => decoder.unknown(field, &kind.name, &["resource", "target_delete_behavior"]),
        }
    }
    let Some(resource) = resource.filter(|it| !it.is_empty()) else {
        let message = format!("`{}` does not say which resource it is for", kind.name);
        decoder.report(
            Diagnostic::error(codes::MISSING_RESOURCE, kind.at, message)
                .help("add `resource`: a kind of this service, or `service/Kind` of another one"),
        );
        return None;
    };
    Some(match &*kind.name {
        "reference" => {
            let on_target_deleted = behavior.flatten().unwrap_or_else(|| no_behavior(kind.at, decoder));
            Meaning::Reference { resource, on_target_deleted }
        }
        "parent_name" | "parent_reference" => Meaning::ParentName { resource },
        "filter" => Meaning::Filter { resource },
        "order_by" => Meaning::OrderBy { resource },
        "pager_cursor" => Meaning::Cursor { resource },
        "field_mask" => Meaning::FieldMask { resource },
        _ => Meaning::Name { resource },
    })
}

/// Reports a reference without behaviour, and takes the one that deletes nothing.
fn no_behavior(at: Span, decoder: &mut Decoder<'_>) -> DeleteBehavior {
    decoder.report(
        Diagnostic::error(
            codes::MISSING_DELETE_BEHAVIOR,
            at,
            "the reference does not say what happens when its target is deleted",
        )
        .help("add `target_delete_behavior`, for example `BLOCK`"),
    );
    DeleteBehavior::Block
}

/// A field mask is for `google.protobuf.FieldMask`, or for strings; all others are for strings.
fn check_type(kind: &Entry, ty: &FieldType, decoder: &mut Decoder<'_>) {
    let fits = match ty {
        FieldType::Scalar(Scalar::String) => true,
        FieldType::WellKnown(WellKnown::FieldMask) => kind.name == "field_mask",
        FieldType::Scalar(_)
        | FieldType::WellKnown(_)
        | FieldType::Message(_)
        | FieldType::Enum(_)
        | FieldType::Foreign(_) => false,
    };
    if !fits {
        let message = format!("`{}` is only possible for a field of type `string`", kind.name);
        decoder.misplaced(kind.at, message, "change the type of the field, or remove the option");
    }
}

/// `google.api.resource_reference`, which names a kind and promises nothing.
fn resource_reference(option: &Entry, decoder: &mut Decoder<'_>) -> Option<Meaning> {
    let mut meaning = None;
    for field in decoder.body(option) {
        let resource: Option<Arc<str>> = decoder.text(field).filter(|it| &**it != "*");
        match &*field.name {
            "type" => meaning = resource.map(|resource| Meaning::Name { resource }),
            "child_type" => meaning = resource.map(|resource| Meaning::ParentName { resource }),
            _ => decoder.unknown(field, "google.api.resource_reference", &["type", "child_type"]),
        }
    }
    meaning
}

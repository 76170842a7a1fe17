//! `<Resource>Change`: the report of a watch about one resource.

use ::fields::schema::{FieldType, Schema};

use super::common::{INT32, field, in_oneof, insert, mask, name_of};
use crate::{Kind, words::snake};

/// Adds the message of changes of a kind, as Goten generates it (source: goten-sdk).
pub(super) fn add(kind: &Kind, schema: &mut Schema) {
    let change = format!("{}Change", kind.name);
    let nested = |name: &str| format!("{change}.{name}");
    let one = |name: &str, number, ty: &str| {
        in_oneof(field(name, number, FieldType::Message(nested(ty).into())), "change_type")
    };
    let fields = vec![
        one("added", 1, "Added"),
        one("modified", 2, "Modified"),
        one("current", 4, "Current"),
        one("removed", 3, "Removed"),
    ];
    insert(schema, &change, "A change of a resource.", fields);
    let resource = |number| field(&snake(&kind.name), number, FieldType::Message(kind.name.clone()));
    let index = |name: &str, number| field(name, number, INT32);
    let added = vec![resource(1), index("view_index", 2)];
    insert(schema, &nested("Added"), "A resource that the client does not have.", added);
    let modified = vec![
        name_of(1, &kind.name),
        resource(2),
        mask("field_mask", 3, &kind.name),
        index("previous_view_index", 4),
        index("view_index", 5),
    ];
    insert(schema, &nested("Modified"), "A resource that was changed, and which fields.", modified);
    let doc = "A resource that was added or changed; only stateless watches have it.";
    insert(schema, &nested("Current"), doc, vec![resource(1)]);
    let removed = vec![name_of(1, &kind.name), index("view_index", 2)];
    insert(schema, &nested("Removed"), "A resource that does not exist or match any more.", removed);
}

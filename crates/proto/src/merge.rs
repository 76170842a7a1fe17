//! `goten.annotations.merge`: how lists and maps of two messages are merged.

use fields::schema::{Cardinality, Field, FieldType, Merge, MergeBehavior, Sorting};

use crate::{
    aggregate::Entry,
    codes::UNKNOWN_OPTION_VALUE,
    decode::{Choices, Decoder},
    option::Options,
};

const BEHAVIORS: &Choices<MergeBehavior> = &[
    ("DEFAULT", MergeBehavior::Default),
    ("REPLACE", MergeBehavior::Replace),
    ("DISCARD_ONLY_IN_DEST", MergeBehavior::DiscardOnlyInDestination),
    ("DISCARD_ONLY_IN_SOURCE", MergeBehavior::DiscardOnlyInSource),
    ("OPERATION_AND", MergeBehavior::And),
    ("OPERATION_XOR", MergeBehavior::Xor),
    ("APPEND", MergeBehavior::Append),
];

const SORTINGS: &Choices<Sorting> =
    &[("NO_SORTING", Sorting::None), ("ASCENDING", Sorting::Ascending), ("DESCENDING", Sorting::Descending)];

/// The merge behavior of a field, by its options.
pub(crate) fn read(options: &Options, field: &Field, decoder: &mut Decoder<'_>) -> Merge {
    let mut merge = Merge::default();
    let Some(option) = options.get("goten.annotations.merge") else { return merge };
    for kind in decoder.body(option) {
        match &*kind.name {
            "repeated" | "map" => {
                read_kind(kind, &mut merge, decoder);
                check(kind, &merge, field, decoder);
            }
            _ => decoder.unknown(kind, "goten.annotations.merge", &["repeated", "map"]),
        }
    }
    merge
}

fn read_kind(kind: &Entry, merge: &mut Merge, decoder: &mut Decoder<'_>) {
    let is_list = kind.name == "repeated";
    for field in decoder.body(kind) {
        match &*field.name {
            "behavior" => {
                merge.behavior = decoder.choice(field, UNKNOWN_OPTION_VALUE, BEHAVIORS).unwrap_or_default();
            }
            "identifiers" if is_list => decoder.push(field, &mut merge.identifiers),
            "sorting" if is_list => {
                merge.sorting = decoder.choice(field, UNKNOWN_OPTION_VALUE, SORTINGS).unwrap_or_default();
            }
            _ if is_list => decoder.unknown(field, &kind.name, &["identifiers", "behavior", "sorting"]),
            _ => decoder.unknown(field, &kind.name, &["behavior"]),
        }
    }
}

/// Reports combinations of options that Goten refuses.
fn check(kind: &Entry, merge: &Merge, field: &Field, decoder: &mut Decoder<'_>) {
    let is_list = field.cardinality == Cardinality::Repeated;
    let is_map = matches!(field.cardinality, Cardinality::Map(_));
    let is_message = matches!(field.ty, FieldType::Message(_) | FieldType::Foreign(_));
    let appends = merge.behavior == MergeBehavior::Append;
    if (kind.name == "repeated" && !is_list) || (kind.name == "map" && !is_map) {
        let message = format!("`{}` is for another kind of field than `{}`", kind.name, field.name);
        decoder.misplaced(kind.at, message, "use `repeated` for lists and `map` for maps");
    }
    if !merge.identifiers.is_empty() && is_list && !is_message {
        decoder.misplaced(kind.at, "`identifiers` are for lists of messages", "remove them");
    }
    if appends && (is_map || !merge.identifiers.is_empty()) {
        let message = "`APPEND` is not possible for maps and for lists with identifiers";
        decoder.misplaced(kind.at, message, "use `DEFAULT` or `REPLACE`");
    }
    if merge.sorting != Sorting::None && is_message && merge.identifiers.is_empty() {
        let message = "a list of messages cannot be sorted without identifiers";
        decoder.misplaced(kind.at, message, "add `identifiers`, or remove `sorting`");
    }
}

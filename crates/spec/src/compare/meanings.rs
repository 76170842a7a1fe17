//! The meaning of texts of fields. References are compared by their paths from resources, see `references`.

use diag::Span;
use fields::schema::{Field, Meaning};

use super::{Change, ChangeClass, ChangeKind, Side, pairs::KindPairs};

/// Adds the changes in the meaning of a field: another kind of it, or another kind of resources that it names. A reference that
/// becomes a plain name accepts more, which the guide does not list.
pub(super) fn compare(
    item: &str,
    (old, before): (&Field, Side<'_>),
    (new, after): (&Field, Side<'_>),
    kinds: &KindPairs<'_>,
    places: (Span, Option<Span>),
    changes: &mut Vec<Change>,
) {
    let (from, to) = (text(old, before), text(new, after));
    let (kind_before, kind_after) = (from.0, to.0);
    let is_reference = kind_before == "reference" && kind_after == "reference";
    let is_same = (from.0, kinds.renamed(&from.1)) == (to.0, &*to.1);
    if is_same || is_reference {
        return;
    }
    let class = match (kind_before, kind_after) {
        ("reference", "name") | (_, "") => ChangeClass::Unlisted,
        _ => ChangeClass::Breaking,
    };
    let join = |(kind, resource): (&str, String)| format!("{kind} {resource}").trim().to_owned();
    let change = Change::new(ChangeKind::FieldMeaningChanged, class, item);
    changes.push(change.values(join(from), join(to)).at(places.0, places.1));
}

fn text(field: &Field, side: Side<'_>) -> (&'static str, String) {
    let Some(meaning) = &field.meaning else { return ("", String::new()) };
    let (kind, resource) = match meaning {
        Meaning::Name { resource } => ("name", resource),
        Meaning::Reference { resource, .. } => ("reference", resource),
        Meaning::ParentName { resource } => ("parent_name", resource),
        Meaning::Filter { resource } => ("filter", resource),
        Meaning::OrderBy { resource } => ("order_by", resource),
        Meaning::Cursor { resource } => ("cursor", resource),
        Meaning::FieldMask { resource } => ("field_mask", resource),
    };
    (kind, side.short(resource).to_owned())
}

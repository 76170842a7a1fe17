use diag::Span;
use fields::schema::Enum;

use super::{Change, ChangeClass, ChangeKind};

/// Adds the changes in the values of an enumeration: they are found by number.
pub(super) fn compare(
    name: &str,
    before: &Enum,
    after: &Enum,
    (span, place): (Span, Option<Span>),
    changes: &mut Vec<Change>,
) {
    let item = |value: &str, number: i32| format!("{name}.{value} = {number}");
    let named = |list: &Enum, value: &str| list.values.iter().find(|it| &*it.0 == value).map(|it| it.1);
    let numbered =
        |list: &Enum, number: i32| list.values.iter().find(|it| it.1 == number).map(|it| it.0.clone());
    for (value, number) in &before.values {
        if named(after, value) == Some(*number) {
            continue;
        }
        let change = match (named(after, value), numbered(after, *number)) {
            (Some(other), _) => {
                Change::new(ChangeKind::EnumValueRenumbered, ChangeClass::Breaking, format!("{name}.{value}"))
                    .values(number.to_string(), other.to_string())
            }
            (None, Some(other)) if named(before, &other).is_none() => Change::new(
                ChangeKind::EnumValueRenamed,
                ChangeClass::Compatible,
                format!("{name} = {number}"),
            )
            .values(&**value, &*other),
            (None, _) => {
                Change::new(ChangeKind::EnumValueRemoved, ChangeClass::Unlisted, item(value, *number))
                    .values(&**value, "")
            }
        };
        changes.push(change.at(span, place));
    }
    for (value, number) in &after.values {
        let renamed = numbered(before, *number).filter(|it| named(after, it).is_none());
        if named(before, value).is_none() && renamed.is_none() {
            let change =
                Change::new(ChangeKind::EnumValueAdded, ChangeClass::Compatible, item(value, *number));
            changes.push(change.values("", &**value).at(span, place));
        }
    }
}

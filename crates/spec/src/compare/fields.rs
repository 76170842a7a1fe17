//! Fields of a message. They are found by number; their names are those of code.

use diag::Span;
use fields::schema::{Cardinality, Field, Message};

use super::{
    Change, ChangeClass, ChangeKind, Side, meanings,
    pairs::KindPairs,
    types::{full, plain},
    validation,
};

/// Places of a message in both versions.
type Places = (Span, Option<Span>);

/// The fields of one message in both versions.
#[derive(Clone, Copy)]
struct Fields<'a> {
    name: &'a str,
    before: &'a Message,
    after: &'a Message,
    places: Places,
    kinds: &'a KindPairs<'a>,
}

/// Adds the changes in the fields of a message.
pub(super) fn compare(
    (name, before): (&str, &Message),
    after: &Message,
    places: Places,
    kinds: &KindPairs<'_>,
    sides: (Side<'_>, Side<'_>),
    changes: &mut Vec<Change>,
) {
    let fields = Fields { name, before, after, places, kinds };
    for field in &before.fields {
        match of_number(after, field) {
            Some(other) => fields.same_number(field, other, sides, changes),
            None => changes.push(fields.no_number(field)),
        }
    }
    let is_new = |it: &&Field| of_number(before, it).is_none() && of_name(before, it).is_none();
    changes.extend(after.fields.iter().filter(is_new).map(|it| fields.added(it)));
}

impl Fields<'_> {
    fn change(self, kind: ChangeKind, class: ChangeClass, item: String) -> Change {
        Change::new(kind, class, item).at(self.places.0, self.places.1)
    }

    fn added(self, field: &Field) -> Change {
        let class = match fields::refuses_absence(field) {
            true => ChangeClass::Breaking,
            false => ChangeClass::Compatible,
        };
        let rules = validation::described(field);
        let text = if rules.is_empty() { full(field) } else { format!("{}, {rules}", full(field)) };
        self.change(ChangeKind::FieldAdded, class, item(self.name, field)).values("", text)
    }

    fn no_number(self, field: &Field) -> Change {
        match of_name(self.after, field) {
            Some(other) => self.renumbered(field, other),
            None => {
                let item = item(self.name, field);
                self.change(ChangeKind::FieldRemoved, ChangeClass::Compatible, item).values(full(field), "")
            }
        }
    }

    fn renumbered(self, field: &Field, other: &Field) -> Change {
        let item = format!("{}.{}", self.name, field.name);
        let change = self.change(ChangeKind::FieldRenumbered, ChangeClass::Breaking, item);
        change.values(number(field), number(other))
    }

    fn same_number(self, old: &Field, new: &Field, sides: (Side<'_>, Side<'_>), changes: &mut Vec<Change>) {
        if old.name != new.name && self.moved(old, new, changes) {
            return;
        }
        if let Some(change) = self.type_changed(old, new) {
            changes.push(change);
        } else if old.name != new.name {
            let item = format!("{} = {}", self.name, number(old));
            let change = self.change(ChangeKind::FieldRenamed, ChangeClass::Compatible, item);
            changes.push(change.values(&*old.name, &*new.name));
        }
        let item = format!("{}.{}", self.name, old.name);
        meanings::compare(&item, (old, sides.0), (new, sides.1), self.kinds, self.places, changes);
        validation::compare(&item, old, new, self.places, changes);
    }

    /// True if one of two fields of the same number also exists under another one, so that they are not the same.
    fn moved(self, old: &Field, new: &Field, changes: &mut Vec<Change>) -> bool {
        let (to, from) = (of_name(self.after, old), of_name(self.before, new));
        changes.extend(to.map(|it| self.renumbered(old, it)));
        if to.is_some() != from.is_some() {
            changes.push(self.reused(old, new));
        }
        to.is_some() || from.is_some()
    }

    fn reused(self, old: &Field, new: &Field) -> Change {
        let item = format!("{} = {}", self.name, number(old));
        let text = |it: &Field| format!("{} {}", full(it), it.name);
        let change = self.change(ChangeKind::FieldNumberReused, ChangeClass::Breaking, item);
        change.values(text(old), text(new))
    }

    fn type_changed(self, old: &Field, new: &Field) -> Option<Change> {
        let (kind, class) =
            match (self.kinds.renamed_message(&plain(old)) == plain(new), old.cardinality == new.cardinality)
            {
                (true, true) => return None,
                (true, false) => {
                    let is_single =
                        |it: &Field| matches!(it.cardinality, Cardinality::One | Cardinality::Optional);
                    let are_single = is_single(old) && is_single(new);
                    let class = if are_single { ChangeClass::Compatible } else { ChangeClass::Breaking };
                    (ChangeKind::FieldCardinalityChanged, class)
                }
                (false, _) if old.name != new.name => return Some(self.reused(old, new)),
                (false, _) => (ChangeKind::FieldTypeChanged, ChangeClass::Breaking),
            };
        Some(self.change(kind, class, item(self.name, old)).values(full(old), full(new)))
    }
}

/// The field of the same number; without numbers, that of the same name.
fn of_number<'a>(message: &'a Message, field: &Field) -> Option<&'a Field> {
    match field.number {
        Some(_) => message.fields.iter().find(|it| it.number == field.number),
        None => of_name(message, field).filter(|it| it.number.is_none()),
    }
}

fn of_name<'a>(message: &'a Message, field: &Field) -> Option<&'a Field> {
    message.fields.iter().find(|it| it.name == field.name)
}

fn item(message: &str, field: &Field) -> String {
    match field.number {
        Some(number) => format!("{message}.{} = {number}", field.name),
        None => format!("{message}.{}", field.name),
    }
}

fn number(field: &Field) -> String {
    field.number.map_or_else(String::new, |it| it.to_string())
}

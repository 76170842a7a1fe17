//! Numbers of fields.

use std::collections::BTreeSet;

use ::fields::schema::Field;

/// The greatest number that protobuf has.
const MAX: u32 = 536_870_911;

/// True if a field can have this number: protobuf keeps some for itself.
pub(super) const fn is_valid(number: u32) -> bool {
    number >= 1 && number <= MAX && !(number >= 19_000 && number <= 19_999)
}

/// Gives the fields that have no number the lowest free ones, in order.
pub(super) fn assign(fields: &mut [Field]) {
    let used: BTreeSet<u32> = fields.iter().filter_map(|it| it.number).collect();
    let mut free = (1..=MAX).filter(|it| is_valid(*it) && !used.contains(it));
    for field in fields.iter_mut().filter(|it| it.number.is_none()) {
        field.number = free.next();
    }
}

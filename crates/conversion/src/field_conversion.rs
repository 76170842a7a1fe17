use fields::FieldPath;
use serde_json::Value;

use crate::{Direction, enum_values::EnumValues};

/// A field of the old version, and what it is in the new one.
#[derive(Clone, Debug)]
pub(crate) struct FieldPair {
    pub(crate) old: FieldPath,
    pub(crate) new: FieldPath,
    pub(crate) count: ValueCount,
    pub(crate) values: FieldConversion,
}

/// The number of values that a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueCount {
    /// One, which is the default where it is absent.
    One,
    /// One, or none.
    AtMostOne,
    /// A list.
    List,
    /// A map.
    Map,
}

/// The conversion of one value of a field.
#[derive(Clone, Debug)]
pub(crate) enum FieldConversion {
    /// None: it is the same.
    Same,
    /// That of names of a resource type, by the place of its pair.
    Name(usize),
    /// That of the values of an enumeration.
    Values(EnumValues),
    /// That of a message, by its place.
    Message(usize),
}

/// A field that only one version has.
#[derive(Clone, Debug)]
pub(crate) struct FixedField {
    pub(crate) path: FieldPath,
    pub(crate) value: Value,
}

impl FieldPair {
    pub(crate) fn paths(&self, direction: Direction) -> (&FieldPath, &FieldPath) {
        direction.of(&self.old, &self.new)
    }
}

use std::sync::Arc;

use fields::FieldPath;

use crate::field_conversion::{FieldPair, FixedField};

/// A message of the old version, and what it is in the new one.
#[derive(Clone, Debug, Default)]
pub(crate) struct MessageConversion {
    /// Its name in the new version.
    pub(crate) new: Arc<str>,
    pub(crate) pairs: Vec<FieldPair>,
    /// The fields that only the old version has.
    pub(crate) constants: Vec<FixedField>,
    /// The values of fields that only the new version has, in new messages.
    pub(crate) defaults: Vec<FixedField>,
    /// All fields that only the new version has.
    pub(crate) added: Vec<AddedField>,
    /// Both have fields that are not declared.
    pub(crate) is_open: bool,
}

/// A field that only the new version has.
#[derive(Clone, Debug)]
pub(crate) struct AddedField {
    pub(crate) path: FieldPath,
    /// The other fields of a group of which one can be set.
    pub(crate) alternatives: Vec<FieldPath>,
}

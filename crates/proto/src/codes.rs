//! The codes of this crate's diagnostics.

use diag::Code;

/// The text is not that of a protobuf file.
pub(crate) const SYNTAX: Code = Code("proto/syntax");
/// The value of an option is not in text format.
pub(crate) const AGGREGATE: Code = Code("proto/aggregate");
/// Two fields of a message, or two values of an enumeration, have one number.
pub(crate) const DUPLICATE_NUMBER: Code = Code("proto/duplicate-number");
/// Two declarations have one name.
pub(crate) const DUPLICATE_NAME: Code = Code("proto/duplicate-name");
/// The value of an option has another type than the option.
pub(crate) const OPTION_TYPE: Code = Code("proto/option-type");
/// No option of `goten.annotations` has this name.
pub(crate) const UNKNOWN_OPTION: Code = Code("proto/unknown-option");
/// An option's message has no such field.
pub(crate) const UNKNOWN_OPTION_FIELD: Code = Code("proto/unknown-option-field");
/// An enumeration of the options has no such value.
pub(crate) const UNKNOWN_OPTION_VALUE: Code = Code("proto/unknown-option-value");
/// There is no such behaviour on deletion.
pub(crate) const UNKNOWN_DELETE_BEHAVIOR: Code = Code("proto/unknown-delete-behavior");
/// It is not said what happens when the target of a reference, or a parent, is deleted.
pub(crate) const MISSING_DELETE_BEHAVIOR: Code = Code("proto/missing-delete-behavior");
/// The behaviour cannot be used here.
pub(crate) const INVALID_DELETE_BEHAVIOR: Code = Code("proto/invalid-delete-behavior");
/// A typed field does not say to which resource it belongs.
pub(crate) const MISSING_RESOURCE: Code = Code("proto/missing-resource");
/// The option does not fit the type of its field.
pub(crate) const OPTION_MISMATCH: Code = Code("proto/option-mismatch");
/// A rule that is not checked.
pub(crate) const UNSUPPORTED_RULE: Code = Code("proto/unsupported-rule");
/// A path names a field that does not exist.
pub(crate) const UNKNOWN_FIELD: Code = Code("proto/unknown-field");
/// A package describes its service twice.
pub(crate) const DUPLICATE_SERVICE: Code = Code("proto/duplicate-service");

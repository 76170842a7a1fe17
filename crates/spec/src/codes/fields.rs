//! The codes of problems of fields in specifications.

diag::codes! {
    /// The codes of problems of fields in specifications.
    pub const FIELDS in "spec";

    /// A field below another one that is not an object.
    ///
    /// Only objects, lists and maps have fields. Change the type of the other one, or move the field.
    FIELD_BELOW_SCALAR = "field-below-scalar": Error;

    /// A field that is a list or map in one path and one value in another.
    ///
    /// Write `[]` or `{}` after its name in both.
    FIELD_CARDINALITY = "field-cardinality": Error;

    /// A field that is declared twice.
    ///
    /// Names that differ by `_` only have one name in JSON. Leave one of them out.
    FIELD_DUPLICATE = "field-duplicate": Error;

    /// An enumeration without values or with an invalid one, or values of a field that is no enumeration.
    ///
    /// Write each value once, in letters, digits and `_`, the default first; only fields with `type: enum` have
    /// values.
    FIELD_ENUM = "field-enum": Error;

    /// A field that refers to a resource of a service that is not imported.
    ///
    /// Add the service to `imports`, and give its specification.
    FIELD_NOT_IMPORTED = "field-not-imported": Error;

    /// A number of a field that is taken or not allowed.
    ///
    /// Write another number, or leave it out: it is then the lowest free one.
    FIELD_NUMBER = "field-number": Error;

    /// A list or map that belongs to a oneof.
    ///
    /// Leave `oneof` out, or put the list into an object.
    FIELD_ONEOF = "field-oneof": Error;

    /// A field that is required in effect, because its rules refuse the value that it has when it is not set.
    ///
    /// Add `required: true` to say so, or write rules that an empty value fulfils.
    FIELD_REQUIRED = "field-required": Hint;

    /// A path that is not one of a field.
    ///
    /// Names of fields are in lower_snake_case, with dots between them. The fix writes them so.
    FIELD_PATH = "field-path": Error, fix;

    /// A field with the name of one that every resource has, and another type.
    ///
    /// Leave it out, declare it with that type, or leave the common field out with `optOuts`.
    FIELD_RESERVED = "field-reserved": Error;

    /// Fields of a kind whose message is given in a `.proto` file.
    ///
    /// They have no effect. Leave them out, or the file.
    FIELD_SHADOWED = "field-shadowed": Warning;

    /// An index or cache of a field that does not exist.
    ///
    /// Declare the field, or leave it out of `indices` and `cache`.
    FIELD_STORAGE = "field-storage": Error;

    /// A field that refers to a resource which does not exist.
    ///
    /// Correct the name; a resource of another service is written as `service/Kind`.
    FIELD_UNKNOWN_KIND = "field-unknown-kind": Error, fix;

    /// A view that does not exist, or with a field that the kind does not have.
    ///
    /// Views are NAME, BASIC, DETAIL and FULL. Correct the name.
    FIELD_VIEW = "field-view": Error, fix;
}

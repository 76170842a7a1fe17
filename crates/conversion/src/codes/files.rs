diag::codes! {
    /// The codes of mistakes in conversion files.
    pub const FILES in "conversion";

    /// A file that is not a conversion.
    ///
    /// It begins with `format: planloom.conversion/1`.
    FORMAT = "format": Error;

    /// A value of another type than the key takes.
    TYPE = "type": Error;

    /// A key that conversions do not have.
    UNKNOWN_KEY = "unknown-key": Error, fix;

    /// A key that has to be there.
    MISSING_KEY = "missing-key": Error;

    /// A service, or a version of it, whose specification was not given.
    ///
    /// Give the specifications of both versions.
    VERSION = "version": Error;

    /// A resource type that the version does not have.
    UNKNOWN_RESOURCE = "unknown-resource": Error, fix;

    /// A path of a field that the version does not have.
    UNKNOWN_FIELD = "unknown-field": Error, fix;

    /// A pattern of names that the resource type does not have.
    UNKNOWN_PATTERN = "unknown-pattern": Error;

    /// A resource type, a field or a pattern that is converted twice.
    ///
    /// Two values would become one, and which of them it was could not be restored.
    DUPLICATE = "duplicate": Error;

    /// Something of the old version that the new one has nothing for.
    ///
    /// What clients of the old version send there would be lost. Name what it became, or give a field that is not needed any
    /// more its constant.
    NO_COUNTERPART = "no-counterpart": Error;

    /// Two fields whose types, or whose presence, are not the same.
    ///
    /// Only enumerations and booleans are converted, by `values`.
    TYPES = "types": Error;

    /// Two fields that refer to resources which are not counterparts of each other.
    REFERENCE = "reference": Error;

    /// A field that is inside a list or a map in one version, and outside it in the other.
    LIST = "list": Error;

    /// A value that is not one of the field's.
    VALUE = "value": Error;

    /// Two values that become one, a value that becomes none, or a constant in place of values.
    ///
    /// A conversion can be undone, so that what a client of one version stores is what it reads again.
    NOT_INVERTIBLE = "not-invertible": Error;

    /// A constant of a part of names that is missing, is not needed, or is not a valid id.
    ///
    /// A part that only one version has needs one: under `constants` it is the only one that the other version sees, under
    /// `defaults` the one that it creates resources in.
    NAME_CONSTANT = "name-constant": Error;

    /// Names of the new version of which several become one name of the old version.
    ///
    /// Clients of the old version see resources of all of them in lists, and get only those with the default by their names.
    /// `constants` instead of `defaults` hides the others from them.
    AMBIGUOUS_NAMES = "ambiguous-names": Warning;

    /// A value of an enumeration that only the new version has.
    ///
    /// Clients of the old version see it as it is.
    NEW_VALUE = "new-value": Warning;

    /// A field that is required, and that the old version does not have.
    ///
    /// Nothing can be created through the old version. Give it a default.
    REQUIRED = "required": Warning;

    /// A field with a filter, an order, a mask or the name of a parent, which is stored as it is.
    NOT_CONVERTED = "not-converted": Warning;

    /// A service that imports the old version of a service whose resources are stored in the new one.
    ///
    /// Its references are names of the old version. Import the new one.
    OLD_IMPORT = "old-import": Error;
}

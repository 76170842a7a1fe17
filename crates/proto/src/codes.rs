//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of problems of protobuf files of services.
    pub const ALL in "proto";

    /// A text that is not that of a protobuf file.
    ///
    /// Nothing of the file is read. The message is that of the parser; correct the place that it marks.
    SYNTAX = "syntax": Error;

    /// A value of an option that is not in protobuf's text format.
    ///
    /// The option is ignored. Write it as in `{ resource: "Pod" }`.
    AGGREGATE = "aggregate": Error;

    /// Two fields of a message, or two values of an enumeration, with one number.
    ///
    /// Messages could not be read back. Give one of them another number.
    DUPLICATE_NUMBER = "duplicate-number": Error;

    /// Two declarations with one name.
    ///
    /// The second is ignored. Rename or remove one of them.
    DUPLICATE_NAME = "duplicate-name": Error;

    /// A value of an option that is of another type than the option.
    ///
    /// The option is ignored. Write what the message names.
    OPTION_TYPE = "option-type": Error;

    /// An option of `goten.annotations` that does not exist.
    ///
    /// It is ignored. Correct its name, or remove it.
    UNKNOWN_OPTION = "unknown-option": Warning;

    /// A field that the message of an option does not have.
    ///
    /// It is ignored. Correct its name, or remove it.
    UNKNOWN_OPTION_FIELD = "unknown-option-field": Warning;

    /// A value that an enumeration of the options does not have.
    ///
    /// The default is used instead. The help names the values.
    UNKNOWN_OPTION_VALUE = "unknown-option-value": Error;

    /// A behaviour on deletion that does not exist.
    ///
    /// A deletion is blocked instead, so that nothing is lost. The help names those that there are.
    UNKNOWN_DELETE_BEHAVIOR = "unknown-delete-behavior": Error;

    /// A reference, or a resource with parents, that does not say what happens when the other one is deleted.
    ///
    /// For a reference it has to be said, because resources may otherwise be deleted or left pointing at nothing. Add
    /// `target_delete_behavior` or `on_parent_deleted_behavior`.
    MISSING_DELETE_BEHAVIOR = "missing-delete-behavior": Error | Warning;

    /// A behaviour on deletion that cannot be used here.
    ///
    /// The parent is part of the name of a resource, so it cannot be cleared. Use one of those that the help names.
    INVALID_DELETE_BEHAVIOR = "invalid-delete-behavior": Error;

    /// A reference or name that does not say which resource it is for.
    ///
    /// Add `resource`: a kind of this service, or `service/Kind` of another one.
    MISSING_RESOURCE = "missing-resource": Error;

    /// An option that does not fit the field it is written at.
    ///
    /// For example names and references are texts. The option is ignored. Move it, or change the type of the field.
    OPTION_MISMATCH = "option-mismatch": Error;

    /// A rule of validation that is not checked.
    ///
    /// Planloom's server accepts values that break it. Check it where the value is used.
    UNSUPPORTED_RULE = "unsupported-rule": Hint;

    /// A path in an option that names a field which does not exist.
    ///
    /// The path has no effect. Correct it, or add the field.
    UNKNOWN_FIELD = "unknown-field": Warning;

    /// A package that says twice which service it is.
    ///
    /// The second is ignored. Remove one of the options.
    DUPLICATE_SERVICE = "duplicate-service": Error;
}

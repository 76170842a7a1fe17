//! The codes of mistakes in patterns of names and ids.

diag::codes! {
    /// The codes of mistakes in patterns of names and ids.
    pub const PATTERNS in "names";

    /// A pattern of names without any segment.
    ///
    /// A pattern has at least one collection with its id.
    PATTERN_EMPTY = "pattern-empty": Error;

    /// A text that cannot be a collection of a pattern.
    ///
    /// Write the plural of the kind in lower camel case, such as `roleBindings`.
    PATTERN_COLLECTION = "pattern-collection": Error;

    /// A text that cannot be a variable of a pattern.
    ///
    /// Write the name of the kind in snake case, such as `role_binding`.
    PATTERN_VARIABLE = "pattern-variable": Error;

    /// A variable that is in a pattern twice.
    ///
    /// A kind cannot have two ancestors of one name. Rename one of them.
    PATTERN_DUPLICATE_VARIABLE = "pattern-duplicate-variable": Error;

    /// A text that is not a pattern of names.
    ///
    /// Write it as `projects/{project}/secrets/{secret}`.
    PATTERN_TEXT = "pattern-text": Error;

    /// A pattern whose ids take too much to check.
    ///
    /// Use smaller numbers of repetitions in the patterns of ids.
    PATTERN_TOO_LARGE = "pattern-too-large": Error;

    /// A pattern of ids that is not a regular expression that can be used.
    ID_PATTERN = "id-pattern": Error;

    /// A pattern of ids with a group that is not supported.
    ID_PATTERN_GROUP = "id-pattern-group": Error;
}

//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of problems of type definitions, which define the kinds of resources.
    pub const ALL in "types";

    /// A key that type definitions do not have.
    ///
    /// It is ignored, so a rule that it is meant to be would not hold. Correct it; keys that begin with `x-` are free
    /// for your own use.
    UNKNOWN_KEY = "unknown-key": Error, fix;

    /// A value of a type definition that is of another kind than required, such as a text instead of a list.
    ///
    /// The definition cannot be used as it is, and the field or kind may be missing from the model. Write what the
    /// message says.
    WRONG_KIND = "wrong-kind": Error;

    /// A value that is not among those that are allowed here.
    ///
    /// The help lists the allowed values. Write one of them.
    UNKNOWN_VALUE = "unknown-value": Error, fix;

    /// A key that a type definition needs and does not have.
    ///
    /// Without it the kind or field is not defined completely. Add it as the help says.
    MISSING_KEY = "missing-key": Error;

    /// A name of a kind that no definition has.
    ///
    /// Definitions may refer to kinds of the same file and of earlier ones, and to those that are built in. Correct
    /// the name, or define the kind.
    UNKNOWN_KIND = "unknown-kind": Error, fix;

    /// A path of a field that its kind does not have.
    ///
    /// A path is written as keys with `/` between them. Correct it, or define the field.
    UNKNOWN_FIELD = "unknown-field": Error, fix;

    /// An option of merging that has no effect with the chosen behavior.
    ///
    /// For example `by_key` says how items are matched, and nothing is matched if lists are appended. Remove the
    /// option, or choose another behavior.
    MERGE_WITHOUT_EFFECT = "merge-without-effect": Error;

    /// A type of a field that does not exist, or that needs an argument.
    ///
    /// Types such as `list` and `one_of` take an argument and are written as a map, for example `type: {list: text}`.
    /// The help shows the form.
    UNKNOWN_TYPE = "unknown-type": Error;

    /// A range of numbers that contains none, because its `min` is greater than its `max`.
    ///
    /// No value could ever be valid. Exchange the two, or correct one.
    EMPTY_RANGE = "empty-range": Error;

    /// A default that does not match the type of its field.
    ///
    /// The default is ignored. Write a default of the type, or change the type.
    DEFAULT_DOES_NOT_FIT = "default-does-not-fit": Error;

    /// A collection or spelling that another kind has already.
    ///
    /// The key of a descriptor says of which kind its resources are, so two kinds cannot share one. This kind is left
    /// out. Choose another `collection` or spelling.
    SAME_COLLECTION = "same-collection": Error;
}

diag::codes! {
    /// The codes of problems of values that can be written in several ways.
    pub const FORMS in "lower";

    /// A text that is not a port or a pair of ports.
    ///
    /// Write `80`, or `8080:80` for the local port 8080 to the remote port 80. Ports are numbers from 1 to 65535.
    BAD_PORT = "bad-port": Error;

    /// A command that is written in none of the known forms.
    ///
    /// A command is a list of words to run, or a map with the name of the command and its parameters. The help shows
    /// the forms.
    ///
    /// ```yaml
    /// init: [["/bin/serve", "--port", "80"]]
    /// ```
    BAD_COMMAND = "bad-command": Error;
}

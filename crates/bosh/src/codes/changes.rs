//! The codes of problems of operations and variables, which change a document.

diag::codes! {
    /// The codes of problems of operations and variables, which change a document.
    pub const CHANGES in "bosh";

    /// An operation, or a file of operations, that cannot be read, or that has no document before it.
    ///
    /// The operation is left out. A file of operations is a list of maps with `type` and `path`, and comes after the
    /// file that it changes.
    ///
    /// ```yaml
    /// - type: replace
    ///   path: /instance_groups/name=web/instances
    ///   value: 3
    /// ```
    OPS = "ops": Error;

    /// An operation that replaces all links of a job and removes some of them.
    ///
    /// Often only one of them is to be changed. Write a path that ends at that link, as the help shows.
    OPS_DROPS = "ops-drops": Warning;

    /// A key that operations do not have.
    ///
    /// It is ignored. Known are `type`, `path`, `value`, `absent` and `error`; the help names a similar one.
    OPS_KEY = "ops-unknown-key": Warning;

    /// A path of an operation that does not exist in the document.
    ///
    /// The operation is not applied, and neither would the director apply it. The message shows up to where the path
    /// exists, and the help what could follow. A `?` after a step creates what is missing.
    OPS_NOWHERE = "ops-nowhere": Error, fix;

    /// A path of an operation that cannot be read, or that would remove the whole document.
    ///
    /// A path begins with `/` and has keys, indices and `key=value` as steps. Correct the place that is marked.
    OPS_PATH = "ops-path": Error;

    /// Operations that change another document than is probably intended.
    ///
    /// They are applied to the file before them. Give the document to change, and then its operations; only one that
    /// is not a config or a manifest can be changed at a time.
    OPS_TARGET = "ops-target": Error | Warning;

    /// A `test` operation that does not find what it expects.
    ///
    /// Such operations check that others fit the document. Either the document has changed, or an operation before
    /// it. The related place shows what is there.
    OPS_TEST = "ops-test": Error;

    /// A `((name))` for which no value was given.
    ///
    /// It stays as it is, as for the director, which may have the value. Give it with `--var` or a file of variables,
    /// or correct the name.
    UNDEFINED_VARIABLE = "undefined-variable": Warning;

    /// A value of a variable that no document contains.
    ///
    /// It has no effect. Write `((name))` where it belongs, or remove it.
    UNUSED_VARIABLE = "unused-variable": Hint;

    /// A value of a variable that cannot be written where the variable is.
    ///
    /// A list or map cannot be a part of a text, a path into a value needs its keys, and two keys of a map cannot
    /// become the same. The help says what to write.
    VARIABLE_VALUE = "variable-value": Error;
}

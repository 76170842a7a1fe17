//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of problems of merging layers.
    pub const ALL in "merge";

    /// A value that is a list, map or single value in one file and something else in an earlier one.
    ///
    /// The two cannot be merged, so the later value is ignored. Write a value of the same kind, or put `!override`
    /// before it to replace what the earlier file has.
    ///
    /// ```yaml
    /// # base.yaml
    /// ports: [80]
    /// # prod.yaml
    /// ports: {web: 80}
    /// ```
    KIND_MISMATCH = "kind-mismatch": Error;

    /// A list to which two files of one package add items.
    ///
    /// Files of a package have no order, so the order of the items is only that of the files' names. Keep the list in
    /// one file, or add one of them as a separate file after the package.
    LIST_WITHOUT_ORDER = "list-without-order": Warning;

    /// A `!reset` for which no earlier file has a value.
    ///
    /// It removes nothing, so probably the key is misspelled or the files are in another order than intended. Remove
    /// it, or move the file further down.
    NOTHING_TO_RESET = "nothing-to-reset": Warning;

    /// A descriptor whose whole is a list or a single value.
    ///
    /// A descriptor is a map of collections such as `services`. The file has no effect until then. Write `key: value`
    /// lines.
    NOT_A_MAP = "not-a-map": Error;

    /// A null that replaces a list or map of an earlier file.
    ///
    /// `key:` without a value is null, and everything that the earlier file has below the key is removed. This is
    /// often an entry whose lines were commented out. Write a value, or `!reset` to say that it is to be removed.
    ///
    /// ```yaml
    /// services:
    ///   web:
    ///     ports:
    /// ```
    NULL_OVER_VALUE = "null-over-value": Warning, fix;

    /// A value that two files of one package set differently.
    ///
    /// Files of a package have no order, so neither value overrides the other. Set it in one of them, or add one as a
    /// separate file after the package.
    PACKAGE_CONFLICT = "package-conflict": Error;

    /// A list whose items are twice in the result, because two files have the same items.
    ///
    /// A later list is appended to the earlier one where its type does not say otherwise. Remove one of them, or put
    /// `!override` before the later list.
    REPEATED_LIST = "repeated-list": Hint;

    /// A value after `!reset`, which is not used.
    ///
    /// `!reset` removes what was inherited and sets nothing. Write `!override` to replace it by this value, or
    /// nothing after `!reset`.
    RESET_WITH_VALUE = "reset-with-value": Warning;

    /// A value that the earlier file sets to the same.
    ///
    /// It has no effect now, and keeps the value if the earlier file changes, which may not be intended. Remove one
    /// of the two.
    SAME_VALUE = "same-value": Hint;

    /// An `!override` that changes nothing.
    ///
    /// Either no earlier file sets the value, or a single value replaces the earlier one anyway. The tag is for lists
    /// and maps that are merged otherwise. Remove it, or move the file further down.
    TAG_WITHOUT_EFFECT = "tag-without-effect": Hint;

    /// A key in the spelling of another dialect.
    ///
    /// It is read as the canonical key. With one spelling in all files, layers are easier to compare. The fix renames
    /// it where it stays in its place.
    OTHER_SPELLING = "other-spelling": Hint, fix;

    /// A key that is written in two spellings in one map.
    ///
    /// Both mean the same, so one of the values is ignored. Move what is there to the canonical key.
    SPELLED_TWICE = "spelled-twice": Error;
}

//! The codes of problems of the keys and values of descriptors.

diag::codes! {
    /// The codes of problems of the keys and values of descriptors.
    pub const VALUES in "lower";

    /// A key that the kind of the resource does not have.
    ///
    /// It has no effect, so what it is meant to set keeps its default. Correct the spelling, which the fix does where
    /// one key is close, or remove it. Keys that begin with `x-` are free for your own use. With `--lenient` it is a
    /// warning.
    ///
    /// ```yaml
    /// services:
    ///   web: {payload: p, pyload: q}
    /// ```
    UNKNOWN_KEY = "unknown-key": Error | Warning, fix;

    /// A value of another kind than its field takes, such as a text where a list is expected.
    ///
    /// The field counts as not set, which may cause further problems. Write what the message names; where the meaning
    /// is clear, the fix does.
    ///
    /// ```yaml
    /// services:
    ///   web: {payload: p, depends_on: db}   # a list: [db]
    /// ```
    WRONG_KIND = "wrong-kind": Error, fix;

    /// A resource without a field that its kind requires.
    ///
    /// The resource cannot be planned without it. Add the field; the help says what it is for.
    MISSING_FIELD = "missing-field": Error;

    /// A name that is empty, begins or ends with a space, or has a letter that is written as two characters.
    ///
    /// Such a name looks like nothing or like another name, and a reference to what it looks like would not find it.
    /// Write it with characters that can be seen, here and everywhere it is used.
    UNCLEAR_NAME = "unclear-name": Error | Warning;

    /// A number or truth value where a text is expected.
    ///
    /// It is read as the text that is in the file, digits and all. Put it in quotes, so that other tools read the
    /// same.
    NOT_QUOTED = "not-quoted": Warning, fix;

    /// A number that is less or more than its field allows.
    ///
    /// The message names the limits. Write a number between them.
    OUT_OF_RANGE = "out-of-range": Error;

    /// A text that is not among the values that its field allows.
    ///
    /// The message lists them. Write one of them.
    NOT_ONE_OF = "not-one-of": Error, fix;
}

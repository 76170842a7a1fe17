//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of mistakes in problems of choosing versions.
    pub const ALL in "resolve";

    /// A file of a problem in a format that is not supported.
    ///
    /// The help names the supported format. Change `format` to it.
    UNKNOWN_FORMAT = "unknown-format": Error, fix;

    /// A key that such a file does not have.
    ///
    /// It is ignored, so a constraint that it is meant to be would not hold. Correct it; keys that begin with `x-`
    /// are free for your own use.
    UNKNOWN_KEY = "unknown-key": Error, fix;

    /// A value of another kind than required, such as a number where a text is expected.
    ///
    /// The variable or constraint is left out. Write what the message says; a text that looks like a number is put in
    /// quotes.
    WRONG_KIND = "wrong-kind": Error, fix;

    /// A key that is required and missing.
    ///
    /// The help says what to add.
    MISSING_KEY = "missing-key": Error;

    /// A constraint with no rule, or with several in one item.
    ///
    /// Each item of a list of constraints has exactly one rule, such as `mandatory` or `dependency`. Add one, or
    /// write each rule as an item of its own.
    NOT_ONE_RULE = "not-one-rule": Error;

    /// A rule that does not exist.
    ///
    /// The constraint has no effect until then. Correct it to one of the rules that the help names.
    UNKNOWN_RULE = "unknown-rule": Error, fix;

    /// A number of at most less than zero.
    ///
    /// `n: 0` permits none; less is not possible. Write 0 or more.
    NEGATIVE_NUMBER = "negative-number": Error;

    /// A rule that is set to false and has no effect.
    ///
    /// `mandatory: false` does not forbid anything. Remove the constraint, or write `prohibited`.
    NEEDLESS_RULE = "needless-rule": Warning;

    /// A constraint that refers to a variable that does not exist.
    ///
    /// Without it there is no answer. Correct the name, add the variable, or remove it from the constraint.
    UNKNOWN_VARIABLE = "unknown-variable": Error, fix;

    /// Two variables with the same name.
    ///
    /// The second is ignored. Rename one of them, or combine their constraints in one.
    DUPLICATE_VARIABLE = "duplicate-variable": Error;

    /// A variable that is listed more than once in one `at_most`.
    ///
    /// It counts once. List it once, or check whether another name was meant.
    REPEATED_VARIABLE = "repeated-variable": Warning;
}

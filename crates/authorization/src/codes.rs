//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of mistakes in access policies of served services.
    pub const ALL in "access-policy";

    /// An access policy that is empty.
    ///
    /// Nobody could do anything. Write `users:` and `bindings:`.
    EMPTY = "empty": Error;

    /// A value of another kind than its key takes, or no value.
    ///
    /// What cannot be read grants nothing. Write what the message says.
    TYPE = "type": Error;

    /// A key that is required and missing, such as the token of a user.
    ///
    /// The user, role or binding grants nothing until it is there. Add it.
    MISSING_KEY = "missing-key": Error;

    /// A key that access policies do not have.
    ///
    /// It is ignored, so a restriction that it is meant to be would not hold. Correct it; the help lists the known
    /// keys.
    UNKNOWN_KEY = "unknown-key": Error, fix;

    /// A user, role or token that is written twice.
    ///
    /// With the same token two users could not be distinguished. Remove one, or give each user a token of its own.
    DUPLICATE = "duplicate": Error;

    /// A token that cannot be one: not a digest of 64 hexadecimal digits, the digest of an empty text, or two for one
    /// user.
    ///
    /// Write the output of `printf %s "$TOKEN" | sha256sum | cut -c1-64` as `tokenSha256`, or the name of an
    /// environment variable as `tokenVariable`.
    TOKEN = "token": Error | Warning;

    /// A name of a user with a control character.
    ///
    /// Logs would not show it as it is. Remove the character.
    NAME = "name": Error;

    /// A permission that no served service has, or that several have.
    ///
    /// The role would not grant what is intended. Correct it, or write it in full with the name of its service.
    UNKNOWN_PERMISSION = "unknown-permission": Error, fix;

    /// A role that does not exist, or that several services have.
    ///
    /// The binding grants nothing until then. Correct it, or write it in full with the name of its service.
    UNKNOWN_ROLE = "unknown-role": Error, fix;

    /// A member of a binding who is not among the users.
    ///
    /// Correct the name, or add the user under `users`.
    UNKNOWN_USER = "unknown-user": Error, fix;

    /// A scope that is not the name of a resource of the served services.
    ///
    /// Write the name of one resource, such as `projects/p`, or leave `scope` out for all of them.
    SCOPE = "scope": Error;

    /// A user without a role.
    ///
    /// The user can sign in and may do nothing. Add a binding with the user among its `members`.
    UNUSED = "unused": Warning;
}

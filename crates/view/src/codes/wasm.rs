//! The codes of errors that the npm package throws.

diag::codes! {
    /// The codes of errors that the npm package throws.
    pub const ALL in "wasm";

    /// An argument that no call can be made with.
    ///
    /// The message says which, and what is expected.
    BAD_ARGUMENT = "bad-argument": Error;

    /// A zip package that cannot be read.
    BAD_PACKAGE = "bad-package": Error;

    /// A call before the engine has been loaded.
    ///
    /// Await the promise that loads it first.
    NOT_READY = "not-ready": Error;

    /// A mistake in Planloom itself.
    ///
    /// Report it with the message.
    INTERNAL = "internal": Error;
}

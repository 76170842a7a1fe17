//! The codes of problems of parts of the engine that load later.

diag::codes! {
    /// The codes of problems of parts of the engine that load later.
    pub const ALL in "capability";

    /// A file or call that needs a part of the engine that is not loaded.
    ///
    /// Hosts in a browser load parts as they are needed, and this one has not arrived or could not be fetched. In the
    /// npm package call `await workspace.ready()`, which loads what the files need, or `await load(name)`. In the
    /// app, load the page again.
    NOT_LOADED = "not-loaded": Error;
}

//! The codes of what this crate reports, each with its documentation.

// Hosts use nothing of manifests but this crate.
pub use bosh::codes as bosh;

diag::codes! {
    /// The codes of problems of templates that are filled in.
    pub const ALL in "preview";

    /// A name of a job or service that does not consume links, or does not exist.
    ///
    /// A template is filled in with the links and properties of one job or service. The help lists those with links.
    /// Correct the name.
    NO_OWNER = "no-owner": Error;

    /// A part of a template that is not run.
    ///
    /// Planloom fills in links and properties and runs only the part of Ruby that this takes. The part stays as it
    /// is; the director runs it. A `${…}` of descriptors is not filled in within templates.
    NOT_RUN = "not-run": Error;

    /// A part of a template that cannot be filled in.
    ///
    /// The message says why, for example that a link has no such property. The director would fail in the same place.
    FAILED = "failed": Error;
}

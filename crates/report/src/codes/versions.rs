//! The codes of problems of options for choosing versions.

diag::codes! {
    /// The codes of problems of options for choosing versions.
    pub const VERSIONS in "host";

    /// Problems of catalogs that are not shown with the answer.
    ///
    /// Catalogs are written by others. `planloom check` with the same arguments shows them.
    CATALOG_WARNINGS = "catalog-warnings": Warning;

    /// A format that this answer does not have.
    ///
    /// Only upgrades are drawn in Mermaid. Add `--upgrades PACKAGE`, or write `--format text`.
    FORMAT = "format": Error;

    /// A text that is not an API with group, version and kind.
    ///
    /// Write `--provides group/version/Kind`, with `*` for any.
    API = "api": Error;

    /// A `--priority` without catalog or number.
    ///
    /// Write `--priority community=10`.
    PRIORITY = "priority": Error;

    /// An `--if` without requirement or range.
    ///
    /// Write `--if payloads.queue=^2.0.0`.
    IF = "if": Error;

    /// A package that no catalog has.
    ///
    /// Give its catalog with `--catalog`.
    NO_PACKAGE = "no-package": Error;

    /// An option to write something, where there is nothing to write.
    ///
    /// Remove the option.
    NOTHING_WRITTEN = "nothing-written": Warning;

    /// A lock that is not written, because a name in it has a character that cannot be seen.
    ///
    /// It would be refused when it is read again. `planloom check` shows where the character is.
    INVISIBLE_CHARACTER = "invisible-character": Error;
}

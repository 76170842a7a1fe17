//! The codes of problems of catalogs of packages.

diag::codes! {
    /// The codes of problems of catalogs of packages.
    pub const CATALOGS in "catalog";

    /// A value of a catalog or request that is of another kind than required.
    ///
    /// The value is ignored, and so may be the document that it belongs to. Write what the message names; a text that
    /// looks like a number is put in quotes.
    WRONG_KIND = "wrong-kind": Error;

    /// A field that is required and missing.
    ///
    /// A document without its name or package cannot be read. Add the field.
    MISSING_FIELD = "missing-field": Error;

    /// Two keys of one map that differ in case only.
    ///
    /// Keys of catalogs are not case-sensitive, so both mean the same. Keep one of them.
    DUPLICATE_KEY = "duplicate-key": Error;

    /// A package, channel, entry or bundle that is declared a second time.
    ///
    /// The first one is used. Remove the other, or merge the two.
    DUPLICATE = "duplicate": Error;

    /// A package that no catalog has.
    ///
    /// In a catalog, a channel, bundle or deprecation names a package that is not declared; in a request, it cannot
    /// be chosen. Correct the name, declare the package with a document `olm.package`, or give another catalog.
    UNKNOWN_PACKAGE = "unknown-package": Error, fix;

    /// A name of a package that OLM does not allow.
    ///
    /// Names consist of lower-case letters, digits and hyphens and are not too long. Choose another name.
    INVALID_NAME = "invalid-name": Error;

    /// A name in a catalog with a character that cannot be seen.
    ///
    /// Two names that look the same would be different. Remove it here and everywhere the name is used.
    INVISIBLE_CHARACTER = "invisible-character": Warning;

    /// A version of a bundle that cannot be read.
    ///
    /// Versions are three numbers, such as `1.2.0` or `1.2.0-rc.1`. The bundle cannot be chosen.
    INVALID_VERSION = "invalid-version": Error;

    /// A release of a bundle that is invalid or does not match its name.
    ///
    /// OLM requires the two to agree. Correct the release or the name of the bundle.
    INVALID_RELEASE = "invalid-release": Error;

    /// A range of versions that cannot be read.
    ///
    /// A `skipRange` is then ignored, and a bundle that requires such a range cannot be used. Write for example
    /// `>=1.0.0 <2.0.0`.
    INVALID_RANGE = "invalid-range": Error | Warning;

    /// A range that contains no version.
    ///
    /// In ranges of catalogs a space means "and"; "or" is ` || `, and there are no ranges with hyphens. Correct it.
    EMPTY_RANGE = "empty-range": Warning;

    /// A `skipRange` that contains the version of its own bundle, or all later ones.
    ///
    /// It would let a bundle replace itself or its successors. End the range with `<` and the bundle's own version.
    WIDE_SKIP_RANGE = "wide-skip-range": Warning;

    /// A property of a bundle that is invalid, missing or repeated.
    ///
    /// Each bundle has exactly one `olm.package` with its version, and at most one `olm.maxOpenShiftVersion`. Correct
    /// the properties.
    INVALID_PROPERTY = "invalid-property": Error;

    /// A constraint of a bundle that is invalid.
    ///
    /// Nothing satisfies it, so the bundle cannot be used; of several conditions in one constraint only one counts.
    /// Correct it as the help says.
    INVALID_CONSTRAINT = "invalid-constraint": Error | Warning, fix;

    /// A constraint that no bundle can satisfy.
    ///
    /// A bundle belongs to one package, and the constraint requires one that belongs to several. Split it into
    /// several constraints.
    IMPOSSIBLE_CONSTRAINT = "impossible-constraint": Warning;

    /// A package without channels, or a channel without bundles.
    ///
    /// Nothing of it can be chosen. Add a channel or an entry, or remove it.
    EMPTY = "empty": Error;

    /// A package whose default channel is not set or does not exist.
    ///
    /// Who names no channel takes the default one. Set `defaultChannel` to one of those that the help lists.
    DEFAULT_CHANNEL = "default-channel": Error;

    /// Bundles of one package with the same version.
    ///
    /// A version would not say which bundle is meant. Give one of them another version, or a release.
    DUPLICATE_VERSION = "duplicate-version": Error;

    /// A bundle without an image, or with a package that is not its own.
    ///
    /// It cannot be deployed. Set `image`, or correct the property `olm.package`.
    INVALID_BUNDLE = "invalid-bundle": Error;

    /// A bundle that is in no channel.
    ///
    /// It can never be chosen. Add it to the entries of a channel, or remove it.
    UNUSED_BUNDLE = "unused-bundle": Error;

    /// Entries of a channel for which there is no bundle.
    ///
    /// They cannot be chosen. Add a document `olm.bundle` for each, or remove the entry.
    MISSING_BUNDLE = "missing-bundle": Error;

    /// A channel with no head, or with several.
    ///
    /// The head is the one entry that no other replaces or skips; upgrades lead to it. Let all but one be replaced or
    /// skipped by another.
    CHANNEL_HEAD = "channel-head": Error;

    /// Bundles of a channel that replace each other in a circle.
    ///
    /// No upgrade would ever end. Remove one of the `replaces` that the message lists.
    REPLACES_CYCLE = "replaces-cycle": Error;

    /// Entries of a channel from which no upgrade leads to the head.
    ///
    /// Users of them could never upgrade. Let an entry on the chain from the head replace them, or let any entry skip
    /// them.
    STRANDED = "stranded": Error;

    /// A deprecation that is incomplete, repeated, or of something that does not exist.
    ///
    /// It is ignored, so nobody is warned. Each has a reference with a schema and a message.
    INVALID_DEPRECATION = "invalid-deprecation": Error;

    /// A template of a catalog, whose bundles are only known once it is rendered.
    ///
    /// Its packages and channels are read, and its bundles cannot be chosen. Render it with `opm alpha
    /// render-template basic`.
    TEMPLATE = "template": Hint;

    /// A file of a catalog that is too large to be read.
    ///
    /// Split it into several files of one folder.
    TOO_LARGE = "too-large": Error;

    /// A file that was named as a catalog and is empty.
    ///
    /// It offers no package, as after a failed download. Download it again, or remove it.
    EMPTY_FILE = "empty-file": Warning;

    /// A catalog that offers no package.
    ///
    /// It has no document `olm.package`, so probably another file was meant.
    NO_PACKAGE = "no-package": Warning;

    /// A number of further problems in this catalog that are not listed.
    ///
    /// Fix those that are listed, and check again.
    TOO_MANY = "too-many-problems": Error | Warning;
}

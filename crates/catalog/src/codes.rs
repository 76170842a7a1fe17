//! The names of the mistakes this crate finds in catalogs.

use diag::Code;

/// A value of another kind than is requested.
pub(crate) const WRONG_KIND: Code = Code("catalog/wrong-kind");
/// Something that must be there is not.
pub(crate) const MISSING_FIELD: Code = Code("catalog/missing-field");
/// Keys that differ in case only.
pub(crate) const DUPLICATE_KEY: Code = Code("catalog/duplicate-key");
/// A second thing of a name.
pub(crate) const DUPLICATE: Code = Code("catalog/duplicate");
/// Something of a package that is not declared.
pub(crate) const UNKNOWN_PACKAGE: Code = Code("catalog/unknown-package");
/// A name that is not allowed.
pub(crate) const INVALID_NAME: Code = Code("catalog/invalid-name");
/// A name with a character in it that cannot be seen.
pub(crate) const INVISIBLE_CHARACTER: Code = Code("catalog/invisible-character");
/// A version that cannot be read.
pub(crate) const INVALID_VERSION: Code = Code("catalog/invalid-version");
/// A release that cannot be read, or does not fit.
pub(crate) const INVALID_RELEASE: Code = Code("catalog/invalid-release");
/// A range that cannot be read.
pub(crate) const INVALID_RANGE: Code = Code("catalog/invalid-range");
/// A range that no version is in.
pub(crate) const EMPTY_RANGE: Code = Code("catalog/empty-range");
/// A `skipRange` that its own version or everything later is in.
pub(crate) const WIDE_SKIP_RANGE: Code = Code("catalog/wide-skip-range");
/// A property that cannot be read, or is there too often.
pub(crate) const INVALID_PROPERTY: Code = Code("catalog/invalid-property");
/// A constraint that cannot be read.
pub(crate) const INVALID_CONSTRAINT: Code = Code("catalog/invalid-constraint");
/// A constraint that no bundle can meet.
pub(crate) const IMPOSSIBLE_CONSTRAINT: Code = Code("catalog/impossible-constraint");
/// A package without channels, or a channel without bundles.
pub(crate) const EMPTY: Code = Code("catalog/empty");
/// A default channel that is not set or not there.
pub(crate) const DEFAULT_CHANNEL: Code = Code("catalog/default-channel");
/// Bundles of one version.
pub(crate) const DUPLICATE_VERSION: Code = Code("catalog/duplicate-version");
/// A bundle without image, or of another package than its own.
pub(crate) const INVALID_BUNDLE: Code = Code("catalog/invalid-bundle");
/// A bundle that is in no channel.
pub(crate) const UNUSED_BUNDLE: Code = Code("catalog/unused-bundle");
/// Entries without bundles.
pub(crate) const MISSING_BUNDLE: Code = Code("catalog/missing-bundle");
/// A channel with no head or several.
pub(crate) const CHANNEL_HEAD: Code = Code("catalog/channel-head");
/// Bundles that replace each other in a circle.
pub(crate) const REPLACES_CYCLE: Code = Code("catalog/replaces-cycle");
/// Entries that are neither on the chain of replacements nor skipped.
pub(crate) const STRANDED: Code = Code("catalog/stranded");
/// A deprecation that does not fit.
pub(crate) const INVALID_DEPRECATION: Code = Code("catalog/invalid-deprecation");
/// A template, whose bundles are known once it is rendered.
pub(crate) const TEMPLATE: Code = Code("catalog/template");
/// A file that is too large.
pub(crate) const TOO_LARGE: Code = Code("catalog/too-large");
/// A file that was named as a catalog and has nothing in it.
pub(crate) const EMPTY_FILE: Code = Code("catalog/empty-file");
/// A catalog without any package.
pub(crate) const NO_PACKAGE: Code = Code("catalog/no-package");
/// More problems than are listed.
pub(crate) const TOO_MANY: Code = Code("catalog/too-many-problems");

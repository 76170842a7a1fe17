//! The codes of diagnostics for catalogs.

use diag::Code;

/// A value of another type than required.
pub(crate) const WRONG_KIND: Code = Code("catalog/wrong-kind");
/// A missing required field.
pub(crate) const MISSING_FIELD: Code = Code("catalog/missing-field");
/// Keys that differ in case only.
pub(crate) const DUPLICATE_KEY: Code = Code("catalog/duplicate-key");
/// A second declaration of a name.
pub(crate) const DUPLICATE: Code = Code("catalog/duplicate");
/// An element of a package that is not declared.
pub(crate) const UNKNOWN_PACKAGE: Code = Code("catalog/unknown-package");
/// A name that is not allowed.
pub(crate) const INVALID_NAME: Code = Code("catalog/invalid-name");
/// A name with an invisible character in it.
pub(crate) const INVISIBLE_CHARACTER: Code = Code("catalog/invisible-character");
/// An invalid version.
pub(crate) const INVALID_VERSION: Code = Code("catalog/invalid-version");
/// A release that is invalid or does not match.
pub(crate) const INVALID_RELEASE: Code = Code("catalog/invalid-release");
/// An invalid range.
pub(crate) const INVALID_RANGE: Code = Code("catalog/invalid-range");
/// A range that contains no version.
pub(crate) const EMPTY_RANGE: Code = Code("catalog/empty-range");
/// A `skipRange` that contains its own version or all later ones.
pub(crate) const WIDE_SKIP_RANGE: Code = Code("catalog/wide-skip-range");
/// A property that is invalid or repeated.
pub(crate) const INVALID_PROPERTY: Code = Code("catalog/invalid-property");
/// An invalid constraint.
pub(crate) const INVALID_CONSTRAINT: Code = Code("catalog/invalid-constraint");
/// A constraint that no bundle can meet.
pub(crate) const IMPOSSIBLE_CONSTRAINT: Code = Code("catalog/impossible-constraint");
/// A package without channels, or a channel without bundles.
pub(crate) const EMPTY: Code = Code("catalog/empty");
/// A default channel that is not set or does not exist.
pub(crate) const DEFAULT_CHANNEL: Code = Code("catalog/default-channel");
/// Bundles of the same version.
pub(crate) const DUPLICATE_VERSION: Code = Code("catalog/duplicate-version");
/// A bundle without image, or in another package than its own.
pub(crate) const INVALID_BUNDLE: Code = Code("catalog/invalid-bundle");
/// A bundle that is in no channel.
pub(crate) const UNUSED_BUNDLE: Code = Code("catalog/unused-bundle");
/// Entries without bundles.
pub(crate) const MISSING_BUNDLE: Code = Code("catalog/missing-bundle");
/// A channel with no head or several.
pub(crate) const CHANNEL_HEAD: Code = Code("catalog/channel-head");
/// Bundles that replace each other in a cycle.
pub(crate) const REPLACES_CYCLE: Code = Code("catalog/replaces-cycle");
/// Entries that are neither on the chain of replacements nor skipped.
pub(crate) const STRANDED: Code = Code("catalog/stranded");
/// A deprecation that does not match.
pub(crate) const INVALID_DEPRECATION: Code = Code("catalog/invalid-deprecation");
/// A template; its bundles are only known after rendering.
pub(crate) const TEMPLATE: Code = Code("catalog/template");
/// A file that is too large.
pub(crate) const TOO_LARGE: Code = Code("catalog/too-large");
/// A file that was named as a catalog and is empty.
pub(crate) const EMPTY_FILE: Code = Code("catalog/empty-file");
/// A catalog without any package.
pub(crate) const NO_PACKAGE: Code = Code("catalog/no-package");
/// More problems than are listed.
pub(crate) const TOO_MANY: Code = Code("catalog/too-many-problems");

//! The names of the mistakes this crate finds.

use diag::Code;

/// The text is not YAML here, for a reason that has no name of its own.
pub(crate) const INVALID: Code = Code("syntax/invalid");
/// A tab where only spaces may be.
pub(crate) const TAB: Code = Code("syntax/tab");
/// `key:value` where `key: value` is meant.
pub(crate) const MISSING_SPACE: Code = Code("syntax/missing-space");
/// A line that starts neither where its neighbours do nor where it could go deeper.
pub(crate) const INDENTATION: Code = Code("syntax/indentation");
/// A line inside quotes or brackets that is not indented as YAML 1.2 wants; libyaml reads it, and so do we.
pub(crate) const CONTINUATION_INDENTATION: Code = Code("syntax/continuation-indentation");
/// A comment without a space before its `#`; libyaml reads it, and so do we.
pub(crate) const COMMENT_SPACE: Code = Code("syntax/comment-space");
/// A quote that is not closed.
pub(crate) const UNCLOSED_QUOTE: Code = Code("syntax/unclosed-quote");
/// `[` or `{` that is not closed, or a closing one too many.
pub(crate) const UNCLOSED_BRACKET: Code = Code("syntax/unclosed-bracket");
/// A key that its map has already.
pub(crate) const DUPLICATE_KEY: Code = Code("syntax/duplicate-key");
/// A list or map as a key, or no key at all.
pub(crate) const KEY_NOT_TEXT: Code = Code("syntax/key-not-text");
/// An unknown tag.
pub(crate) const UNKNOWN_TAG: Code = Code("syntax/unknown-tag");
/// A merge tag before a key.
pub(crate) const TAG_ON_KEY: Code = Code("syntax/tag-on-key");
/// A core tag whose value is of another kind, such as `!!int x`.
pub(crate) const TAG_MISMATCH: Code = Code("syntax/tag-mismatch");
/// A scalar that YAML 1.1 and 1.2 read differently.
pub(crate) const AMBIGUOUS_SCALAR: Code = Code("syntax/ambiguous-scalar");
/// A number that does not fit.
pub(crate) const NUMBER_TOO_BIG: Code = Code("syntax/number-too-big");
/// A second document in the file.
pub(crate) const SEVERAL_DOCUMENTS: Code = Code("syntax/several-documents");
/// A character that no YAML text may hold.
pub(crate) const CONTROL_CHARACTER: Code = Code("syntax/control-character");
/// A key with a character in it that cannot be seen.
pub(crate) const INVISIBLE_CHARACTER: Code = Code("syntax/invisible-character");
/// The file is not text.
pub(crate) const NOT_TEXT: Code = Code("syntax/not-text");
/// An alias of an anchor that is not there.
pub(crate) const UNKNOWN_ALIAS: Code = Code("syntax/unknown-alias");
/// An alias inside what it stands for.
pub(crate) const RECURSIVE_ALIAS: Code = Code("syntax/recursive-alias");
/// Aliases that stand for more than is allowed.
pub(crate) const TOO_MANY_ALIASES: Code = Code("syntax/too-many-aliases");
/// `<<` with what is no map.
pub(crate) const MERGE_KEY: Code = Code("syntax/merge-key");
/// Collections too deep inside each other.
pub(crate) const TOO_DEEP: Code = Code("syntax/too-deep");
/// More bytes than are read.
pub(crate) const TOO_LARGE: Code = Code("syntax/too-large");
/// More problems than are listed.
pub(crate) const TOO_MANY: Code = Code("syntax/too-many-problems");

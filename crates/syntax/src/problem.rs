use diag::Diagnostic;

use crate::builder::Builder;
use crate::codes;

/// What the parser says of an alias without anchor.
pub(crate) const UNKNOWN_ANCHOR: &str = "while parsing node, found unknown anchor";
/// What the parser says of a tag like `!x!y` without `%TAG`.
pub(crate) const UNKNOWN_HANDLE: &str = "the handle wasn't declared";

/// The diagnostic of what stopped the parser at byte `at`.
pub(crate) fn describe(builder: &Builder<'_>, at: usize, info: &str) -> Diagnostic {
    let end = builder.text[at..].chars().next().map_or(at, |it| at + it.len_utf8());
    Diagnostic::error(codes::INVALID, builder.span(at, end), format!("this is not valid YAML: {info}"))
}

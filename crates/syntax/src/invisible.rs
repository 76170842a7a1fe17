use diag::{Diagnostic, Span, is_invisible};

use crate::codes;
use crate::report::Report;

/// Reports a key that has an invisible character: two names that appear the same would be two keys, and a character that turns
/// the direction of text shows another name than there is.
pub(crate) fn check_key(text: &str, key: &str, span: Span, report: &mut Report) {
    let Some(hidden) = key.chars().find(|it| is_invisible(*it)) else { return };
    let message =
        format!("the key `{key}` has the character U+{:04X} in it, which cannot be seen", u32::from(hidden));
    let found = Diagnostic::error(codes::INVISIBLE_CHARACTER, span, message).help(
        "names consist of characters that can be seen: remove it here and everywhere the name is \
               used",
    );
    let seen: String = key.chars().filter(|it| !is_invisible(*it)).collect();
    let found = match is_certain(text, span, &seen) {
        true => found.replace(format!("Rename to `{seen}`"), span, seen.clone()),
        false => found,
    };
    report.push(found);
}

/// True if nothing else can be meant by the name without the character: it is a plain word, no other node has this name, and no
/// reference has it as it is written.
fn is_certain(text: &str, span: Span, seen: &str) -> bool {
    let written = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let is_word = seen.starts_with(|it: char| it.is_ascii_alphabetic())
        && seen.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-' || it == b'_');
    is_word && !text.contains(seen) && text.matches(written).count() == 1
}

//! The diagnostics of merging: one function for each code.

use diag::Diagnostic;
use model::Pointer;
use syntax::Node;

use crate::{codes, source::Piece};

pub(crate) fn not_a_map(root: &Node) -> Diagnostic {
    let message = format!("a descriptor must be a map, not a {}", group_name(root));
    Diagnostic::error(codes::NOT_A_MAP, root.span, message).help("write `key: value` lines, e.g. `services:`")
}

pub(crate) fn kind_mismatch(at: &Pointer, earlier: &Piece<'_>, later: &Piece<'_>) -> Diagnostic {
    let (was, is) = (group_name(earlier.node), group_name(later.node));
    let message = format!("{} is a {is} here and a {was} in an earlier file", shown(at));
    Diagnostic::error(codes::KIND_MISMATCH, later.place(), message)
        .related(earlier.place(), format!("a {was} here"))
        .help(format!(
            "write a {was}, or put `!override` before the value to replace what is there; until then this \
             value is ignored"
        ))
}

pub(crate) fn kind_mismatch_in_package(at: &Pointer, one: &Piece<'_>, other: &Piece<'_>) -> Diagnostic {
    let (was, is) = (group_name(one.node), group_name(other.node));
    let message = format!("{} is a {is} here and a {was} in another file of the package", shown(at));
    Diagnostic::error(codes::KIND_MISMATCH, other.place(), message)
        .related(one.place(), format!("a {was} here"))
        .help(format!("write a {was}; until then this value is ignored"))
}

pub(crate) fn null_over_value(at: &Pointer, earlier: &Piece<'_>, later: &Piece<'_>) -> Diagnostic {
    let was = group_name(earlier.node);
    let message = format!("null replaces the {was} that an earlier file sets for {}", shown(at));
    let found = Diagnostic::warning(codes::NULL_OVER_VALUE, later.place(), message)
        .related(earlier.place(), format!("this {was} is removed"))
        .help("write a value; or `!reset` to remove what an earlier file sets");
    let written = later.node.span;
    if written.start == written.end {
        return found;
    }
    found.replace("Remove it with `!reset`", written, "!reset null")
}

pub(crate) fn same_value(at: &Pointer, earlier: &Piece<'_>, later: &Piece<'_>) -> Diagnostic {
    let message = format!("{} is set to the value that it has already", shown(at));
    Diagnostic::hint(codes::SAME_VALUE, later.place(), message)
        .related(earlier.place(), "set here")
        .help("remove one of them")
}

pub(crate) fn repeated_list(at: &Pointer, earlier: &Piece<'_>, later: &Piece<'_>) -> Diagnostic {
    let message =
        format!("{} has these items twice: a later file's list is appended to the earlier one", shown(at));
    Diagnostic::hint(codes::REPEATED_LIST, later.place(), message)
        .related(earlier.place(), "the same items")
        .help("remove one of them; or put `!override` before a list to replace what is there")
}

pub(crate) fn nothing_to_reset(at: &Pointer, piece: &Piece<'_>) -> Diagnostic {
    let message = match piece.key {
        Some(_) => format!("`!reset` removes nothing: no earlier file sets {}", shown(at)),
        None => format!("`!reset` removes nothing: no earlier file adds this to {}", shown(at)),
    };
    Diagnostic::warning(codes::NOTHING_TO_RESET, piece.place(), message)
        .help("remove this, or move the file further down")
}

pub(crate) fn reset_with_value(piece: &Piece<'_>) -> Diagnostic {
    Diagnostic::warning(codes::RESET_WITH_VALUE, piece.place(), "the value after `!reset` is not used")
        .help("write `!override` to replace what was inherited, or nothing after `!reset` to remove it")
}

pub(crate) fn nothing_to_override(at: &Pointer, piece: &Piece<'_>) -> Diagnostic {
    let why = match piece.key {
        Some(_) => format!("no earlier file sets {}", shown(at)),
        None if *at == Pointer::root() => "this is the first file".to_owned(),
        None => "no earlier file has this item".to_owned(),
    };
    let message = format!("`!override` replaces nothing: {why}");
    Diagnostic::hint(codes::TAG_WITHOUT_EFFECT, piece.place(), message)
        .help("remove the tag, or move the file further down")
}

pub(crate) fn replaced_anyway(at: &Pointer, earlier: &Piece<'_>, later: &Piece<'_>) -> Diagnostic {
    let message = format!("`!override` changes nothing: this value of {} counts without it", shown(at));
    Diagnostic::hint(codes::TAG_WITHOUT_EFFECT, later.place(), message)
        .related(earlier.place(), "the value that is replaced")
        .help("remove the tag; it is for lists and maps, which are merged without it")
}

pub(crate) fn package_conflict(at: &Pointer, one: &Piece<'_>, other: &Piece<'_>) -> Diagnostic {
    let message = format!("two files of one package disagree about {}, and they have no order", shown(at));
    Diagnostic::error(codes::PACKAGE_CONFLICT, other.place(), message)
        .related(one.place(), "the other value")
        .help("set it in one of them only, or add one as a separate file after the package")
}

pub(crate) fn list_without_order(at: &Pointer, one: &Piece<'_>, other: &Piece<'_>) -> Diagnostic {
    let message = format!("two files of one package add to the list {}, and they have no order", shown(at));
    Diagnostic::warning(codes::LIST_WITHOUT_ORDER, other.place(), message)
        .related(one.place(), "the other items; they come first because the name of their file does")
        .help("keep the list in one file, or add one as a separate file after the package")
}

/// `map`, `list` or `single value`: what decides how two nodes merge that are not null.
const fn group_name(node: &Node) -> &'static str {
    match node.kind_name().as_bytes() {
        b"map" => "map",
        b"list" => "list",
        _ => "single value",
    }
}

/// A place as people write it: `services.web.init[0]`; a key with a dot or space is put in quotes.
fn shown(at: &Pointer) -> String {
    let mut text = String::new();
    for segment in at.segments() {
        if segment.bytes().all(|byte| byte.is_ascii_digit()) && !segment.is_empty() && !text.is_empty() {
            text.push_str(&format!("[{segment}]"));
            continue;
        }
        if !text.is_empty() {
            text.push('.');
        }
        let plain = !segment.is_empty() && !segment.contains(['.', '[', ']', '"', ' ']);
        text.push_str(&if plain { segment } else { format!("\"{segment}\"") });
    }
    if text.is_empty() { "the descriptor".into() } else { format!("`{text}`") }
}

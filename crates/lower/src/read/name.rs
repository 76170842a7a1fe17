//! Unknown names.

use std::sync::Arc;

use diag::{Diagnostic, Span};

use crate::{
    codes,
    declare::{Declarations, is_combining_mark},
};

/// The diagnostic for an unknown name of a kind, and the name that was probably meant.
pub(crate) fn unknown_name(
    declarations: &mut Declarations<'_>,
    kind: &str,
    name: &str,
    span: Span,
) -> (Diagnostic, Option<Arc<str>>) {
    let types = declarations.types;
    let own = types.kinds.iter().position(|it| &*it.kind == kind);
    if let Some(definition) = own.map(|own| &types.kinds[own]).filter(|it| it.singleton) {
        let message = format!("`{}` is not written", definition.collection);
        let help = format!("write `{}:` with the referenced value", definition.collection);
        return (Diagnostic::error(codes::UNKNOWN_NAME, span, message).help(help), None);
    }
    let elsewhere =
        types.kinds.iter().find(|it| &*it.kind != kind && declarations.find(&it.kind, name).is_some());
    let message = match elsewhere {
        Some(other) => format!("`{name}` is a {}, not a {kind}", other.kind),
        None => format!("no {kind} is called `{name}`"),
    };
    let likely = own.and_then(|own| declarations.likely(own, name));
    let help = match (&likely, own.map_or(&[][..], |own| declarations.names(own))) {
        (Some(likely), _) => format!("did you mean `{likely}`?{}", unseen_difference(name, likely)),
        (None, []) => format!("no {kind} is declared"),
        (None, names) => {
            let shown = names.iter().take(8).map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
            format!("declared: {shown}{}", if names.len() > 8 { ", …" } else { "" })
        }
    };
    let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, span, message).help(help);
    match &likely {
        Some(likely) => (name_fix(diagnostic, span, name, likely), Some(Arc::clone(likely))),
        None => (diagnostic, None),
    }
}

/// In which characters names differ that look the same; nothing for others.
fn unseen_difference(name: &str, other: &str) -> String {
    if !name.chars().chain(other.chars()).any(is_combining_mark) {
        return String::new();
    }
    let same = name.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let codes = |name: &str| {
        let codes = name.chars().skip(same).take(2).map(|it| format!("U+{:04X}", u32::from(it)));
        codes.collect::<Vec<_>>().join(" ")
    };
    format!(" It looks the same, but is written with {} in place of {}", codes(other), codes(name))
}

/// True if a name can be used in a reference without quotes.
pub(super) fn is_plain_key(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}

/// A span can only be replaced by another name if it is exactly the name, and the other needs no quotes.
fn name_fix(diagnostic: Diagnostic, span: Span, name: &str, likely: &str) -> Diagnostic {
    if (span.end - span.start) as usize == name.len() && is_plain_key(likely) {
        diagnostic.replace(format!("Change to `{likely}`"), span, likely)
    } else {
        diagnostic
    }
}

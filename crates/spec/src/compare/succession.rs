//! The statements of an old version about the one that replaces it.

use diag::{Diagnostic, Diagnostics, Span};

use super::{Side, pairs};
use crate::{
    codes::{NEXT_VERSION, REPLACEMENT},
    skeleton::Text,
};

/// The disagreements of the old version with the new one about its replacement: the next version, and replacements of kinds and
/// methods. The places are in the old version's files. A version that is compared with itself has none.
pub fn check_succession(old: Side<'_>, new: Side<'_>) -> Diagnostics {
    let mut report = Diagnostics::new();
    let (Some(before), Some(after)) = (old.own(), new.own()) else { return report };
    if before.version == after.version {
        return report;
    }
    if before.next_version.as_ref() != Some(&after.version) {
        report.push(next_version(before.span, before.next_version.as_deref(), &after.version));
    }
    for kind in &before.kinds {
        let Some(replacement) = &kind.replacement else { continue };
        if !after.kinds.iter().any(|it| &*it.name == new.short(&replacement.value)) {
            report.push(absent(replacement, "resource", &after.version));
        }
    }
    let kinds = pairs::kinds(old, new);
    for api in &before.apis {
        let group = pairs::api(api, &kinds, old, new).unwrap_or(api);
        for replacement in api.methods.iter().filter_map(|it| it.replacement.as_ref()) {
            let is_own = !replacement.value.contains('/') && std::ptr::eq(group, api);
            if is_own || pairs::replacement(replacement, group, new).is_none() {
                report.push(absent(replacement, "method", &after.version));
            }
        }
    }
    report
}

fn next_version(span: Span, written: Option<&str>, new: &str) -> Diagnostic {
    let message = match written {
        Some(written) => format!("the next version is `{written}`, and `{new}` is compared"),
        None => format!("the old version does not name `{new}` as its next version"),
    };
    Diagnostic::hint(NEXT_VERSION, span, message)
        .help(format!("write `nextVersion: {new}` in the old version, under `proto.package`"))
}

fn absent(replacement: &Text, what: &str, version: &str) -> Diagnostic {
    let message =
        format!("there is no {what} `{}` in {version}, which is to replace this one", replacement.value);
    Diagnostic::warning(REPLACEMENT, replacement.span, message)
        .help("name one of the new version, or leave `replacement` out if the name is the same or nothing replaces it")
}

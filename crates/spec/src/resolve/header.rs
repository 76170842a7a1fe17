//! Texts of the header that become parts of names, paths of HTTP and names of generated files.

use diag::{Diagnostic, Diagnostics};

use super::Input;
use crate::{codes::NAME_FORM, skeleton::Text};

/// Characters of a domain, and of one of its labels (RFC 1035).
const MAX_DOMAIN: usize = 253;
const MAX_LABEL: usize = 63;

/// The required form of a text.
struct Form {
    /// True if a text has the form.
    is: fn(&str) -> bool,
    /// As a message ends.
    name: &'static str,
    help: &'static str,
}

const DOMAIN: Form = Form {
    is: is_domain,
    name: "the domain of a service",
    help: "write labels of letters, digits and hyphens with dots between them, as in `library.example.com`",
};
const PACKAGE: Form = Form {
    is: is_package,
    name: "a package of protobuf",
    help: "write names of letters, digits and underscores with dots between them, as in `example.library`",
};
const VERSION: Form = Form {
    is: is_segment,
    name: "a version: it is a segment of paths",
    help: "write `v1`, `v2alpha` or `v2beta1`",
};
const PREFIX: Form = Form {
    is: is_segment,
    name: "one segment of a path",
    help: "write letters, digits, `-`, `_` and `.` without a slash, as in `library`",
};

/// Reports texts that cannot be what they become part of.
pub(super) fn check(inputs: &[&Input], report: &mut Diagnostics) {
    for Input { skeleton, .. } in inputs {
        let package = &skeleton.package;
        let forms = [
            (&skeleton.name, DOMAIN),
            (&package.name, PACKAGE),
            (&package.current_version, VERSION),
            (&package.next_version, VERSION),
            (&skeleton.service.http_namespace_prefix, PREFIX),
        ];
        report.extend(forms.into_iter().filter_map(|(text, form)| problem(text.as_ref()?, &form)));
    }
}

fn problem(text: &Text, form: &Form) -> Option<Diagnostic> {
    let message = || format!("`{}` is not {}", text.value, form.name);
    (!(form.is)(&text.value)).then(|| Diagnostic::error(NAME_FORM, text.span, message()).help(form.help))
}

fn is_domain(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=MAX_LABEL).contains(&label.len())
            && label.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= MAX_DOMAIN && text.split('.').all(is_label)
}

fn is_package(text: &str) -> bool {
    let is_name = |name: &str| {
        name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
            && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
    };
    text.split('.').all(is_name)
}

/// True if a text can be a segment of a path as it is written; clients take `.` and `..` for steps in a folder.
pub(crate) fn is_segment(text: &str) -> bool {
    !matches!(text, "" | "." | "..")
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_other_forms_are_refused() {
        let long = "a".repeat(MAX_LABEL + 1);
        for (form, good, bad) in [
            (
                DOMAIN,
                vec!["library.example.com", "cellular-api.edgelq.com", "library", "4.example.com"],
                vec![
                    "",
                    "../../etc",
                    ".com",
                    "a..b",
                    "-a.com",
                    "a-.com",
                    "a b.com",
                    "a_b.com",
                    "ü.com",
                    &*long,
                ],
            ),
            (
                PACKAGE,
                vec!["ntt.secrets", "queue", "_a.b2"],
                vec!["", "a/../b; rm", "a.", ".a", "a.2b", "a-b"],
            ),
            (
                VERSION,
                vec!["v1", "beta", "version-1", "1.0"],
                vec!["", ".", "..", "v1/../..", "v 1", "v1?", "v%31"],
            ),
            (PREFIX, vec!["meta", "a.b", "a_b-c"], vec!["", "../a b", "/a", "a/b", "..", "a:b", "{a}"]),
        ] {
            for text in good {
                assert!((form.is)(text), "`{text}` is {}", form.name);
            }
            for text in bad {
                assert!(!(form.is)(text), "`{text}` is not {}", form.name);
            }
        }
    }
}

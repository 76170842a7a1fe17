//! Paths of HTTP that are written out: `/v1/{name=projects/*/secrets/*}:rotate`.

use std::collections::BTreeSet;

use diag::{Diagnostic, Diagnostics};

use crate::{codes::HTTP_PATH, skeleton::Text};

/// Reports the paths that are none.
pub(super) fn check(paths: &[Text], report: &mut Diagnostics) {
    for path in paths {
        if let Some(why) = problem(&path.value) {
            let message = format!("`{}` is not a path of HTTP: {why}", path.value);
            let help = "write it as `/v1/{name=projects/*/secrets/*}:rotate`: segments after a `/` each, fields in \
                        braces, a verb after a colon at the end";
            report.push(Diagnostic::error(HTTP_PATH, path.span, message).help(help));
        }
    }
}

/// True if a text can be a verb: the end of a path, after a colon, and of a permission, after a dot.
pub(super) fn is_verb(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_alphabetic()) && text.chars().all(|it| it.is_ascii_alphanumeric())
}

fn problem(path: &str) -> Option<String> {
    let Some(rest) = path.strip_prefix('/') else { return Some("it does not begin with `/`".to_owned()) };
    let (rest, verb) = match rest.rsplit_once(':').filter(|(_, verb)| !verb.contains(['/', '}'])) {
        Some((rest, verb)) => (rest, Some(verb)),
        None => (rest, None),
    };
    if let Some(verb) = verb.filter(|it| !is_verb(it)) {
        return Some(format!("`{verb}` is not a verb"));
    }
    let mut fields = BTreeSet::new();
    segments(rest).into_iter().find_map(|segment| of_segment(segment, &mut fields))
}

/// The text between slashes; those in braces do not count.
fn segments(path: &str) -> Vec<&str> {
    let (mut depth, mut segments, mut start) = (0_usize, Vec::new(), 0);
    for (at, character) in path.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '/' if depth == 0 => {
                segments.extend(path.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    segments.extend(path.get(start..));
    segments
}

fn of_segment<'a>(segment: &'a str, fields: &mut BTreeSet<&'a str>) -> Option<String> {
    let Some(inner) = segment.strip_prefix('{') else { return of_text(segment) };
    let Some(inner) = inner.strip_suffix('}') else {
        return Some(format!("`{segment}` does not end with `}}`"));
    };
    let (field, template) = inner.split_once('=').unwrap_or((inner, "*"));
    if !field.split('.').all(is_field) {
        return Some(format!("`{field}` is not the name of a field"));
    }
    if !fields.insert(field) {
        return Some(format!("the field `{field}` is there twice"));
    }
    template.split('/').filter(|it| !matches!(*it, "*" | "**")).find_map(of_text)
}

fn is_field(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
        && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

/// Percent signs are left out too: a path is compared after it is decoded.
fn of_text(segment: &str) -> Option<String> {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-._~!$&'()+,;@".contains(it);
    match segment {
        "" => Some("it has an empty segment".to_owned()),
        "." | ".." => Some(format!("clients interpret `{segment}` as a relative path segment")),
        _ => segment
            .chars()
            .find(|it| !is_plain(*it))
            .map(|it| format!("`{segment}` has a `{}`", it.escape_debug())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_google_api_http_has_them() {
        for valid in [
            "/v1/{name=projects/*/secrets/*}:rotate",
            "/v1/{project=projects/*}/things/{thing}:purge",
            "/archive",
            "/v1/{a.b_c=**}",
            "/v1:query",
        ] {
            assert_eq!(problem(valid), None, "{valid}");
        }
        for (wrong, expected) in [
            ("", "it does not begin with `/`"),
            ("v1/things", "it does not begin with `/`"),
            ("/", "it has an empty segment"),
            ("/v1//things", "it has an empty segment"),
            ("/v1/things/", "it has an empty segment"),
            ("/v1/../things", "clients interpret `..` as a relative path segment"),
            ("/v1/{name=projects/*", "`{name=projects/*` does not end with `}`"),
            ("/v1/{name}s", "`{name}s` does not end with `}`"),
            ("/v1/name}", "`name}` has a `}`"),
            ("/v1/{a}{b}", "`a}{b` is not the name of a field"),
            ("/v1/{}", "`` is not the name of a field"),
            ("/v1/{name=}", "it has an empty segment"),
            ("/v1/{name=*}/{name=*}", "the field `name` is there twice"),
            ("/v1/a b", "`a b` has a ` `"),
            ("/v1/a?b", "`a?b` has a `?`"),
            ("/v1/things:", "`` is not a verb"),
            ("/v1/things:a-b", "`a-b` is not a verb"),
        ] {
            assert_eq!(problem(wrong).as_deref(), Some(expected), "{wrong}");
        }
    }
}

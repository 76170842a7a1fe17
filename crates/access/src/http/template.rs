//! Paths of routes, filled in: `/v1/{parent=projects/*}/secrets`.

use names::Pattern;

use super::encode;

/// The path with these fields of the request; `None` if a field is missing or is not of the form that the path requires.
/// `patterns` decide where ids may have slashes.
pub(super) fn fill(
    path: &str,
    patterns: &[Pattern],
    field: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let (mut filled, mut rest) = (String::new(), path);
    while let Some((text, tail)) = rest.split_once('{') {
        let (variable, after) = tail.split_once('}')?;
        let (name, form) = variable.split_once('=').unwrap_or((variable, "*"));
        let value = field(name).filter(|it| has_form(it, form, patterns))?;
        filled.push_str(text);
        filled.push_str(&encode::path(&value));
        rest = after;
    }
    filled.push_str(rest);
    Some(filled)
}

fn has_form(value: &str, form: &str, patterns: &[Pattern]) -> bool {
    if form == "**" {
        return !value.is_empty();
    }
    match patterns.iter().find(|it| it.http() == form) {
        Some(pattern) => pattern.parse(value).is_some(),
        None => {
            let (mut values, mut forms) = (value.split('/'), form.split('/'));
            let all = forms
                .by_ref()
                .all(|form| values.next().is_some_and(|it| !it.is_empty() && (form == "*" || form == it)));
            all && values.next().is_none()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_filled_in() {
        let field = |name: &str| match name {
            "parent" => Some("projects/p".to_owned()),
            "book.name" => Some("projects/p/books/a b".to_owned()),
            _ => None,
        };
        for (path, filled) in [
            ("/v1/{parent=projects/*}/books:search", Some("/v1/projects/p/books:search")),
            ("/v1/{book.name=projects/*/books/*}", Some("/v1/projects/p/books/a%20b")),
            ("/v1/{parent=**}/books", Some("/v1/projects/p/books")),
            ("/v1/{parent=organizations/*}/books", None),
            ("/v1/{parent=projects/*/regions/*}/books", None),
            ("/v1/{other=*}", None),
            ("/v1/books", Some("/v1/books")),
        ] {
            assert_eq!(fill(path, &[], field).as_deref(), filled, "{path}");
        }
    }
}

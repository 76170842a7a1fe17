use std::{iter::Skip, ops::Range, str::Split};

/// A placeholder in a text, such as `((db.port))`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placeholder<'t> {
    /// The text in the parentheses, without the `!` that older files have.
    pub(super) name: &'t str,
    /// The bytes of the text that it has, with the parentheses.
    pub(super) bytes: Range<usize>,
}

impl<'t> Placeholder<'t> {
    /// The name of the variable, and the keys that lead into its value. Names may have dots themselves: it is the longest one that
    /// `is_defined`.
    pub(super) fn path(&self, is_defined: impl Fn(&str) -> bool) -> (&'t str, Skip<Split<'t, char>>) {
        let ends = self.name.match_indices('.').map(|it| it.0).chain([self.name.len()]);
        let shortest = ends.clone().next().unwrap_or_default();
        let end = ends.filter(|end| is_defined(&self.name[..*end])).last().unwrap_or(shortest);
        (&self.name[..end], self.name[end..].split('.').skip(1))
    }
}

/// The placeholders in a text. Double parentheses around anything but a name are text.
pub(super) fn placeholders(text: &str) -> Vec<Placeholder<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find("((").map(|it| it + from) {
        let inside = &text[start + 2..];
        let name = inside.strip_prefix('!').unwrap_or(inside);
        let len = name.find(|it| !is_of_name(it)).unwrap_or(name.len());
        let end = start + 2 + (inside.len() - name.len()) + len + 2;
        if len > 0 && name[len..].starts_with("))") {
            found.push(Placeholder { name: &name[..len], bytes: start..end });
            from = end;
        } else {
            // Of `(((` the second one may begin a placeholder.
            from = start + 1;
        }
    }
    found
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = placeholders(text);
        let found: Vec<_> = found.iter().map(|it| (it.name, &text[it.bytes.clone()])).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn names_in_double_parentheses_are_placeholders() {
        check("((a))", &[("a", "((a))")]);
        check("x-((a.b_c))((!/d/é-1))y", &[("a.b_c", "((a.b_c))"), ("/d/é-1", "((!/d/é-1))")]);
        check("(((a)))", &[("a", "((a))")]);
    }

    #[test]
    fn anything_else_is_text() {
        for text in ["", "((", "(())", "((a)", "((a b))", "(( a ))", "((!))", "((é"] {
            check(text, &[]);
        }
    }
}

//! Patterns of standard methods that a kind does not have: `*`, `DeleteSecret`, `{List,Create}BookCopies`.

use std::collections::BTreeSet;

/// True if a name matches a pattern with `*` for any text and `{a,b}` for alternatives, which do not nest.
///
/// Follows all places in the name that the pattern so far can end at, so that no pattern takes exponential time.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let (mut rest, mut ends) = (pattern, BTreeSet::from([0]));
    while !rest.is_empty() && !ends.is_empty() {
        let (piece, after) = next_piece(rest);
        ends = ends.into_iter().flat_map(|at| ends_of(&piece, name, at)).collect();
        rest = after;
    }
    ends.contains(&name.len())
}

enum Piece<'a> {
    Any,
    Alternatives(&'a str),
    Text(&'a str),
}

fn next_piece(pattern: &str) -> (Piece<'_>, &str) {
    if let Some(rest) = pattern.strip_prefix('*') {
        return (Piece::Any, rest);
    }
    if let Some((group, rest)) = pattern.strip_prefix('{').and_then(|it| it.split_once('}')) {
        return (Piece::Alternatives(group), rest);
    }
    let first = pattern.chars().next().map_or(0, char::len_utf8);
    let end = pattern.get(first..).and_then(|it| it.find(['*', '{'])).map_or(pattern.len(), |it| it + first);
    let (text, rest) = pattern.split_at(end);
    (Piece::Text(text), rest)
}

fn ends_of(piece: &Piece<'_>, name: &str, at: usize) -> Vec<usize> {
    let rest = name.get(at..).unwrap_or_default();
    let after = |text: &str| rest.starts_with(text).then_some(at + text.len());
    match piece {
        Piece::Any => rest.char_indices().map(|(it, _)| at + it).chain([name.len()]).collect(),
        Piece::Alternatives(group) => group.split(',').filter_map(|it| after(it.trim())).collect(),
        Piece::Text(text) => after(text).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match() {
        let rows = [
            ("*", "CreateSecret", true),
            ("CreateSecret", "CreateSecret", true),
            ("CreateSecret", "CreateSecrets", false),
            ("{Create}LimitPool", "CreateLimitPool", true),
            ("{List,Create}BookCopies", "ListBookCopies", true),
            ("{List,Create}BookCopies", "GetBookCopies", false),
            ("{Create,Update}*", "UpdateSecret", true),
            ("Watch*", "WatchSecrets", true),
            ("*Secret", "CreateSecret", true),
            ("*Secret", "ListSecrets", false),
            ("{Create", "{Create", true),
        ];
        for (pattern, name, expected) in rows {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}

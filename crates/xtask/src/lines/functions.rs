//! The functions of a source.

use crate::tokens::{Placed, Token};

/// The keywords that may be between a function's visibility and `fn`.
const MODIFIERS: [&str; 4] = ["const", "async", "unsafe", "extern"];

/// A function.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Function {
    name: String,
    /// True if only its module and those in it can call it. A function that a trait asks for is not private.
    pub(super) is_private: bool,
}

/// The functions that are defined or required.
pub(super) fn all(tokens: &[Placed]) -> Vec<Function> {
    let (mut found, mut of_traits) = (Vec::new(), Vec::new());
    // Whether the next brace is that of a trait, or of its implementation; none outside of such headings.
    let mut heading: Option<bool> = None;
    for (at, (token, _)) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map(|(it, _)| it);
        match token {
            it if it.is("trait") => heading = Some(true),
            it if it.is("impl") => heading = Some(false),
            // `impl for<'a> Fn(&'a str)` names no type.
            it if it.is("for") && !next.is_some_and(|it| it.is("<")) => heading = heading.map(|_| true),
            it if it.is("{") => of_traits.push(heading.take().unwrap_or_default()),
            it if it.is(";") => heading = None,
            it if it.is("}") => {
                of_traits.pop();
            }
            it if it.is("fn") => {
                if let Some(Token::Word(name)) = next {
                    let is_private = is_private(&tokens[..at]) && of_traits.last() != Some(&true);
                    found.push(Function { name: name.clone(), is_private });
                }
            }
            _ => {}
        }
    }
    found
}

/// True if no `pub` or `pub(…)` is at the end, before what may follow it.
fn is_private(before: &[Placed]) -> bool {
    let is_modifier = |it: &Token| MODIFIERS.iter().any(|word| it.is(word)) || matches!(it, Token::Text(_));
    let before = before.iter().rev().find(|(it, _)| !is_modifier(it));
    !before.is_some_and(|(it, _)| it.is("pub") || it.is(")"))
}

/// The number of times that the function is mentioned, its definition apart.
pub(super) fn mentions(tokens: &[Placed], function: &Function) -> usize {
    tokens.iter().filter(|(it, _)| it.is(&function.name)).count().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokens;

    #[track_caller]
    fn check(source: &str, expected: &[(&str, bool, usize)]) {
        let tokens = tokens(source).expect("tokens");
        let functions = all(&tokens);
        let found = functions.iter().map(|it| (it.name.as_str(), it.is_private, mentions(&tokens, it)));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{source}");
    }

    #[test]
    fn functions_are_private_without_a_visibility() {
        check("fn a() { b() } const fn b() {}", &[("a", true, 0), ("b", true, 1)]);
        check(
            "pub fn a() {} pub(crate) async fn b() {} pub extern \"C\" fn c() {}",
            &[("a", false, 0), ("b", false, 0), ("c", false, 0)],
        );
        check("type A = fn(u8) -> u8;", &[]);
    }

    #[test]
    fn what_a_trait_asks_for_is_not_private() {
        check("trait A { fn a(); } impl A for B { fn a() {} }", &[("a", false, 1), ("a", false, 1)]);
        check(
            "impl<F: for<'c> A<'c>> B<F> { fn a() { for x in y { fn b() {} } } }",
            &[("a", true, 0), ("b", true, 0)],
        );
        check("fn a(it: impl A) { fn b() {} }", &[("a", true, 0), ("b", true, 0)]);
    }
}

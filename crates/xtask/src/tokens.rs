//! Rust source as a row of tokens with their lines, read by the lexer that macros have.

use std::ops::RangeInclusive;

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A word, a number or a character.
    Word(String),
    /// A string literal, without its quotes and as it is written.
    Text(String),
    /// One character, or two that belong together: `==`, `=>`, `||`.
    Sign(String),
    /// A comment that is documentation.
    Documentation,
}

/// A token and the lines that it is on.
pub(crate) type Placed = (Token, RangeInclusive<usize>);

/// The pairs of characters that are one sign.
const PAIRS: [&str; 10] = ["==", "!=", "=>", "||", "&&", "->", "::", "<=", ">=", ".."];

impl Token {
    /// True if it is that word or sign.
    pub(crate) fn is(&self, text: &str) -> bool {
        match self {
            Self::Word(it) | Self::Sign(it) => it == text,
            Self::Text(_) | Self::Documentation => false,
        }
    }
}

/// The tokens of a source.
///
/// # Errors
/// Text that no compiler could read, as quotes or brackets that are not closed.
pub(crate) fn tokens(source: &str) -> Result<Vec<Placed>> {
    let stream: TokenStream = source
        .parse()
        .map_err(|error: proc_macro2::LexError| anyhow!("line {}: {error}", error.span().start().line))?;
    let mut tokens = Vec::new();
    add(stream, &mut tokens);
    // The lexer keeps every text of a thread to answer where its tokens are.
    proc_macro2::extra::invalidate_current_thread_spans();
    Ok(tokens)
}

fn add(stream: TokenStream, tokens: &mut Vec<Placed>) {
    let mut joint: Option<String> = None;
    for tree in stream {
        let (span, before) = (tree.span(), joint.take());
        let lines = span.start().line..=span.end().line;
        match tree {
            TokenTree::Group(group) if is_documentation(&group) => {
                tokens.truncate(before_attribute(tokens));
                tokens.push((Token::Documentation, lines));
            }
            TokenTree::Group(group) => add_group(&group, tokens),
            TokenTree::Ident(word) => tokens.push((Token::Word(word.to_string()), lines)),
            TokenTree::Literal(literal) => tokens.push((literal_token(&literal.to_string()), lines)),
            // The name of a lifetime is a word.
            TokenTree::Punct(it) if it.as_char() == '\'' => {}
            TokenTree::Punct(it) => {
                let pair =
                    before.map(|before| format!("{before}{it}")).filter(|it| PAIRS.contains(&it.as_str()));
                joint = (pair.is_none() && it.spacing() == Spacing::Joint).then(|| it.to_string());
                match (pair, tokens.last_mut()) {
                    (Some(pair), Some((last, _))) => *last = Token::Sign(pair),
                    _ => tokens.push((Token::Sign(it.to_string()), lines)),
                }
            }
        }
    }
}

/// True if it is the brackets of `#[doc = "…"]`, which the lexer makes of a comment.
fn is_documentation(group: &Group) -> bool {
    let mut trees = group.stream().into_iter();
    let is_doc = matches!(trees.next(), Some(TokenTree::Ident(word)) if word == "doc");
    is_doc && matches!(trees.next(), Some(TokenTree::Punct(it)) if it.as_char() == '=')
}

/// The number of tokens before the `#` or `#!` at their end.
fn before_attribute(tokens: &[Placed]) -> usize {
    match tokens {
        [before @ .., (hash, _), (inner, _)] if hash.is("#") && inner.is("!") => before.len(),
        [before @ .., _] => before.len(),
        [] => 0,
    }
}

fn add_group(group: &Group, tokens: &mut Vec<Placed>) {
    let signs = match group.delimiter() {
        Delimiter::Parenthesis => ["(", ")"],
        Delimiter::Brace => ["{", "}"],
        Delimiter::Bracket => ["[", "]"],
        Delimiter::None => return add(group.stream(), tokens),
    };
    let [open, close] = signs.map(|it| Token::Sign(it.to_owned()));
    let [first, last] = [group.span_open().start().line, group.span_close().start().line];
    tokens.push((open, first..=first));
    add(group.stream(), tokens);
    tokens.push((close, last..=last));
}

fn literal_token(written: &str) -> Token {
    let text = written.trim_start_matches(['b', 'c', 'r']).trim_matches('#');
    match text.strip_prefix('"').and_then(|it| it.strip_suffix('"')) {
        Some(text) => Token::Text(text.to_owned()),
        None => Token::Word(written.to_owned()),
    }
}

/// The tokens apart: those of the product, and those of the items that only tests have.
pub(crate) fn split_tests(tokens: Vec<Placed>) -> (Vec<Placed>, Vec<Placed>) {
    let (mut product, mut tests) = (Vec::new(), Vec::new());
    let mut rest = tokens.as_slice();
    while let Some((first, after)) = rest.split_first() {
        if is_of_tests(rest) {
            let (item, after) = rest.split_at(item_length(rest));
            tests.extend_from_slice(item);
            rest = after;
        } else {
            product.push(first.clone());
            rest = after;
        }
    }
    (product, tests)
}

/// True if `#[cfg(test)]` or `#[cfg(all(test, …))]` is here.
fn is_of_tests(tokens: &[Placed]) -> bool {
    let starts = |with: &[&str]| {
        tokens.len() >= with.len() && tokens.iter().zip(with).all(|((it, _), word)| it.is(word))
    };
    starts(&["#", "[", "cfg", "(", "test", ")", "]"])
        || starts(&["#", "[", "cfg", "(", "all", "(", "test", ","])
}

/// The number of tokens of an item: up to its semicolon, or the end of its braces.
fn item_length(tokens: &[Placed]) -> usize {
    let mut depth = 0_usize;
    for (at, (token, _)) in tokens.iter().enumerate() {
        if token.is("{") {
            depth += 1;
        } else if token.is("}") {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 && (token.is(";") || token.is("}")) {
            return at + 1;
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(tokens: Vec<Placed>) -> String {
        let shown = |(token, lines): Placed| match token {
            Token::Text(it) => format!("{}:\"{it}\"", lines.start()),
            Token::Word(it) | Token::Sign(it) => format!("{}:{it}", lines.start()),
            Token::Documentation => format!("{}-{}:doc", lines.start(), lines.end()),
        };
        tokens.into_iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    fn product(source: &str) -> String {
        shown(split_tests(tokens(source).expect("tokens")).0)
    }

    #[test]
    fn comments_are_no_tokens_and_documentation_is_one() {
        assert_eq!(product("a /* \"b\" /* */ */ == // c\n'\"' \"d\\\"\""), "1:a 1:== 2:'\"' 2:\"d\\\"\"");
        assert_eq!(product("//! a\n/// b\n/** c\n*/ d"), "1-1:doc 2-2:doc 3-4:doc 4:d");
    }

    #[test]
    fn literals_are_as_they_are_written() {
        assert_eq!(
            product("f::<'a>('\\'', r#\"x\"y\"#)"),
            "1:f 1::: 1:< 1:a 1:> 1:( 1:'\\'' 1:, 1:\"x\"y\" 1:)"
        );
        assert_eq!(product("r#type b\"x\" 1.5 |a| b"), "1:r#type 1:\"x\" 1:1.5 1:| 1:a 1:| 1:b");
    }

    #[test]
    fn tokens_of_tests_are_apart() {
        assert_eq!(product("a;\n#[cfg(test)]\nmod tests { fn f() { b } }\nc"), "1:a 1:; 4:c");
        assert_eq!(product("#[cfg(test)] mod tests; c"), "1:c");
        assert_eq!(product("#[cfg(all(test, unix))] mod tests; c"), "1:c");
        let (_, tests) = split_tests(tokens("a; #[cfg(test)]\nmod b;").expect("tokens"));
        assert_eq!(shown(tests), "1:# 1:[ 1:cfg 1:( 1:test 1:) 1:] 2:mod 2:b 2:;");
    }

    #[test]
    fn what_is_not_closed_is_an_error_with_its_line() {
        assert_eq!(
            tokens("\na \"b").expect_err("an error").to_string(),
            "line 2: cannot parse string into token stream"
        );
    }
}

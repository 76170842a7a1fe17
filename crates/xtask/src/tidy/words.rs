//! Words that public names and messages do not use: the table under "Words not to use" in `CONTRIBUTING.md`.

use anyhow::{Context, Result};

use crate::tokens::{Placed, Token, split_tests, tokens};

/// The heading of the table.
const HEADING: &str = "### Words not to use";

/// The keywords that declare a name.
const DECLARES: [&str; 8] = ["fn", "struct", "enum", "trait", "mod", "const", "static", "type"];

/// The keywords that may stand between `pub` and the one that declares.
const MODIFIERS: [&str; 3] = ["async", "unsafe", "extern"];

/// A word, or several words in a row, and what is written instead.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    words: Vec<String>,
    instead: String,
}

impl Phrase {
    fn is_in(&self, words: &[String]) -> bool {
        words.windows(self.words.len()).any(|some| some == self.words)
    }
}

/// The rows `| not | instead |` of the table; commas separate phrases that are replaced alike.
pub(super) fn table(page: &str) -> Vec<Phrase> {
    let (_, after) = page.split_once(HEADING).unwrap_or_default();
    let section = after.split("\n#").next().unwrap_or_default();
    section.lines().filter_map(row).skip(2).flatten().collect()
}

fn row(line: &str) -> Option<Vec<Phrase>> {
    let (not, instead) = line.strip_prefix('|')?.trim_end().strip_suffix('|')?.split_once('|')?;
    let phrase = |text: &str| Phrase { words: words(text), instead: instead.trim().to_owned() };
    Some(not.split(',').map(phrase).collect())
}

/// Public names and string literals of a Rust file that have one of the phrases, a sentence each.
///
/// # Errors
/// A file that no compiler could read.
pub(super) fn problems(phrases: &[Phrase], file: &str, text: &str) -> Result<Vec<String>> {
    if !is_checked(file) {
        return Ok(Vec::new());
    }
    let (tokens, _) = split_tests(tokens(text).with_context(|| format!("cannot read {file}"))?);
    let names = names(&tokens).map(|(line, name)| (line, parts(name), name));
    let texts = tokens.iter().filter_map(|(token, lines)| match token {
        Token::Text(text) => Some((*lines.start(), message_words(text), text.as_str())),
        Token::Word(_) | Token::Sign(_) | Token::Documentation => None,
    });
    let found = names.chain(texts).flat_map(|(line, words, text)| {
        let wrong = phrases.iter().filter(move |phrase| phrase.is_in(&words));
        wrong.map(move |phrase| problem(file, line, text, phrase)).collect::<Vec<_>>()
    });
    Ok(found.collect())
}

fn problem(file: &str, line: usize, text: &str, phrase: &Phrase) -> String {
    let Phrase { words, instead } = phrase;
    format!("{file}:{line}: do not write \"{}\" but {instead}: {text}", words.join(" "))
}

/// Rust files that are not tests.
fn is_checked(file: &str) -> bool {
    let is_test = file.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "testing" | "testing.rs"));
    file.ends_with(".rs") && !is_test
}

/// Public names and variants of public enums, with their lines.
fn names(tokens: &[Placed]) -> impl Iterator<Item = (usize, &str)> {
    let public = tokens.iter().enumerate().filter(|(_, (it, _))| it.is("pub"));
    public.flat_map(|(at, _)| {
        let after = after_visibility(&tokens[at + 1..]);
        let is_enum = after.first().is_some_and(|(it, _)| it.is("enum"));
        declared(after).into_iter().chain(is_enum.then(|| variants(after)).into_iter().flatten())
    })
}

/// The tokens after the brackets of `pub(…)`.
fn after_visibility(tokens: &[Placed]) -> &[Placed] {
    let close = tokens.iter().position(|(it, _)| it.is(")"));
    match (tokens, close) {
        ([(open, _), ..], Some(close)) if open.is("(") => &tokens[close + 1..],
        _ => tokens,
    }
}

/// The name that is declared here.
fn declared(tokens: &[Placed]) -> Option<(usize, &str)> {
    let mut declares = false;
    for (token, lines) in tokens {
        match token {
            Token::Word(word) if DECLARES.contains(&word.as_str()) => declares = true,
            Token::Word(word) if MODIFIERS.contains(&word.as_str()) => {}
            Token::Text(_) => {} // of `extern "C"`
            Token::Word(word) => return declares.then_some((*lines.start(), word)),
            Token::Sign(_) | Token::Documentation => return None,
        }
    }
    None
}

/// The variants of an enum: the words after its brace, its commas, their documentation and attributes.
fn variants(tokens: &[Placed]) -> Vec<(usize, &str)> {
    let (mut found, mut depth, mut is_next) = (Vec::new(), 0_usize, false);
    for (token, lines) in tokens {
        match token {
            it if ["(", "[", "{"].iter().any(|sign| it.is(sign)) => depth += 1,
            it if [")", "]", "}"].iter().any(|sign| it.is(sign)) => depth -= 1,
            Token::Word(word) if depth == 1 && is_next => {
                found.push((*lines.start(), word.as_str()));
                is_next = false;
            }
            _ => {}
        }
        is_next |= depth == 1 && (token.is("{") || token.is(","));
        if depth == 0 && (token.is("}") || token.is(";")) {
            break;
        }
    }
    found
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The words of a message, in lower case; none of a key or a class, which have no space.
fn message_words(text: &str) -> Vec<String> {
    let text = without_placeholders(&text.replace("\\n", " "));
    if text.trim().contains(' ') { words(&text) } else { Vec::new() }
}

/// A text without what `format!` fills in.
fn without_placeholders(text: &str) -> String {
    let mut parts = text.split('{');
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}') {
            Some((placeholder, after)) if !placeholder.contains(' ') => kept.push_str(after),
            _ => kept.push_str(part),
        }
    }
    kept
}

/// The words of a text, in lower case. Parts that are joined by `-` or `_` are one word.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|it: char| !is_of_name(it) && it != '-');
    words.filter(|it| !it.is_empty()).map(str::to_lowercase).collect()
}

/// The words of a name in snake case or camel case, in lower case.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before_is_lower = false;
    for character in name.chars() {
        if character == '_' || (character.is_uppercase() && before_is_lower) {
            parts.push(String::new());
        }
        if let Some(last) = parts.last_mut().filter(|_| character != '_') {
            last.extend(character.to_lowercase());
        }
        before_is_lower = !character.is_uppercase();
    }
    parts.retain(|it| !it.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "## Glossary\n\n| a | b |\n|---|---|\n| not | this |\n\n### Words not to use\n\nText.\n\n| Not | Instead |\n|---|---|\n| anew, made again | again |\n| desk | context |\n\n## After\n\n| x | y |\n";

    fn found(source: &str) -> Vec<String> {
        problems(&table(PAGE), "a.rs", source).expect("tokens")
    }

    #[test]
    fn a_row_has_phrases_and_their_replacement() {
        let phrase = |words: &[&str], instead: &str| Phrase {
            words: words.iter().map(|&it| it.to_owned()).collect(),
            instead: instead.to_owned(),
        };
        let expected =
            [phrase(&["anew"], "again"), phrase(&["made", "again"], "again"), phrase(&["desk"], "context")];
        assert_eq!(table(PAGE), expected);
        assert_eq!(table("no such heading"), []);
    }

    #[test]
    fn messages_are_checked_word_by_word() {
        assert_eq!(
            found("fn f() {\n    help(\"it is\\nAnew {x}\");\n}\n"),
            ["a.rs:2: do not write \"anew\" but again: it is\\nAnew {x}"]
        );
        assert_eq!(found("f(\"made\", \"it is made again, then\")").len(), 1);
        assert_eq!(found("f(\"a node-desk, a desk_of and desks\")"), [""; 0]);
        assert_eq!(found("f(\"desk\", \"{desk} is {desk:?}\", \"{x: desk\")").len(), 1);
        assert_eq!(found("// anew\nlet desk = 1;"), [""; 0]);
    }

    #[test]
    fn public_names_are_checked_part_by_part() {
        assert_eq!(found("pub(crate) struct OpenDesk;").len(), 1);
        assert_eq!(found("    pub async fn begin_anew() {}").len(), 1);
        assert_eq!(found("pub const MADE_AGAIN: u8 = 1;").len(), 1);
        assert_eq!(found("pub desk: Desk,\npub fn f(desk: Desk)\nstruct Desk;\nfn desk() {}"), [""; 0]);
    }

    #[test]
    fn variants_of_public_enums_are_checked() {
        assert_eq!(
            found("pub enum E {\n    Desk(u8),\n    Other {\n        desk: u8,\n    },\n}\n").len(),
            1
        );
        assert_eq!(found("enum E {\n    Desk(u8),\n}\n"), [""; 0]);
    }

    #[test]
    fn tests_and_other_files_are_not_checked() {
        assert_eq!(found("#[cfg(test)]\nmod tests {\n    const A: &str = \"anew\";\n}\n"), [""; 0]);
        let check = |file: &str| problems(&table(PAGE), file, "pub fn desk() {}").expect("tokens").len();
        assert_eq!(
            [check("x/tests/a.rs"), check("x/tests.rs"), check("a.md"), check("x/a.rs")],
            [0, 0, 0, 1]
        );
    }
}

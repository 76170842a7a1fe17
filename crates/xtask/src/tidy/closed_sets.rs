//! Comparisons with a word in hosts, where there is an enum whose values have these words: a new value would be passed over.
//!
//! The words are those of the `closed_set!` blocks of the crate `view`. A host turns a word into its value once, by `named`,
//! and matches on that.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use super::read;
use crate::tokens::{Token, split_tests, tokens};

/// The folder of the enums.
const SETS: &str = "crates/view/src/";

/// The folders of hosts.
const HOSTS: [&str; 10] = [
    "crates/cli/src/",
    "crates/ui/src/",
    "crates/wasm/src/",
    "crates/workspace/src/",
    "crates/linking/src/",
    "crates/report/src/",
    "crates/versions/src/",
    "crates/capabilities/src/",
    "crates/host/src/",
    "web/",
];

/// A file that may compare with words, because its words only resemble those of a closed set.
struct Exception {
    file: &'static str,
    words: &'static [&'static str],
    reason: &'static str,
}

const KINDS: &str = "kinds of resources are data";
const ENDING: &str = "the ending of a file's name";

const EXCEPTIONS: &[Exception] = &[
    Exception { file: "crates/cli/src/work/adapters.rs", words: &["service"], reason: KINDS },
    Exception { file: "crates/cli/src/work/embedded.rs", words: &["service"], reason: KINDS },
    Exception { file: "crates/ui/src/views/graph/icon.rs", words: &["network", "service"], reason: KINDS },
    Exception {
        file: "crates/wasm/src/controllers/runtime.rs",
        words: &["dot", "mermaid"],
        reason: "the module of controllers is built without the views",
    },
    Exception { file: "crates/host/src/media.rs", words: &["json", "svg"], reason: ENDING },
    Exception { file: "crates/host/src/ledger.rs", words: &["json"], reason: ENDING },
    Exception {
        file: "crates/cli/src/usage.rs",
        words: &["json"],
        reason: "words of a command line that could not be read",
    },
    Exception { file: "crates/wasm/src/reports.rs", words: &["text"], reason: "the name of a question" },
    Exception {
        file: "web/fetch/src/fetch.rs",
        words: &["broken"],
        reason: "a word of the JavaScript that fetches",
    },
];

/// The words of closed sets, each with the names of its sets.
type Words = BTreeMap<String, Vec<String>>;

/// Comparisons with words in the tracked files, and exceptions that nothing needs any more.
pub(super) fn problems(tracked: &[String]) -> Result<Vec<String>> {
    let mut words = Words::new();
    for name in tracked.iter().filter(|it| it.starts_with(SETS) && it.ends_with(".rs")) {
        collect(&read(name)?, &mut words).with_context(|| format!("cannot read {name}"))?;
    }
    let (mut problems, mut excused) = (Vec::new(), Vec::new());
    for name in tracked.iter().filter(|it| is_of_host(it)) {
        let found = compared(&read(name)?, &words).with_context(|| format!("cannot read {name}"))?;
        for (word, line) in found {
            match exception(name, &word) {
                Some(it) => excused.push((it, word)),
                None => problems.push(problem(name, line, &word, &words)),
            }
        }
    }
    let needs = |file: &str, word: &str| excused.iter().any(|(it, found)| *it == file && found == word);
    problems.extend(needless(needs));
    Ok(problems)
}

fn problem(name: &str, line: usize, word: &str, words: &Words) -> String {
    let sets = words.get(word).map(|it| it.join(" or ")).unwrap_or_default();
    format!("{name}:{line}: compares with \"{word}\": match on a value of {sets}")
}

/// The file of the exception that lets it compare with the word.
fn exception(name: &str, word: &str) -> Option<&'static str> {
    EXCEPTIONS.iter().find(|it| it.file == name && it.words.contains(&word)).map(|it| it.file)
}

fn needless(needs: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let all = EXCEPTIONS.iter().flat_map(|it| it.words.iter().map(move |word| (it, word)));
    let needless = all.filter(|(it, word)| !needs(it.file, word));
    let say = |(it, word): (&Exception, &&str)| {
        format!("{}: nothing compares with \"{word}\", which is allowed ({})", it.file, it.reason)
    };
    needless.map(say).collect()
}

/// True if it is a source of a host, and no test.
fn is_of_host(name: &str) -> bool {
    let is_test = name.contains("/tests/") || name.ends_with("/tests.rs") || name.contains("/examples/");
    name.ends_with(".rs") && !is_test && HOSTS.iter().any(|it| name.starts_with(it))
}

/// Adds the words of the sets that a source defines: `closed_set! { Name { Value = "word", … } }`.
fn collect(source: &str, words: &mut Words) -> Result<()> {
    let tokens: Vec<Token> = tokens(source)?.into_iter().map(|(it, _)| it).collect();
    let starts = tokens
        .windows(3)
        .enumerate()
        .filter(|(_, it)| it[0].is("closed_set") && it[1].is("!") && it[2].is("{"));
    for (start, _) in starts {
        let block = group(&tokens[start + 2..]);
        let name = block.windows(2).find_map(|it| match it {
            [Token::Word(name), open] if open.is("{") => Some(name.clone()),
            _ => None,
        });
        let values = block.windows(4).filter_map(|it| match it {
            [Token::Word(_), is, Token::Text(word), comma] if is.is("=") && comma.is(",") => Some(word),
            _ => None,
        });
        for word in values {
            words.entry(word.clone()).or_default().extend(name.clone());
        }
    }
    Ok(())
}

/// The words that a source compares with, outside of its tests, each with its line.
fn compared(source: &str, words: &Words) -> Result<Vec<(String, usize)>> {
    let (product, _) = split_tests(tokens(source)?);
    let (tokens, lines): (Vec<Token>, Vec<_>) = product.into_iter().unzip();
    let found = tokens.iter().zip(lines).enumerate().filter_map(|(at, (token, lines))| match token {
        Token::Text(word) if words.contains_key(word) && is_compared(&tokens, at) => {
            Some((word.clone(), *lines.start()))
        }
        _ => None,
    });
    Ok(found.collect())
}

/// True if the text at that place is one side of a comparison, or part of a pattern.
fn is_compared(tokens: &[Token], at: usize) -> bool {
    let (before, after) = (&tokens[..at], &tokens[at + 1..]);
    is_operand(before, after) || is_pattern(after) || is_in_matches(before)
}

/// `x == "word"`, `"word" != x`, `x == Some("word")`, `x == &"word"`.
fn is_operand(before: &[Token], after: &[Token]) -> bool {
    let is_equality = |it: Option<&Token>| it.is_some_and(|it| it.is("==") || it.is("!="));
    let (before, after) = match (before, after) {
        ([before @ .., wrapper, open], [close, after @ ..])
            if (wrapper.is("Some") || wrapper.is("Ok")) && open.is("(") && close.is(")") =>
        {
            (before, after)
        }
        other => other,
    };
    let dereferenced = before.iter().rev().find(|it| !it.is("&") && !it.is("*"));
    is_equality(dereferenced) || is_equality(after.first())
}

/// `"word" =>`, `"word" | …`, `(Some("word"), x) if …`, `let Some("word") = …`: decided by the token after the brackets around
/// it.
fn is_pattern(mut after: &[Token]) -> bool {
    let mut in_brackets = false;
    loop {
        match after.first() {
            Some(it) if ["=>", "|", "if"].iter().any(|sign| it.is(sign)) => return true,
            Some(it) if it.is("=") => return !in_brackets,
            Some(it) if it.is(")") || it.is("]") => {
                in_brackets |= it.is("]");
                after = &after[1..];
            }
            Some(it) if it.is(",") => after = after_brackets(after),
            _ => return false,
        }
    }
}

/// The tokens from the end of the brackets on that are open here; none where braces end first.
fn after_brackets(tokens: &[Token]) -> &[Token] {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            it if ["(", "[", "{"].iter().any(|open| it.is(open)) => depth += 1,
            it if depth == 0 && (it.is("}") || it.is(";")) => return &[],
            it if [")", "]", "}"].iter().any(|close| it.is(close)) && depth > 0 => depth -= 1,
            it if it.is(")") || it.is("]") => return &tokens[at..],
            _ => {}
        }
    }
    &[]
}

/// `matches!(x, "word")`, `matches!(x, Some("a" | "word"))`: behind the first comma of the macro.
fn is_in_matches(before: &[Token]) -> bool {
    let mut open = before.windows(3).enumerate().rev();
    let open =
        open.find(|(_, it)| it[0].is("matches") && it[1].is("!") && it[2].is("(")).map(|(at, _)| at + 2);
    let Some(inside) = open.map(|at| &before[at..]).filter(|it| group(it).len() == it.len()) else {
        return false;
    };
    let mut depth = 0_usize;
    inside.iter().any(|token| {
        if ["(", "[", "{"].iter().any(|it| token.is(it)) {
            depth += 1;
        } else if [")", "]", "}"].iter().any(|it| token.is(it)) {
            depth -= 1;
        }
        depth == 1 && token.is(",")
    })
}

/// The tokens from an opening bracket to the one that closes it, or to the end.
fn group(tokens: &[Token]) -> &[Token] {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        if ["(", "[", "{"].iter().any(|it| token.is(it)) {
            depth += 1;
        } else if [")", "]", "}"].iter().any(|it| token.is(it)) {
            depth -= 1;
        }
        if depth == 0 {
            return &tokens[..=at];
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        let mut words = Words::new();
        collect(
            "closed_set! {\n/// What.\n Action { /// A.\n Create = \"create\",\n #[default] NoOp = \"no_op\",\n}\n}",
            &mut words,
        )
        .expect("tokens");
        words
    }

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let found = compared(source, &words()).expect("tokens");
        assert_eq!(found.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>(), expected, "{source}");
    }

    #[test]
    fn words_have_the_names_of_their_sets() {
        let words = words();
        assert_eq!(words.keys().collect::<Vec<_>>(), ["create", "no_op"]);
        let said = problem("a.rs", 3, "no_op", &words);
        assert_eq!(said, "a.rs:3: compares with \"no_op\": match on a value of Action");
    }

    #[test]
    fn comparisons_are_found() {
        check("it.action.as_str() == \"create\"", &["create"]);
        check("it != &\"no_op\"", &["no_op"]);
        check("\"create\" == it", &["create"]);
        check("it.get(0) == Some(\"create\") && x", &["create"]);
        check("it == \"other\"", &[]);
        check("it == of(\"create\")", &[]);
        check("of(\"create\") == it", &[]);
    }

    #[test]
    fn patterns_are_found() {
        check("match it { \"create\" | \"no_op\" => 1, _ => 2 }", &["create", "no_op"]);
        check("match it { (Some(\"create\"), x) if x => 1, _ => 2 }", &["create"]);
        check("if let Some(\"create\") = it {}", &["create"]);
        check("!matches!(it.as_str(), \"create\" | \"no_op\")", &["create", "no_op"]);
        check("matches!(it.get(\"create\"), x)", &[]);
        check("(matches!(it, 1), \"create\")", &[]);
    }

    #[test]
    fn words_that_are_given_are_not() {
        check("match it { Action::Create => \"create\", Action::NoOp => \"no_op\" }", &[]);
        check("map_or_else(|| \"create\".into(), |it| \"no_op\")", &[]);
        check("json!({\"create\": it, \"no_op\": 1})", &[]);
        check("it[\"create\"] = 1;", &[]);
        check("fn f() { g(\"create\", 1); if x {} }", &[]);
        check("#[cfg(test)] mod tests { fn f() { it == \"create\" } }", &[]);
        check("// it == \"create\"", &[]);
    }

    #[test]
    fn only_sources_of_hosts_count() {
        assert!(is_of_host("crates/cli/src/a.rs") && is_of_host("web/apply/src/a.rs"));
        assert!(!is_of_host("crates/plan/src/a.rs") && !is_of_host("crates/cli/tests/cli/a.rs"));
        assert!(!is_of_host("web/src/state/tests.rs"));
    }
}

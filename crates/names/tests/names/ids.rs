//! Id patterns against the regex engine.

use std::collections::BTreeSet;

use planloom_names::IdPattern;
use proptest::prelude::*;
use regex_lite::Regex;

use crate::support::{config, shared};

/// Patterns of real specifications, and awkward ones.
const TEXTS: [&str; 50] = [
    r"[\w][\w.-]{0,127}",
    r"[a-z][a-z0-9\-]{0,28}[a-z0-9]",
    r"[a-z][a-z0-9\-.]{0,28}[a-z0-9]",
    r"[a-z][a-z0-9\-_]{0,55}[a-z0-9]",
    r"[a-zA-Z0-9_.-]{1,128}",
    r"[\w./-]{1,128}",
    r"[\w./-]{2,128}",
    r"[a-zA-Z0-9-.]{1,128}",
    r"[a-zA-Z0-9-.]{1,128}\/[a-zA-Z]{1,128}",
    r"[a-zA-Z0-9_.:-]{1,128}",
    r"[a-zA-Z]{1,128}",
    r"[a-z][a-z0-9\-]{0,72}[a-z0-9]",
    r"[\w./-]{1,128}/[\w./-]{1,128}",
    r"[\w./-=+]{1,128}",
    r"[\w.@|_-]{1,128}",
    r"[\w@!\\.|-]{1,8}",
    r"[a-zA-Z0-9-]{1,128}\/[a-zA-Z0-9-.]{1,128}\/[a-zA-Z]{1,128}",
    r"[\w+/=]{1,256}",
    r"\d{19}",
    ".{1,512}",
    "",
    "a",
    "a*",
    "a+b?",
    "a?a",
    "[a-z]{2,}",
    "[^/]+",
    r"[^\w]",
    r"[^\W]{1,3}",
    r"\W\D\S",
    r"[\s-]+",
    r"[-a]",
    r"[a-]",
    r"[.-]",
    "a|b/",
    "(ab)*",
    "(?:a|b)+",
    "(?i)ab",
    "(?s).",
    "^a$",
    r"\ba\b",
    r"a\<\>",
    r"\x2f",
    r"[\x2f]",
    "[+-9]",
    "[[:alpha:]]+",
    "[é]",
    "a{3}{2}",
    "a{0}",
    r"[\]\[]+?",
];

fn pattern(text: &str) -> IdPattern {
    IdPattern::new(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The expression as Go reads it: `\<` is a character there.
fn engine(text: &str) -> Regex {
    Regex::new(&format!("^(?:{})$", text.replace(r"\<", "<").replace(r"\>", ">"))).unwrap()
}

/// All id patterns that real specifications state.
fn real_texts() -> BTreeSet<String> {
    let Some(folder) = shared("goten/expected") else { return BTreeSet::new() };
    let mut texts = BTreeSet::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let service: serde_json::Value = serde_json::from_str(&text).unwrap();
        for kind in service["resources"].as_array().unwrap() {
            texts.extend(
                ["id_pattern", "creation_id_pattern"].map(|key| kind[key].as_str().unwrap().to_owned()),
            );
        }
    }
    texts
}

/// Ids of characters that patterns distinguish, of lengths around the bounds that they have.
fn id() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        10 => prop::sample::select(b"abzAZ019_.-/".to_vec()).prop_map(char::from),
        1 => (0_u8..128).prop_map(char::from),
        1 => Just('é'),
    ];
    let short = prop::collection::vec(character.clone(), 0..8);
    let around = prop::sample::select(vec![19, 29, 30, 31, 57, 127, 128, 129, 256, 257, 385, 512, 513]);
    let long = (prop::sample::select(b"a0/.".to_vec()), around, character)
        .prop_map(|(byte, length, last)| [vec![char::from(byte); length - 1], vec![last]].concat());
    prop_oneof![3 => short, 1 => long].prop_map(String::from_iter)
}

/// Sequences of classes with repetitions, and sometimes groups.
fn text() -> impl Strategy<Value = String> {
    let class = prop::sample::select(vec![
        "[a-z]", r"[\w.-]", r"\d", "a", "/", "[^a-c/]", ".", r"\.", "[a./-]", "(?:a|/b)", r"[\d-]", "[Z-a]",
        r"[+-\d]",
    ]);
    let class = class.prop_filter("no range to a class", |it| *it != r"[+-\d]");
    let count = prop::sample::select(vec!["", "", "*", "+", "?", "{2}", "{0,3}", "{1,2}", "{2,}", "+?"]);
    prop::collection::vec((class, count), 0..5)
        .prop_map(|parts| parts.into_iter().flat_map(|(class, count)| [class, count]).collect())
}

#[track_caller]
fn check(text: &str, engine: &Regex, id: &str) {
    let pattern = pattern(text);
    let expected = engine.is_match(id);
    assert_eq!(pattern.matches(id), expected, "{text} on {id:?}");
    assert_eq!(pattern.matches_by_engine(id), expected, "{text} on {id:?}");
    assert!(!expected || !id.contains('/') || pattern.allows_slash(), "{text} on {id:?}");
    if !expected {
        let at = pattern.mismatch(id);
        assert!(id.is_char_boundary(at), "{text} on {id:?}: {at}");
    }
}

#[test]
fn real_patterns_are_among_those_compared() {
    let missing: Vec<_> = real_texts().into_iter().filter(|it| !TEXTS.contains(&&**it)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn all_patterns_match_as_the_engine_does() {
    let texts = TEXTS.map(|text| (engine(text), text));
    proptest!(config(1_000), |(id in id())| {
        texts.iter().for_each(|(engine, text)| check(text, engine, &id));
    });
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn random_patterns_match_as_the_engine_does(text in text(), ids in prop::collection::vec(id(), 8)) {
        let engine = engine(&text);
        ids.iter().for_each(|id| check(&text, &engine, id));
    }

    #[test]
    fn a_mismatch_is_where_no_longer_id_can_match(id in id()) {
        let pattern = IdPattern::region();
        if !pattern.matches(&id) {
            let is_possible = |it: &str| {
                it.is_empty() || ["", "a"].iter().any(|end| pattern.matches(&format!("{it}{end}")))
            };
            let (before, after) = id.split_at(pattern.mismatch(&id));
            prop_assert!(is_possible(before), "{id:?} after {before:?}");
            let next = after.chars().next().map(|it| format!("{before}{it}"));
            prop_assert!(next.is_none_or(|it| !is_possible(&it)), "{id:?} after {before:?}");
        }
    }
}

#[test]
fn slashes_in_ids_are_known_exactly_for_simple_patterns() {
    let with_slash = [
        r"[\w./-]{2,128}",
        r"[a-zA-Z0-9-.]{1,128}\/[a-zA-Z]{1,128}",
        r"[\w./-]{1,128}",
        r"[\w./-]{1,128}/[\w./-]{1,128}",
        r"[\w./-=+]{1,128}",
        r"[a-zA-Z0-9-]{1,128}\/[a-zA-Z0-9-.]{1,128}\/[a-zA-Z]{1,128}",
        r"[\w+/=]{1,256}",
        ".{1,512}",
        r"[^\w]",
        r"\W\D\S",
        "a|b/",
        r"\x2f",
        r"[\x2f]",
        "[+-9]",
    ];
    // What the reader of expressions does not know can have slashes as far as it is concerned.
    let unknown = ["(?i)ab", "(?s).", "[[:alpha:]]+", "[é]"];
    for text in TEXTS {
        let expected = with_slash.contains(&text) || unknown.contains(&text);
        assert_eq!(pattern(text).allows_slash(), expected, "{text}");
    }
}

#[test]
fn the_defaults_are_those_of_generated_names() {
    assert_eq!(IdPattern::default_of_names().as_str(), r"[\w][\w.-]{0,127}");
    assert_eq!(IdPattern::default_of_creation().as_str(), r"[a-z][a-z0-9\-]{0,28}[a-z0-9]");
    assert_eq!(IdPattern::region(), IdPattern::default_of_creation());
    assert_eq!(IdPattern::service().as_str(), r"[a-z][a-z0-9\-.]{0,28}[a-z0-9]");
    assert!(IdPattern::service() < IdPattern::default_of_creation().max(IdPattern::default_of_names()));
}

#[test]
fn escaped_angle_brackets_are_characters() {
    let text = r"a\<\>\\";
    check(text, &engine(text), r"a<>\");
    assert!(pattern(text).matches_by_engine(r"a<>\"));
}

#[test]
fn what_is_no_pattern_is_refused() {
    for (text, code) in [
        ("[a", "names/id-pattern"),
        ("a)(b", "names/id-pattern"),
        ("*", "names/id-pattern"),
        (r"\pL", "names/id-pattern"),
        ("a{2,1}", "names/id-pattern"),
        ("(a{1000}){1000}{1000}", "names/id-pattern"),
        ("(?P<x>a)", "names/id-pattern-group"),
    ] {
        let error = IdPattern::new(text).unwrap_err();
        assert_eq!(error.code(), code, "{text}");
        assert!(error.to_string().contains(text) && !error.help().is_empty());
    }
}

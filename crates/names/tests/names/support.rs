//! Patterns from their texts, and files of third parties if they are available.
#![expect(clippy::print_stderr, reason = "a test says what it passes over")]

use std::path::PathBuf;

use planloom_names::{IdPattern, Pattern, Patterns};
use proptest::prelude::ProptestConfig;

/// The path of a third party's file or folder; if it is missing, reports it and returns `None`.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if !path.exists() {
        eprintln!("skipped: there is no {name} here");
        return None;
    }
    Some(path)
}

/// The pattern of the ids of some variables in these tests; all others have the default of names.
pub(crate) fn id_pattern(variable: &str) -> IdPattern {
    let text = match variable {
        "region" => return IdPattern::region(),
        "service" => return IdPattern::service(),
        "bucket" => r"[\w./-]{2,128}",
        "log" => r"[\w./-=+]{1,128}",
        "log_descriptor" => r"[\w./-]{1,128}/[\w./-]{1,128}",
        "limit" => r"[a-zA-Z0-9-]{1,128}\/[a-zA-Z0-9-.]{1,128}\/[a-zA-Z]{1,128}",
        "sim_card" => r"\d{19}",
        "anything" => ".{1,512}",
        "unbounded" => ".*",
        "either" => "a|a/b",
        "anchored" => "^x$",
        "optional" => "[a-z]*",
        "lazy" => r"\S+?",
        "grouped" => "(?:a|(b/)+)c?",
        _ => return IdPattern::default_of_names(),
    };
    IdPattern::new(text).unwrap()
}

pub(crate) fn pattern(text: &str) -> Pattern {
    Pattern::of_text(text, id_pattern).unwrap()
}

/// Patterns from their texts, separated by spaces.
pub(crate) fn patterns(texts: &str) -> Patterns {
    Patterns(texts.split_whitespace().map(pattern).collect())
}

/// So many cases, or more if `PROPTEST_CASES` says so.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let requested = std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok());
    ProptestConfig {
        cases: requested.map_or(cases, |it: u32| it.max(cases)),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

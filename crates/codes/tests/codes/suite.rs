use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use planloom_codes::all;

use crate::{assert_same, files, root};

/// Codes with fixes that no page of the suite shows: tests of the crates that report them do.
const ELSEWHERE: &[&str] = &[
    "access-policy/unknown-key",
    "access-policy/unknown-permission",
    "access-policy/unknown-role",
    "access-policy/unknown-user",
    "catalog/unknown-channel",
    "fixtures/unknown-kind",
    "syntax/control-character",
    "types/unknown-field",
];

/// The severities of a code that pages of the suite show, and true if they show a fix.
#[derive(Default)]
struct Shown {
    severities: BTreeSet<String>,
    has_fix: bool,
}

fn shown() -> BTreeMap<String, Shown> {
    let mut codes: BTreeMap<String, Shown> = BTreeMap::new();
    for page in files(&root().join("tests/suite"), &[".md"]) {
        let mut last = None;
        for line in fs::read_to_string(page).expect("a page").lines() {
            if let Some((severity, code)) = diagnostic(line) {
                codes.entry(code.to_owned()).or_default().severities.insert(severity.to_owned());
                last = Some(code.to_owned());
            } else if !line.starts_with("  ") {
                last = None;
            } else if let Some(code) = last.as_ref().filter(|_| line.starts_with("  fix: ")) {
                codes.entry(code.clone()).or_default().has_fix = true;
            }
        }
    }
    codes
}

/// `error lower/unknown-key app.yaml:1:1 …`: severity and code.
fn diagnostic(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(' ');
    let severity = words.next().filter(|it| ["error", "warning", "hint"].contains(it))?;
    let is_code = |c: char| c.is_ascii_lowercase() || matches!(c, '/' | '-');
    let code = words.next().filter(|it| it.contains('/') && it.chars().all(is_code))?;
    Some((severity, code))
}

#[test]
fn codes_of_the_suite_are_documented_with_their_severities() {
    let shown = shown();
    assert!(shown.len() > 150, "{}", shown.len());
    for (code, it) in shown {
        let entry = all().get(&*code).unwrap_or_else(|| panic!("{code} is not documented"));
        let documented: BTreeSet<String> = entry.severities.iter().map(|it| it.as_str().to_owned()).collect();
        assert!(
            it.severities.is_subset(&documented),
            "{code}: {:?}, documented {documented:?}",
            it.severities
        );
    }
}

#[test]
fn codes_have_fixes_where_they_are_documented_to() {
    let of_suite: BTreeSet<String> =
        shown().into_iter().filter(|(_, it)| it.has_fix).map(|(code, _)| code).collect();
    let documented = all().iter().filter(|(_, it)| it.has_fix).map(|(code, _)| (*code).to_owned());
    let expected: BTreeSet<String> =
        of_suite.into_iter().chain(ELSEWHERE.iter().map(|it| (*it).to_owned())).collect();
    assert_same(
        (
            &documented.collect(),
            "show a fix on a page of `tests/suite`, or leave out `fix` where the code is defined",
        ),
        (&expected, "add `fix` where the code is defined"),
    );
}

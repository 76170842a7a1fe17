use diag::FileId;
use syntax::{Limits, parse};

use super::*;

fn read_text(text: &str) -> ProblemDocument {
    let parsed = parse(FileId(0), text, &Limits::default());
    // YAML 1.1 reads the key `n` as a boolean, which causes a hint.
    assert!(parsed.diagnostics.iter().all(|it| it.severity == diag::Severity::Hint), "{text}");
    read(&parsed.document)
}

/// Checks `code message @ text` of each diagnostic; a `format` is added to the text.
fn check(text: &str, expected: &[&str]) {
    let text = format!("format: {FORMAT}\n{text}");
    let reported = |it: &diag::Diagnostic| {
        let at = it.span.map_or("", |span| &text[span.start as usize..span.end as usize]);
        format!("{} {} @ {at}", it.code, it.message)
    };
    let found: Vec<String> = read_text(&text).diagnostics.iter().map(reported).collect();
    assert_eq!(found, expected, "{text}");
}

/// The constraints of the first variable as sentences.
fn check_words(constraints: &str, expected: &[&str]) {
    let text = format!(
        "format: {FORMAT}\nvariables:\n  - id: a\n    constraints:\n{constraints}  - id: b\n  - {{id: c}}\n"
    );
    let read = read_text(&text);
    assert_eq!(read.diagnostics, Vec::new(), "{text}");
    let variable = &read.problem.variables()[0];
    let words: Vec<String> = variable.constraints.iter().map(|it| it.sentence("a")).collect();
    assert_eq!(words, expected, "{text}");
}

#[test]
fn each_rule_is_read() {
    check_words("      - mandatory\n", &["a is mandatory"]);
    check_words("      - prohibited\n", &["a is prohibited"]);
    check_words("      - dependency: [b, c]\n", &["a requires at least one of b, c"]);
    check_words("      - {conflict: b}\n", &["a conflicts with b"]);
    check_words("      - at_most: {n: 1, of: [b, c]}\n", &["a permits at most 1 of b, c"]);
    check_words(
        "      - or: [{dependency: [b]}, {not: {conflict: c}}, {and: [mandatory]}]\n",
        &["a requires at least one of b or it is not the case that a conflicts with c or a is mandatory"],
    );
    check_words(
        "      - mandatory: true\n      - prohibited: true\n",
        &["a is mandatory", "a is prohibited"],
    );
    check_words("      - mandatory: true\n        text: the user requires it\n", &["the user requires it"]);
    check_words("      - {conflict: b, text: they fight, x-note: [1]}\n", &["they fight"]);
}

#[test]
fn places_are_kept() {
    let text = format!("format: {FORMAT}\nvariables:\n- id: a\n  constraints: [mandatory]\n");
    let read = read_text(&text);
    let at = |span: Option<diag::Span>| span.map(|it| &text[it.start as usize..it.end as usize]);
    let variable = &read.problem.variables()[0];
    assert_eq!((at(variable.origin), at(variable.constraints[0].origin)), (Some("a"), Some("mandatory")));
}

#[test]
fn entities_are_read() {
    let read = read_text(&format!(
        "format: {FORMAT}\nentities:\n- id: a-1\n  properties: {{version: 1.0.0}}\n- id: b\n"
    ));
    let entity = crate::EntitySource::get(&read.entities, "a-1").expect("it is there");
    assert_eq!(entity.properties.get("version").map(|it| &**it), Some("1.0.0"));
    assert_eq!(read.diagnostics, Vec::new());
}

#[test]
fn mistakes_are_reported_with_their_locations() {
    check("variablez: []", &["resolve/unknown-key unknown key `variablez` in a problem @ variablez"]);
    check("variables: 1", &["resolve/wrong-kind `variables` must be a list, not whole number @ 1"]);
    check("variables: [1]", &["resolve/wrong-kind a variable must be a map, not whole number @ 1"]);
    check("variables: [{id: 1}]", &["resolve/wrong-kind an `id` must be text, not whole number @ 1"]);
    check(
        "variables: [{constraints: []}]",
        &["resolve/missing-key the `id` of a variable is missing @ {constraints: []}"],
    );
    check(
        "variables: [{id: a, constraints: [{dependency: [a, zz]}]}]",
        &["resolve/unknown-variable variable \"zz\" referenced but not provided @ zz"],
    );
    check(
        "variables: [{id: a}, {id: a}]",
        &["resolve/duplicate-variable duplicate identifier \"a\" in input @ a"],
    );
    check(
        "variables: [{id: a, constraints: [{at_most: {n: 1, of: [a, b, a]}}]}, {id: b}]",
        &["resolve/repeated-variable \"a\" is listed 2 times in one `at_most`, where it counts once @ \
             {n: 1, of: [a, b, a]}"],
    );
}

#[test]
fn mistakes_in_rules_are_reported_with_their_locations() {
    let check = |rule: &str, expected: &[&str]| {
        check(&format!("variables: [{{id: a, constraints: [{rule}]}}]"), expected);
    };
    check("mandatroy", &["resolve/unknown-rule `mandatroy` is not a rule @ mandatroy"]);
    check("conflict", &["resolve/unknown-rule `conflict` is not a rule @ conflict"]);
    check("{conflicts: a}", &["resolve/unknown-key unknown key `conflicts` in a constraint @ conflicts"]);
    check("{}", &["resolve/not-one-rule a constraint has no rule @ {}"]);
    check("{text: a}", &["resolve/not-one-rule a constraint has no rule @ {text: a}"]);
    check(
        "{conflict: a, dependency: [a]}",
        &["resolve/not-one-rule `dependency` is set together with `conflict` in a constraint @ dependency"],
    );
    check("{mandatory: false}", &["resolve/needless-rule `mandatory: false` has no effect @ false"]);
    check("{mandatory: yes please}", &["resolve/wrong-kind `mandatory` must be true, not text @ yes please"]);
    check("{at_most: {of: [a]}}", &["resolve/missing-key `n` in `at_most` is missing @ {of: [a]}"]);
    check("{at_most: {n: -1, of: [a]}}", &["resolve/negative-number `n` cannot be less than 0 @ -1"]);
    check(
        "{or: [{conflict: a, text: b}]}",
        &["resolve/unknown-key unknown key `text` in an item of `or` @ text"],
    );
    check(
        "{not: 1}",
        &[
            "resolve/wrong-kind `not` must be a map such as `{conflict: a}`, or `mandatory` or `prohibited`, not whole number @ 1",
        ],
    );
}

#[test]
fn another_format_is_refused() {
    let found = read_text("format: planloom.problem/2\n").diagnostics;
    assert_eq!(found[0].message, "`planloom.problem/2` is not a supported format");
    assert_eq!(read_text("variables: []").diagnostics[0].message, "`format` is missing");
    assert_eq!(read_text("").diagnostics, Vec::new());
}

#[test]
fn a_problem_is_known_by_its_format() {
    let is = |text: &str| is_problem(&parse(FileId(0), text, &Limits::default()).document);
    assert!(is("format: planloom.problem/1") && is("{\"format\": \"planloom.problem/2\"}"));
    assert!(!is("format: planloom.types/1") && !is("a") && !is(""));
}

/// Checks the result of the fix for a misspelt name.
fn check_fix(id: &str, misspelt: &str, expected: &str) {
    let text = format!(
        "format: {FORMAT}\nvariables: [{{id: {id}}}, {{id: b, constraints: [{{conflict: {misspelt}}}]}}]"
    );
    let found = read_text(&text).diagnostics.remove(0);
    let fixed = diag::apply_edits(&text, &found.fixes[0].edits);
    assert_eq!(fixed, text.replace(&format!("conflict: {misspelt}"), &format!("conflict: {expected}")));
    assert_eq!(read_text(&fixed).diagnostics, Vec::new(), "{fixed}");
}

#[test]
fn a_misspelt_name_has_a_fix() {
    check_fix("web", "wbe", "web");
    check_fix("web", "\"wbe\"", "\"web\"");
    check_fix("web", "'wbe'", "'web'");
    check_fix("web-1.0/a", "web-1.0/b", "web-1.0/a");
    check_fix("\"we,bed\"", "weebed", "\"we,bed\"");
    check_fix("1-web", "2-web", "\"1-web\"");
    check_fix("it's-web", "'its-web'", "'it''s-web'");
    check_fix("'a\"web'", "\"aweb\"", "\"a\\\"web\"");
}

#[test]
fn a_name_that_is_no_text_has_a_fix() {
    for (id, quoted) in [("1", "\"1\""), ("true", "\"true\"")] {
        let text = format!("format: {FORMAT}\nvariables: [{{id: {id}}}]");
        let found = read_text(&text).diagnostics.remove(0);
        assert!(diag::apply_edits(&text, &found.fixes[0].edits).ends_with(&format!("[{{id: {quoted}}}]")));
    }
}

#[test]
fn variables_may_speak_of_what_comes_later() {
    let text = format!("format: {FORMAT}\nvariables: [{{id: a, constraints: [{{conflict: b}}]}}]");
    let (found, diagnostics) = variables(&parse(FileId(0), &text, &Limits::default()).document);
    assert_eq!(diagnostics, Vec::new());
    assert_eq!(found.iter().map(|it| (&*it.id, it.constraints.len())).collect::<Vec<_>>(), [("a", 1)]);
}

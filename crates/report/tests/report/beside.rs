//! The diagnostics that are reported beside a product.

use planloom_report::{codes, problem, reported};
use workspace::view::{DiagnosticView, Severity};

fn messages(codes: &[&str]) -> Vec<String> {
    let warning = |code: &&str| DiagnosticView {
        code: (*code).to_owned(),
        severity: Severity::Warning,
        ..problem(codes::NOT_FOUND, Some("catalog.yaml"), "there are 200 more warnings in this catalog", "")
    };
    let all: Vec<DiagnosticView> = codes.iter().map(warning).collect();
    reported(&all).into_iter().map(|it| it.message).collect()
}

#[test]
fn problems_that_a_catalog_only_counts_are_more() {
    assert_eq!(messages(&["catalog/deprecated"]), ["catalogs: 1 problem not shown"]);
    assert_eq!(messages(&["catalog/deprecated", "catalog/icon"]), ["catalogs: 2 problems not shown"]);
    let many = ["catalog/deprecated", "catalog/icon", "catalog/too-many-problems"];
    assert_eq!(messages(&many), ["catalogs: more than 2 problems not shown"]);
}

#[test]
fn errors_of_catalogs_are_shown_and_neither_they_nor_hints_are_counted() {
    let found = |code: &str, severity| DiagnosticView {
        code: code.to_owned(),
        severity,
        ..problem(codes::NOT_FOUND, Some("catalog.yaml"), code, "")
    };
    let all = [
        found("catalog/invalid-version", Severity::Error),
        found("catalog/invalid-range", Severity::Warning),
        found("catalog/icon", Severity::Hint),
        found("lower/unused", Severity::Hint),
    ];
    let shown: Vec<String> = reported(&all).into_iter().map(|it| it.message).collect();
    assert_eq!(shown, ["catalog/invalid-version", "catalogs: 1 problem not shown"]);
}

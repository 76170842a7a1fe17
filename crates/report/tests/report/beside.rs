//! What is reported beside a product.

use planloom_report::{problem, reported};
use workspace::view::{DiagnosticView, Severity};

fn messages(codes: &[&str]) -> Vec<String> {
    let warning = |code: &&str| DiagnosticView {
        code: (*code).to_owned(),
        severity: Severity::Warning,
        ..problem("x", Some("catalog.yaml"), "there are 200 more warnings in this catalog", "")
    };
    let all: Vec<DiagnosticView> = codes.iter().map(warning).collect();
    reported(&all).into_iter().map(|it| it.message).collect()
}

#[test]
fn warnings_that_a_catalog_only_counts_are_more() {
    assert_eq!(messages(&["catalog/deprecated"]), ["catalogs: 1 warning not shown"]);
    assert_eq!(messages(&["catalog/deprecated", "catalog/icon"]), ["catalogs: 2 warnings not shown"]);
    let many = ["catalog/deprecated", "catalog/icon", "catalog/too-many-problems"];
    assert_eq!(messages(&many), ["catalogs: more than 2 warnings not shown"]);
}

//! Each code that the suite expects is described as a rule.

use planloom_report::{Findings, codes, problem, sarif};
use workspace::view::{CheckoutView, DiagnosticView, ReportCommand};

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suite");

/// The codes of the diagnostics that pages of the suite expect.
fn codes(text: &str) -> impl Iterator<Item = String> {
    let is_code = |c: char| c.is_ascii_lowercase() || matches!(c, '/' | '-');
    let code = move |line: &str| {
        let rest = ["error ", "warning ", "hint "].iter().find_map(|it| line.strip_prefix(it))?;
        let code = rest.split(' ').next()?;
        (code.contains('/') && code.chars().all(is_code)).then(|| code.to_owned())
    };
    text.lines().filter_map(code)
}

#[test]
fn every_code_of_the_suite_is_described() {
    let pages = std::fs::read_dir(SUITE).expect("the suite").map(|it| it.expect("a page").path());
    let texts = pages.map(|it| std::fs::read_to_string(it).expect("its text"));
    let all: Vec<String> = texts.flat_map(|it| codes(&it).collect::<Vec<_>>()).collect();
    assert!(all.len() > 300, "{}", all.len());
    let place = problem(codes::NOT_FOUND, Some("a.yaml"), "it is wrong", "correct it");
    let problems: Vec<DiagnosticView> =
        all.into_iter().map(|code| DiagnosticView { code, ..place.clone() }).collect();
    let findings = Findings::new(ReportCommand::Check, &problems, &CheckoutView::default());
    let log: serde_json::Value = serde_json::from_str(&sarif(&findings)).expect("JSON");
    for rule in log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules") {
        let (title, about) = (&rule["shortDescription"]["text"], &rule["fullDescription"]["text"]);
        assert!(title.as_str() != about.as_str(), "{rule} is of no known area");
    }
}

use std::collections::BTreeSet;

use planloom_codes::{FAMILIES, all, find, nearest};
use report::AREAS;

use crate::assert_same;

#[test]
fn a_code_is_defined_once() {
    let lists = FAMILIES.iter().flat_map(|it| it.iter());
    let names: Vec<&str> = lists.flat_map(|it| it.iter()).map(|it| it.code.as_str()).collect();
    let mut seen = BTreeSet::new();
    let again: Vec<&&str> = names.iter().filter(|it| !seen.insert(**it)).collect();
    assert!(again.is_empty(), "{again:?}");
    assert_eq!(names.len(), all().len());
}

#[test]
fn documentation_is_sentences() {
    for (name, entry) in all() {
        let title = entry.title();
        assert!(title.ends_with('.') && title.starts_with(char::is_uppercase), "{name}: {title}");
        assert!(title.len() <= 160, "{name}: {title}");
        let text = find(name).expect("a code").text;
        let is_closed = text.is_empty() || text.ends_with(['.', '`']);
        assert!(is_closed && text.matches("```").count().is_multiple_of(2), "{name}: {text}");
        assert!(entry.severities.is_sorted() && !entry.severities.is_empty(), "{name}");
    }
}

#[test]
fn paragraphs_are_lines_and_examples_stay() {
    let text = find("lower/wrong-kind").expect("a code").text;
    let (before, example) = text.split_once("\n\n```yaml\n").expect("an example");
    assert!(before.starts_with("The field counts as not set") && !before.contains('\n'), "{before}");
    assert_eq!(example.lines().count(), 3, "{example}");
}

#[test]
fn every_family_is_described() {
    let families = all().values().map(|it| it.code.family().to_owned()).collect();
    let described = AREAS.iter().map(|it| it.0.to_owned()).collect();
    assert_same(
        (&families, "add the family to `AREAS` in `report/src/rules.rs`"),
        (&described, "`AREAS` in `report/src/rules.rs` has a family without codes"),
    );
}

#[test]
fn a_code_that_was_meant_is_found() {
    assert_eq!(nearest("lower/unknwon-key"), Some("lower/unknown-key"));
    assert_eq!(nearest("nothing-like-a-code"), None);
    assert!(find("lower/unknwon-key").is_none());
}

#[test]
fn what_adapters_report_by_the_protocol_is_documented() {
    let missing: Vec<String> = protocol::Code::ALL
        .iter()
        .map(|it| format!("adapter/{}", it.as_str()))
        .filter(|it| !all().contains_key(&**it))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
